// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.launch.Launcher;
import io.nitinol.cli.launch.OwnCommand;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.config.LaunchVariables;
import io.nitinol.core.log.Log;
import io.nitinol.core.plugin.MisspeltVariables;
import io.nitinol.spi.config.Settings;
import java.util.List;
import java.util.Map;

/** Starts this command again, once for each process of ranks. */
final class ProcessRanks {
  private ProcessRanks() {}

  /**
   * Runs the processes to their end.
   *
   * @param count how many processes
   * @param ranksPerProcess how many ranks each of them has
   * @param arguments of the command
   */
  static int run(int count, int ranksPerProcess, List<String> arguments) {
    MisspeltVariables.tell();
    try (UniqueId id = UniqueId.create(Settings.process(), Log.process())) {
      // In the environment, which only this user can read: the command line is for all to see.
      Map<String, String> environment =
          Map.of(
              LaunchVariables.UNIQUE_ID.name(),
              id.toString(),
              LaunchVariables.LAUNCHED.name(),
              "perf");
      return new Launcher(
              "nitinol perf",
              OwnCommand.ofRank(arguments),
              ranksPerProcess == 1 ? Launcher.Share.all(count) : Launcher.Share.processes(count),
              _ -> environment,
              System.out,
              System.err,
              null,
              Launcher.grace(),
              Launcher.Success.REPORT,
              id::withdraw)
          .run();
    }
  }
}
