// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.cli.command.SettingsReport;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.config.LaunchVariables;
import io.nitinol.core.launch.RankEnvironment;
import io.nitinol.core.log.Log;
import io.nitinol.core.plugin.MisspeltVariables;
import io.nitinol.spi.config.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code nitinol run}: starts any program once per rank. */
@Command(
    name = "run",
    header = "Start a program once per rank.",
    description = {
      "",
      "Starts a program once per rank on this host and stays until all have ended. Without -n, under"
          + " mpirun, srun or torchrun, it starts the program once, as the rank that they gave it.",
      "",
      "Each rank finds in its environment NITINOL_RANK, NITINOL_SIZE, NITINOL_LOCAL_RANK and"
          + " NITINOL_UNIQUE_ID, and RANK, WORLD_SIZE and LOCAL_RANK. Rank 0 writes to this"
          + " command's stdout; other lines get the rank in front. When a rank fails, the others"
          + " have 15 s to end, then they are killed."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:all ranks ended with 0",
      "2:the command line is wrong, or the program cannot be started",
      "4:a rank was killed by a signal",
      "130, 143:ended by Ctrl-C or SIGTERM",
      "141:the reader of the output has left, where rank 0 ends so",
      "other:the status of the rank that failed first"
    },
    footerHeading = "%nExample:%n",
    footer = "  nitinol run -n 4 -- java -cp app.jar Train --epochs 3")
public final class RunCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "RANKS",
      description = "How many ranks to start; not allowed if a launcher has started this one.")
  private @Nullable Integer ranks;

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "The program and its arguments.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<String> command;

  /** Made by picocli. */
  public RunCommand() {}

  @Override
  public Integer call() {
    SettingsReport.refuse();
    RankEnvironment here = RankCount.decide(spec.commandLine(), ranks, System.getenv());
    if (here == null || here.rank() == 0) { // one rank, since all have the same variables
      SettingsReport.warn(spec.commandLine().getErr(), "nitinol run");
      MisspeltVariables.tell();
    }
    if (here != null) {
      return launch(
          new Launcher.Share(here.rank(), 1, here.size()),
          _ -> variables(here.rank(), here.size(), Math.max(0, here.localRank())),
          _ -> {}); // the root is not here
    }
    int count = ranks == null ? 1 : ranks;
    try (UniqueId id = UniqueId.create(Settings.process(), Log.process())) {
      return launch(
          Launcher.Share.all(count),
          rank -> {
            Map<String, String> variables = variables(rank, count, rank);
            variables.put(LaunchVariables.UNIQUE_ID.name(), id.toString());
            return variables;
          },
          new Meeting(id, count));
    }
  }

  /** Where the ranks meet, which hears of ranks that will not come. */
  private record Meeting(UniqueId id, int processes) implements Launcher.Listener {
    @Override
    public void failed(String how) {
      id.withdraw(how);
    }

    @Override
    public void ended(int rank, String how) {
      id.ended(rank, processes, how);
    }
  }

  private int launch(
      Launcher.Share share,
      IntFunction<Map<String, String>> environment,
      Launcher.Listener listener) {
    // A program that knows nothing of Nitinol does not notice the end of its standard input.
    try (OrphanGuard guard = new OrphanGuard()) {
      return new Launcher(
              "nitinol run",
              command,
              share,
              environment,
              System.out,
              System.err,
              guard,
              Launcher.grace(),
              Launcher.Success.EXIT_STATUS,
              listener)
          .run();
    }
  }

  /** Returns a rank's variables, those that PyTorch's users know as well. */
  private static Map<String, String> variables(int rank, int size, int localRank) {
    Map<String, String> variables = new HashMap<>();
    variables.put(LaunchVariables.RANK.name(), Integer.toString(rank));
    variables.put(LaunchVariables.SIZE.name(), Integer.toString(size));
    variables.put(LaunchVariables.LOCAL_RANK.name(), Integer.toString(localRank));
    variables.put(
        CoreVariables.DUMP_SIGNAL.name(),
        Settings.process().isSet(CoreVariables.DUMP_SIGNAL)
            ? Settings.process().get(CoreVariables.DUMP_SIGNAL)
            : "USR1");
    variables.put("RANK", Integer.toString(rank));
    variables.put("WORLD_SIZE", Integer.toString(size));
    variables.put("LOCAL_RANK", Integer.toString(localRank));
    return variables;
  }
}
