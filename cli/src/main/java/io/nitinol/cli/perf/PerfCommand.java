// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.command.SettingsReport;
import io.nitinol.cli.launch.ContainedCommand;
import io.nitinol.cli.launch.RankCount;
import io.nitinol.core.launch.RankEnvironment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code nitinol perf}: nccl-tests' job. */
@Command(
    name = "perf",
    header = "Measure and check a collective: nccl-tests' job.",
    description = {
      "",
      "Measures and checks a collective, as nccl-tests' programs do, and prints their table.",
      "",
      "With -n it starts the ranks itself, as processes of this host. Without it this process is"
          + " one rank of a job that mpirun, srun or torchrun started; the ranks then meet at"
          + " NCCL_COMM_ID (host:port of rank 0), through the file NITINOL_UNIQUE_ID_FILE, or at"
          + " the port after torchrun's MASTER_PORT. NCCL_NET chooses the network.",
      "",
      "With --server on one host and --connect on another one there is one rank on each, and no"
          + " launcher is needed.",
      "",
      "With --device the buffers are memory of devices. Rank r of a host takes device r, and begins"
          + " again at 0 where there are fewer devices than ranks.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:every checked element was right",
      "1:elements are wrong, or it was slower than --min-bandwidth allows",
      "2:the command line or a variable asks for something that cannot be done",
      "3:no network plugin could be used, or a connection failed",
      "4:a rank died, or ended because another one did",
      "5:a defect of Nitinol",
      "130, 143:ended by Ctrl-C or SIGTERM",
      "141:the reader of the output has left"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  nitinol perf all_reduce -n 4",
      "  nitinol perf all_reduce -n 2 -b 1K -e 1G -t bfloat16 -o all --json result.json",
      "  nitinol perf all_gather -n 4 --report page.html",
      "  nitinol perf broadcast -n 3 -r all",
      "  nitinol perf sendrecv -n 2 --rate --window 32",
      "  nitinol perf sendrecv -n 4 --pairs -b 1M",
      "  nitinol perf all_reduce -n 4 -b 1M --interval 1 --seconds 60",
      "  nitinol perf sendrecv --server                                   # on node1",
      "  NITINOL_COMM_SECRET=... nitinol perf sendrecv --connect node1    # on node2",
      "  nitinol perf all_reduce --device cuda -g 8 -e 8G",
      "  mpirun -n 4 -x NCCL_COMM_ID=node1:29500 nitinol perf all_reduce"
    })
public final class PerfCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private PerfOptions options;

  /** Made by picocli. */
  public PerfCommand() {}

  @Override
  public Integer call() {
    SettingsReport.refuse();
    CommandLine command = spec.commandLine();
    Map<String, String> environment = System.getenv();
    if (options.hosts().isGiven()) {
      return hostPair(command);
    }
    PerfDeviceOptions device = options.device();
    RankEnvironment here = RankCount.decide(command, options.ranks(), device.ranks(), environment);
    requireNoSplit(command, environment);
    int each = device.ranksPerProcess();
    int count = here != null ? here.size() * each : options.ranksToStart();
    PerfPlan plan = options.plan(command, count);
    List<String> arguments = spec.root().commandLine().getParseResult().originalArgs();
    PerfReport report = new PerfReport(plan, command.getOut(), options.files(), arguments);
    if (here == null) {
      options.requireMemory(command, plan, count, PerfMemory.available());
    }
    if (here != null && options.threads()) {
      throw new ParameterException(
          command, "--threads goes with -n: " + here.launcher() + " started this rank already");
    }
    if ((here != null || options.threads()) && ContainedCommand.isNeeded()) {
      return contained();
    }
    if (here == null ? options.threads() : here.rank() == 0) {
      SettingsReport.warn(
          command.getErr(), "nitinol perf"); // one rank, since all have the same variables
    }
    if (here != null) {
      return new ProcessRank(plan, report, command.getErr(), here, environment).run();
    }
    CrowdedHost.warn(command.getErr(), count);
    return options.threads()
        ? new ThreadRanks(plan, report, command.getErr(), count).run()
        : ProcessRanks.run(count / each, each, arguments);
  }

  private static void requireNoSplit(CommandLine command, Map<String, String> environment) {
    for (String variable : List.of("NCCL_TESTS_SPLIT", "NCCL_TESTS_SPLIT_MASK")) {
      PerfOptions.require(
          command,
          !environment.containsKey(variable),
          variable + " is set, and perf cannot split the ranks: start one job for each part");
    }
  }

  private int hostPair(CommandLine command) {
    options.hosts().require(command);
    requireNoSplit(command, System.getenv());
    HostPair pair = new HostPair(command, options);
    if (options.hosts().serves()) {
      return ContainedCommand.isNeeded() ? contained() : warned(command, pair::serve);
    }
    PerfPlan plan = options.plan(command, HostPair.RANKS);
    options.carried(command); // what cannot be carried is told before the client goes to the server
    options.requireMemory(command, plan, 1, PerfMemory.available());
    List<String> arguments = spec.root().commandLine().getParseResult().originalArgs();
    PerfReport report = new PerfReport(plan, command.getOut(), options.files(), arguments);
    return ContainedCommand.isNeeded()
        ? contained()
        : warned(command, () -> pair.connect(plan, report));
  }

  private static int warned(CommandLine command, IntSupplier rank) {
    SettingsReport.warn(command.getErr(), "nitinol perf"); // each host has variables of its own
    return rank.getAsInt();
  }

  private int contained() {
    return new ContainedCommand(spec, ExitStatus.RANK_DIED).run();
  }

  /** Returns what was parsed. */
  PerfOptions options() {
    return options;
  }
}
