// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.core.Communicator;
import io.nitinol.core.StateDump;
import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import java.io.PrintWriter;
import java.util.List;

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
    RankSessions sessions = RankSessions.of(plan);
    List<Communicator> communicators = Communicator.initAll(count);
    CrowdedHost.connected(err, count);
    return RankThreads.run(0, count, rank -> rank(communicators.get(rank), sessions));
  }

  private int rank(Communicator communicator, RankSessions sessions) {
    try (communicator) {
      return new RankJob(plan, report, err).run(communicator, sessions, communicator.rank());
    }
  }
}
