// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.CommandVersion;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.perf.runs.RunPage;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Rank 0's output: the table, and the files beside it. */
final class PerfReport {
  private final PerfPlan plan;
  private final PrintWriter out;
  private final PerfFiles files;
  private final List<String> arguments;
  private final Instant start = Instant.now();
  private final List<PerfRow> rows = new ArrayList<>();
  private final List<PairFigures> pairs = new ArrayList<>();
  private final List<IntervalFigures> intervals = new ArrayList<>();
  private final HistogramLog times;
  private Instant rowBegin = start;

  /**
   * Creates a report.
   *
   * @param files to write at the end
   * @param arguments the command line, for the files
   */
  PerfReport(PerfPlan plan, PrintWriter out, PerfFiles files, List<String> arguments) {
    this.plan = plan;
    this.out = out;
    this.files = files;
    this.arguments = List.copyOf(arguments);
    this.times = new HistogramLog(plan, CommandVersion.nitinol(), start);
  }

  void begin(String network, List<RankInfo> ranks) {
    print(ResultTable.header(plan, network, ranks, CommandVersion.nitinol()));
    rowBegin = Instant.now();
  }

  void row(PerfRow row) {
    if (files.any()) {
      rows.add(row.withoutTimes()); // only then: a run may have no end
    }
    if (files.hasHistogram() && !(plan.mode() instanceof PerfMode.Intervals)) {
      Instant end = Instant.now();
      times.add(row, rowBegin, end);
      rowBegin = end;
    }
    List<String> lines = new ArrayList<>();
    if (plan.mode() instanceof PerfMode.Intervals) { // the last interval is the total of the row
      if (!row.outOfPlace().steady()) {
        print(List.of(ResultTable.unsteady(row.bytes())));
      }
      return;
    }
    lines.add(ResultTable.row(plan.reporting(), row, LocalDateTime.now(ZoneId.systemDefault())));
    lines.addAll(ResultTable.percentiles(row));
    if (row.measurements().anyMatch(each -> !each.steady())) {
      lines.add(ResultTable.unsteady(row.bytes()));
    }
    print(lines);
  }

  /** Takes an interval, or at last the whole run. */
  void interval(IntervalFigures interval) {
    if (files.any()) {
      intervals.add(interval.withoutTimes());
    }
    if (files.hasHistogram() && !interval.total()) { // the total is those before, again
      times.add(interval);
    }
    print(List.of(IntervalTable.line(interval)));
  }

  /** Takes the figures of all ordered pairs of ranks. */
  void pairs(List<PairFigures> all) {
    pairs.addAll(all);
    print(PairTable.lines(all));
  }

  void end(String network, List<RankInfo> ranks, Totals totals) {
    print(ResultTable.footer(plan, totals));
    if (!files.any()) {
      return;
    }
    ObjectNode document =
        new PerfJsonReport(plan, CommandVersion.nitinol(), arguments, start)
            .document(network, ranks, rows, pairs, intervals, totals);
    files.write(
        () -> PerfJsonReport.text(document),
        () -> PerfCsv.text(plan.reporting(), rows),
        () -> RunPage.ofDocument(document),
        times::text);
  }

  private void print(List<String> lines) {
    lines.forEach(out::println);
    out.flush(); // a row is seen when it is there
    // A run may have no end, and no reader.
    if (!files.any() && System.out.checkError()) {
      throw new CommandFailure(ExitStatus.READER_GONE, "stdout cannot be written");
    }
  }
}
