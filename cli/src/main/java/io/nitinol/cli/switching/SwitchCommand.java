// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.switching;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.command.SettingsReport;
import io.nitinol.core.log.Log;
import io.nitinol.core.plugin.KernelSelection;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.net.collnet.node.Switch;
import io.nitinol.net.collnet.node.SwitchOptions;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.toolkit.Addresses;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code nitinol switch}: a switch that reduces in the network. */
@Command(
    name = "switch",
    header = "Run a switch that reduces in the network.",
    description = {
      "",
      "Runs a switch: ranks whose NITINOL_COLLNET_SWITCH names it send it what is to be reduced, and"
          + " it sends them the result, so that each host sends and receives its data once. Switches"
          + " form a tree by --parent. It runs until it gets SIGTERM or Ctrl-C.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "2:the command line asks for something that cannot be done",
      "3:it cannot listen, or the network plugin cannot be used",
      "130, 143:ended by Ctrl-C or SIGTERM"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  nitinol switch --listen 10.0.0.1:7777 --secret /etc/nitinol/switch.secret",
      "  nitinol switch --listen 10.0.1.1:7777 --parent 10.0.0.1:7777 --secret FILE --stats 7778"
    })
public final class SwitchCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private SwitchSettings given;

  /** Made by picocli. */
  public SwitchCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    SettingsReport.refuse();
    CommandLine command = spec.commandLine();
    PrintWriter out = command.getOut();
    SwitchOptions options = given.options(command, Settings.process());
    if (!given.isSecret(Settings.process())) {
      command
          .getErr()
          .println("nitinol switch: no secret: every peer that reaches this address is served");
      command.getErr().flush();
    }
    InetSocketAddress where = given.stats();
    KernelProvider kernels =
        KernelSelection.select(PluginCatalog.process(), Settings.process(), Log.process());
    Switch running = Switch.start(options, kernels, Log.process());
    StatsServer stats = null;
    try {
      if (where != null) {
        stats = StatsServer.start(where, running);
      }
    } catch (IOException e) {
      running.close();
      throw new CommandFailure(
          ExitStatus.TRANSPORT,
          "--stats " + Addresses.text(where) + ": cannot listen there: " + e.getMessage());
    }
    StatsServer page = stats;
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(running, page), "switch-end"));
    out.println(greeting(running, options, kernels, stats));
    out.flush();
    new CountDownLatch(1).await(); // until the process is told to end
    return ExitStatus.OK;
  }

  private static void end(Switch running, @Nullable StatsServer stats) {
    if (stats != null) {
      stats.stop();
    }
    running.close();
  }

  private static String greeting(
      Switch running, SwitchOptions options, KernelProvider kernels, @Nullable StatsServer stats) {
    InetSocketAddress parent = options.parent();
    String listening = Addresses.text(running.address());
    String place = parent == null ? "root of its tree" : "below " + Addresses.text(parent);
    String page =
        stats == null ? "" : ", statistics at http://" + Addresses.text(stats.address()) + "/";
    return "nitinol switch: listening at %s, %s, data over %s, kernels %s%s"
        .formatted(listening, place, options.net(), kernels.name(), page);
  }
}
