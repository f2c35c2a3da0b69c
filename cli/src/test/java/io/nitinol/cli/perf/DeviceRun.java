// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.core.kernel.ScalarKernels;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What ranks that are threads print of a measurement on devices, and their exit status. */
record DeviceRun(int status, String out, String err) {

  static DeviceRun of(PerfPlan plan, int ranks) {
    return of(plan, ranks, BrokenDevice.NONE, null);
  }

  static DeviceRun of(PerfPlan plan, int ranks, BrokenDevice mistake, @Nullable Path json) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    PerfReport report = new PerfReport(plan, new PrintWriter(out), new PerfFiles(json), List.of());
    PrintWriter complaints = new PrintWriter(err);
    RankSessions right = RankSessions.of(plan);
    RankSessions sessions =
        (communicator, localRank) -> mistake.around(right.open(communicator, localRank));
    CommConfig config = CommConfig.standard().withKernels(ScalarKernels.instance());
    List<Communicator> communicators = Communicator.initAll(ranks, config);
    int status =
        RankThreads.run(
            0,
            ranks,
            rank -> {
              try (Communicator communicator = communicators.get(rank)) {
                return new RankJob(plan, report, complaints).run(communicator, sessions, rank);
              }
            });
    return new DeviceRun(status, out.toString(), err.toString());
  }

  /** Returns the table without its header and footer. */
  List<String> rows() {
    return out.lines().filter(line -> !line.startsWith("#")).toList();
  }
}
