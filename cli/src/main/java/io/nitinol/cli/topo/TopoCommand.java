// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.topo;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.core.topology.PathOptions;
import io.nitinol.core.topology.TopologyDocument;
import io.nitinol.core.topology.TopologyException;
import io.nitinol.core.topology.TopologyPaths;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code nitinol topo}: the graph in a topology file. */
@Command(
    name = "topo",
    header = "Show the topology of a machine from NCCL's XML file.",
    description = {
      "",
      "Shows the links of a machine with their bandwidth in GB/s as NCCL counts it, and the paths"
          + " between its GPUs and network devices. NCCL writes such a file to NCCL_TOPO_DUMP_FILE.",
      ""
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:the topology was shown", "2:the command line or the file is wrong"})
public final class TopoCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--file",
      required = true,
      paramLabel = "XML",
      description = "The topology file of the machine.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String file;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /** Made by picocli. */
  public TopoCommand() {}

  @Override
  public Integer call() {
    TopologyDocument document = read();
    TopologyPaths paths = TopologyPaths.of(document.topology(), PathOptions.DEFAULT);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(TopologyJson.text(document.topology(), paths));
    } else {
      TopologyText.lines(document.topology(), paths).forEach(out::println);
    }
    out.flush();
    return ExitStatus.OK;
  }

  private TopologyDocument read() {
    try {
      return TopologyDocument.read(Path.of(file));
    } catch (InvalidPathException | TopologyException e) {
      throw new CommandFailure(ExitStatus.USAGE, "--file: " + e.getMessage());
    }
  }
}
