// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.launch.ContainedCommand;
import io.nitinol.core.plugin.NetSelection;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.core.plugin.PluginState;
import io.nitinol.core.plugin.SelectionPreview;
import io.nitinol.spi.config.Settings;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code nitinol doctor}: what this machine can do. */
@Command(
    name = "doctor",
    header = "Show what this machine can do.",
    description = {
      "",
      "Shows what Nitinol finds on this machine: Java, cores, memory, limits, network interfaces,"
          + " libraries and devices, plugins. Something absent is a line, not an error.",
      ""
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:a network can be used", "3:none can be used, or a plugin ended the process"})
public final class DoctorCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  /** Made by picocli. */
  public DoctorCommand() {}

  @Override
  public Integer call() {
    if (ContainedCommand.isNeeded()) {
      return new ContainedCommand(spec, ExitStatus.TRANSPORT).run();
    }
    Settings settings = Settings.process();
    SelectionPreview preview = NetSelection.preview(PluginCatalog.process(), settings, null);
    TextTable table = new TextTable("WHAT", "HERE");
    MachineReport.describe(table);
    UserSetup.describe(table, settings);
    table.row("networks", plugins(preview, EnumSet.of(PluginKind.NET)));
    table.row("collective networks", plugins(preview, EnumSet.of(PluginKind.COLLNET)));
    table.row("kernels", plugins(preview, EnumSet.of(PluginKind.KERNEL)));
    table.row("tuners", plugins(preview, EnumSet.of(PluginKind.TUNER)));
    table.row("profilers", plugins(preview, EnumSet.of(PluginKind.PROFILER)));
    PrintWriter out = spec.commandLine().getOut();
    table.lines().forEach(out::println);
    if (preview.failure() != null) {
      out.println();
      out.println(preview.failure());
    }
    out.flush();
    return preview.failure() == null ? ExitStatus.OK : ExitStatus.TRANSPORT;
  }

  private static String plugins(SelectionPreview preview, Set<PluginKind> kinds) {
    String found =
        preview.plugins().stream()
            .filter(plugin -> kinds.contains(plugin.kind()))
            .map(plugin ->
                plugin.state() == PluginState.CHOSEN
                    ? plugin.name() + " (chosen)"
                    : plugin.name() + " (" + plugin.state().label() + ")")
            .collect(Collectors.joining(", "));
    return found.isEmpty() ? "none" : found;
  }
}
