// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.launch.ContainedCommand;
import io.nitinol.core.plugin.NetSelection;
import io.nitinol.core.plugin.PluginCatalog;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code nitinol doctor}: what of this machine is right for a job, and what mends the rest. */
@Command(
    name = "doctor",
    header = "Show what this machine can do, and what mends it.",
    description = {
      "",
      "Shows what Nitinol finds on this machine: Java, cores, clock, memory, limits, network"
          + " interfaces, RDMA devices, GPUs, launchers, plugins. Each line is ok, a note, a"
          + " warning, a problem or unknown. A warning or problem says why it matters, and the"
          + " command that mends it where there is one. Something absent is a note.",
      ""
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:no problem was found; there may be warnings",
      "2:the command line is wrong",
      "3:jobs of this machine fail, no network can be used, or a plugin ended the process"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  nitinol doctor",
      "  NCCL_SOCKET_IFNAME=eth1 nitinol doctor     # as a job with these variables finds it",
      "  nitinol doctor --json >node1.json"
    })
public final class DoctorCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /** Made by picocli. */
  public DoctorCommand() {}

  @Override
  public Integer call() {
    if (ContainedCommand.isNeeded()) {
      return new ContainedCommand(spec, ExitStatus.TRANSPORT).run();
    }
    DoctorReport report = examine(ExaminedHost.here());
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(report.json());
    } else {
      report.text().forEach(out::println);
    }
    out.flush();
    return report.exitStatus();
  }

  private static DoctorReport examine(ExaminedHost host) {
    List<DoctorFinding> found = new ArrayList<>(JavaChecks.look());
    found.addAll(ProcessorChecks.look(host));
    found.addAll(MemoryChecks.look(host));
    found.addAll(NetworkChecks.look(host));
    found.addAll(RdmaChecks.look(host));
    found.addAll(GpuChecks.look(host, GpuChecks::chosenProvider));
    found.addAll(LauncherChecks.look(host));
    found.addAll(SetupChecks.look(host));
    return PluginChecks.report(
        found, () -> NetSelection.preview(PluginCatalog.process(), host.settings(), null));
  }
}
