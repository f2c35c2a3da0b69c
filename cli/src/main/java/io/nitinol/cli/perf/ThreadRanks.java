// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.command.ExitStatus;
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.StateDump;
import io.nitinol.core.log.Log;
import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.spi.config.Settings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** All ranks are threads of this process. */
final class ThreadRanks {
  private final PerfPlan plan;
  private final PerfReport report;
  private final PrintWriter err;
  private final int count;

  ThreadRanks(PerfPlan plan, PerfReport report, PrintWriter err, int count) {
    this.plan = plan;
    this.report = report;
    this.err = err;
    this.count = count;
  }

  int run() {
    StateDump.onSignal(Settings.process(), "USR1", Log.process());
    SelectedNet net = NetworkCheck.select();
    List<Communicator> communicators = Communicator.initAll(count);
    CrowdedHost.connected(err, count);
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("rank-", 0).factory())) {
      List<Future<Integer>> ranks = new ArrayList<>();
      for (Communicator communicator : communicators) {
        ranks.add(threads.submit(() -> rank(communicator, net)));
      }
      return status(ranks);
    }
  }

  private static int status(List<Future<Integer>> ranks) {
    int status = ExitStatus.OK;
    RuntimeException failure = null;
    for (int rank = 0; rank < ranks.size(); rank++) {
      try {
        status = Math.max(status, ranks.get(rank).get());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while the ranks were running", e);
      } catch (ExecutionException e) {
        RuntimeException cause =
            e.getCause() instanceof RuntimeException known
                ? known
                : new IllegalStateException(e.getCause());
        // The others only say that this one has failed.
        boolean own = !(cause instanceof CommException comm) || comm.failedRank() == rank;
        failure = failure == null || own ? cause : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return status;
  }

  private int rank(Communicator communicator, SelectedNet net) {
    try (communicator) {
      return new RankJob(plan, report, err).run(communicator, net);
    }
  }
}
