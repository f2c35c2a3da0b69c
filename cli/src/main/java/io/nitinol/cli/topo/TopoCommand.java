// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.topo;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.command.SettingsReport;
import io.nitinol.cli.launch.ContainedCommand;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.topology.PathOptions;
import io.nitinol.core.topology.TopologyDocument;
import io.nitinol.core.topology.TopologyException;
import io.nitinol.core.topology.TopologyPaths;
import io.nitinol.core.topology.detect.ThisMachine;
import io.nitinol.core.topology.report.TopologyReport;
import io.nitinol.core.topology.tune.GpuTuningTable;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code nitinol topo}: the graph of this machine, or of the one that a file describes. */
@Command(
    name = "topo",
    header = "Show the topology of this machine, or of a file in NCCL's format.",
    description = {
      "",
      "Shows the links of a machine with their bandwidth in GB/s as NCCL counts it, and the paths"
          + " between its GPUs and network devices. To look at this machine it initializes every"
          + " plugin. NCCL_TOPO_DUMP_FILE and NCCL_GRAPH_DUMP_FILE get what was found.",
      ""
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:the topology was shown",
      "2:the command line or a file is wrong",
      "3:a plugin ended the process"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  nitinol topo",
      "  nitinol topo --graphs --json >topology.json",
      "  nitinol topo --file machine.xml --json"
    })
public final class TopoCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--file",
      paramLabel = "XML",
      description = "Show the machine of this topology file, not this machine.")
  private @Nullable String file;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Option(
      names = "--page",
      paramLabel = "HTML",
      description = "Write a page with a drawing to this file.")
  private @Nullable String page;

  @Option(
      names = "--graphs",
      description = "Show the rings and trees that the search finds, as NCCL's.")
  private boolean graphs;

  @Option(
      names = "--tuning",
      description = "Show NCCL's table of latencies and bandwidths, and what it would choose.")
  private boolean tuning;

  @Option(
      names = "--hosts",
      paramLabel = "N",
      defaultValue = "1",
      description = "Search for a job on this many such hosts (default: ${DEFAULT-VALUE}).")
  private int hosts;

  /** More hosts than a table on a screen is for. */
  private static final int MOST_HOSTS = 1024;

  /** Made by picocli. */
  public TopoCommand() {}

  @Override
  public Integer call() {
    if (hosts < 1 || hosts > MOST_HOSTS) {
      throw CommandFailure.usage("--hosts should be from 1 to " + MOST_HOSTS + ", and is " + hosts);
    }
    Settings settings = Settings.process();
    if (file == null) {
      SettingsReport.refuse();
      if (ContainedCommand.isNeeded()) {
        return new ContainedCommand(spec, ExitStatus.TRANSPORT).run();
      }
    }
    try {
      return show(settings);
    } catch (TopologyException | IOException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
  }

  private int show(Settings settings) throws TopologyException, IOException {
    PrintWriter out = spec.commandLine().getOut();
    TopologyDocument document;
    if (file != null) {
      document = read(file);
    } else {
      PluginCatalog catalog = PluginCatalog.process();
      ThisMachine machine = ThisMachine.find(catalog, settings, catalog.logger());
      document = machine.document();
      PrintWriter err = spec.commandLine().getErr();
      machine.notes().forEach(note -> err.println("nitinol topo: " + note));
      err.flush();
      TopologyReport.dump(document, settings);
    }
    TopologyPaths paths = TopologyPaths.of(document.topology(), PathOptions.of(settings));
    TopologyReport report = null;
    if (graphs || tuning) {
      report = TopologyReport.of(document.topology(), hosts, settings);
      report.dump(settings);
    }
    if (page != null) {
      writePage(page, TopologyPage.text(document.topology(), paths));
    }
    if (json) {
      out.println(TopologyJson.text(document.topology(), paths, report));
    } else {
      TopologyText.lines(document.topology(), paths).forEach(out::println);
      if (graphs && report != null) {
        GraphText.lines(report).forEach(out::println);
      }
      if (tuning && report != null) {
        out.println();
        GpuTuningTable.lines(report.model()).forEach(out::println);
        ChoiceText.lines(report.model()).forEach(out::println);
      }
    }
    out.flush();
    return ExitStatus.OK;
  }

  private static void writePage(String file, String text) throws IOException {
    try {
      OutputFile.write(Path.of(file), text);
    } catch (InvalidPathException | IOException e) {
      throw new IOException("--page: " + file + " cannot be written: " + e.getMessage(), e);
    }
  }

  private static TopologyDocument read(String file) {
    try {
      return TopologyDocument.read(Path.of(file));
    } catch (InvalidPathException | TopologyException e) {
      throw CommandFailure.usage("--file: " + e.getMessage());
    }
  }
}
