// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.Version;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** What rank 0 says of a measurement: the table, and the file for programs. */
final class PerfReport {
  private final PerfPlan plan;
  private final PrintWriter out;
  private final @Nullable Path json;
  private final List<String> arguments;
  private final Instant start = Instant.now();

  /**
   * Creates a report.
   *
   * @param json the file to write at the end, or null
   * @param arguments the command line, for the file
   */
  PerfReport(PerfPlan plan, PrintWriter out, @Nullable Path json, List<String> arguments) {
    this.plan = plan;
    this.out = out;
    this.json = json;
    this.arguments = List.copyOf(arguments);
  }

  void begin(String network, List<RankInfo> ranks) {
    print(ResultTable.header(plan, network, ranks, Version.nitinol()));
  }

  void row(Row row) {
    print(List.of(ResultTable.row(row)));
  }

  void end(String network, List<RankInfo> ranks, List<Row> rows) {
    double bandwidth = averageBusBandwidth(rows);
    long wrong = wrong(rows);
    print(ResultTable.footer(plan, wrong, bandwidth));
    if (json != null) {
      new JsonReport(plan, Version.nitinol(), arguments, start)
          .write(json, network, ranks, rows, wrong, bandwidth);
    }
  }

  /** Returns the mean over all rows and both placements, as nccl-tests does. */
  static double averageBusBandwidth(List<Row> rows) {
    return rows.stream()
        .flatMapToDouble(row ->
            DoubleStream.of(row.busBandwidth(row.outOfPlace()), row.busBandwidth(row.inPlace())))
        .average()
        .orElse(0);
  }

  static long wrong(List<Row> rows) {
    return rows.stream().mapToLong(Row::wrong).sum();
  }

  private void print(List<String> lines) {
    lines.forEach(out::println);
    out.flush(); // a row is seen when it is there
  }
}
