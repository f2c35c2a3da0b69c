// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfSession;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** What all ranks of a measurement say over fakes. */
record JobRun(List<Integer> statuses, String out, String err) {

  static JobRun of(PerfPlan plan, int ranks, FakeSessions.Mistake mistake)
      throws ExecutionException, InterruptedException {
    return of(plan, ranks, mistake, null);
  }

  static JobRun of(PerfPlan plan, int ranks, FakeSessions.Mistake mistake, @Nullable Path json)
      throws ExecutionException, InterruptedException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    PerfReport report =
        new PerfReport(
            plan, new PrintWriter(out), new PerfFiles(json), List.of("the", "arguments"));
    PrintWriter complaints = new PrintWriter(err);
    List<Integer> statuses = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Integer>> running = new ArrayList<>();
      for (PerfSession session : new FakeSessions(ranks, mistake).all()) {
        running.add(threads.submit(() -> new RankJob(plan, report, complaints).run(session)));
      }
      for (Future<Integer> rank : running) {
        statuses.add(rank.get());
      }
    }
    return new JobRun(statuses, out.toString(), err.toString());
  }

  /** Returns the table without its header and footer. */
  List<String> rows() {
    return out.lines().filter(line -> !line.startsWith("#")).toList();
  }
}
