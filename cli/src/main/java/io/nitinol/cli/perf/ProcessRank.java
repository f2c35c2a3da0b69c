// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.launch.ParentReport;
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.StateDump;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.launch.RankEnvironment;
import io.nitinol.core.launch.Rendezvous;
import io.nitinol.core.log.Log;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import java.io.PrintWriter;
import java.util.Map;

/** This process is one rank of the measurement, or several that are its threads. */
final class ProcessRank {
  private final PerfPlan plan;
  private final PerfReport report;
  private final PrintWriter err;
  private final RankEnvironment here;
  private final Map<String, String> environment;

  ProcessRank(
      PerfPlan plan,
      PerfReport report,
      PrintWriter err,
      RankEnvironment here,
      Map<String, String> environment) {
    this.plan = plan;
    this.report = report;
    this.err = err;
    this.here = here;
    this.environment = environment;
  }

  int run() {
    Settings settings = Settings.process();
    DebugLogger log = Log.process();
    StateDump.onSignal(settings, "USR1", log);
    RankSessions sessions = RankSessions.of(plan);
    UniqueId id = Rendezvous.uniqueId(here, environment, settings, log);
    int each = plan.ranksPerProcess();
    if (each == 1) {
      return rank(id, here.rank(), sessions);
    }
    try {
      return RankThreads.run(here.rank() * each, each, rank -> rank(id, rank, sessions));
    } catch (CommException e) {
      throw ofProcess(e, each);
    }
  }

  private int rank(UniqueId id, int rank, RankSessions sessions) {
    int each = plan.ranksPerProcess();
    int size = here.size() * each;
    int localRank = here.localRank() < 0 ? -1 : here.localRank() * each + rank % each;
    try (Communicator communicator =
        Communicator.init(id, size, rank, sessions.config(localRank))) {
      boolean launched = ParentReport.isRank(environment);
      if (launched) {
        ParentReport.met();
      }
      if (rank == 0 && launched) {
        CrowdedHost.connected(err, size);
      }
      return new RankJob(plan, report, err).run(communicator, sessions, localRank);
    }
  }

  /** The launcher knows processes only; the message has the rank. */
  private static CommException ofProcess(CommException failure, int each) {
    return failure.failedRank() < 0
        ? failure
        : new CommException(
            failure.result(),
            failure.failedRank() / each,
            String.valueOf(failure.getMessage()),
            failure);
  }
}
