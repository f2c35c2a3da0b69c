// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.launch.ParentReport;
import io.nitinol.core.Communicator;
import io.nitinol.core.StateDump;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.launch.RankEnvironment;
import io.nitinol.core.launch.Rendezvous;
import io.nitinol.core.log.Log;
import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import java.io.PrintWriter;
import java.util.Map;

/** This process is one rank of the measurement. */
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
    SelectedNet net = NetworkCheck.select();
    UniqueId id = Rendezvous.uniqueId(here, environment, settings, log);
    try (Communicator communicator = Communicator.init(id, here.size(), here.rank())) {
      boolean launched = ParentReport.isRank(environment);
      if (launched) {
        ParentReport.met();
      }
      if (here.rank() == 0 && launched) {
        CrowdedHost.connected(err, here.size());
      }
      return new RankJob(plan, report, err).run(communicator, net);
    }
  }
}
