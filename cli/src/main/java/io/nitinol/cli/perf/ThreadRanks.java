// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.ExitStatus;
import io.nitinol.core.Communicator;
import io.nitinol.core.log.Log;
import io.nitinol.core.plugin.NetSelection;
import io.nitinol.core.plugin.PluginCatalog;
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
    SelectedNet net =
        NetSelection.select(PluginCatalog.process(), Settings.process(), Log.process(), null);
    List<Communicator> communicators = Communicator.initAll(count);
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("rank-", 0).factory())) {
      List<Future<Integer>> ranks = new ArrayList<>();
      for (Communicator communicator : communicators) {
        ranks.add(threads.submit(() -> rank(communicator, net)));
      }
      int status = ExitStatus.OK;
      for (Future<Integer> rank : ranks) {
        status = Math.max(status, rank.get());
      }
      return status;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the ranks were running", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /**
   * A rank that fails takes the others with it, so that the first failure is the one that is seen.
   */
  private int rank(Communicator communicator, SelectedNet net) {
    try (communicator) {
      return new RankJob(plan, report, err).run(new CommunicatorSession(communicator, net));
    }
  }
}
