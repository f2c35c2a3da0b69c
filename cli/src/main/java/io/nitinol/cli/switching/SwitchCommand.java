// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.switching;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.command.SettingsReport;
import io.nitinol.core.log.Log;
import io.nitinol.core.plugin.KernelSelection;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.PluginWatch;
import io.nitinol.net.collnet.node.Switch;
import io.nitinol.net.collnet.node.SwitchOptions;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.ExitCall;
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
      "3:it cannot listen, the network plugin cannot be used, or a plugin ended the process",
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

  private volatile @Nullable Switch running;
  private volatile @Nullable StatsServer page;
  private volatile String called = "";
  private volatile boolean over;

  /** Made by picocli. */
  public SwitchCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    SettingsReport.refuse();
    CommandLine command = spec.commandLine();
    SwitchOptions options = given.options(command, Settings.process());
    if (!given.isSecret(Settings.process())) {
      command
          .getErr()
          .println("nitinol switch: no secret: every peer that reaches this address is served");
      command.getErr().flush();
    }
    PluginWatch.listen(which -> called = which);
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "switch-end"));
    try {
      return serve(options, command.getOut());
    } finally {
      over = true;
    }
  }

  private int serve(SwitchOptions options, PrintWriter out) throws InterruptedException {
    InetSocketAddress where = given.stats();
    KernelProvider kernels =
        KernelSelection.select(PluginCatalog.process(), Settings.process(), Log.process());
    Switch started = Switch.start(options, kernels, Log.process());
    running = started;
    StatsServer stats = null;
    try {
      if (where != null) {
        stats = StatsServer.start(where, started);
      }
    } catch (IOException e) {
      started.close();
      throw new CommandFailure(
          ExitStatus.TRANSPORT,
          "--stats " + Addresses.text(where) + ": cannot listen there: " + e.getMessage());
    }
    page = stats;
    out.println(greeting(started, options, kernels, stats));
    out.flush();
    new CountDownLatch(1).await(); // until the process is told to end
    return ExitStatus.OK;
  }

  /**
   * Runs when the process ends. A plugin that ends it must not pass for an orderly end, whatever
   * its status. The switch calls plugins in its own process, unlike commands that have a result to
   * report: the process that is started, watched and stopped is the one that serves.
   */
  private void end() {
    boolean foreign = !over && !ExitCall.isSignal();
    if (foreign) {
      tellForeignEnd(spec.commandLine().getErr());
    }
    StatsServer stats = page;
    if (stats != null) {
      stats.stop();
    }
    Switch started = running;
    if (started != null) {
      started.close();
    }
    if (foreign) {
      // Nothing else changes the status of an exit that has begun. It cuts off hooks that still run
      // and the removal of files of deleteOnExit. The switch itself has none: it keeps nothing on
      // disk, and page and connections are closed. What is cut off is a plugin's, by the fault of
      // the one that ended the process.
      Runtime.getRuntime().halt(ExitStatus.TRANSPORT);
    }
  }

  private void tellForeignEnd(PrintWriter err) {
    String caller = ExitCall.find();
    err.println(
        ErrorText.of(
            "nitinol switch: a plugin ended the process%s%s",
            caller == null ? "" : ": System.exit was called by " + caller,
            called.isEmpty() ? "" : ", during " + called));
    err.flush();
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
