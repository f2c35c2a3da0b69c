// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.sim;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.perf.ByteSize;
import io.nitinol.core.sim.workload.CollectiveSpec;
import io.nitinol.core.sim.workload.SimAiText;
import io.nitinol.core.sim.workload.Workload;
import io.nitinol.core.sim.workload.WorkloadException;
import io.nitinol.core.sim.workload.WorkloadText;
import io.nitinol.spi.Collective;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.InputFile;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The options that say what is simulated. */
final class WorkloadOptions {
  private static final int MOST_WORKLOAD_BYTES = 8 << 20;

  @Parameters(
      arity = "0..*",
      split = ",",
      paramLabel = "OP:BYTES",
      description = {
        "Collectives, one after the other: all_reduce:1G, broadcast:4M:3 with root 3. Bytes are"
            + " those of the larger buffer of a rank."
      })
  private List<String> operations = List.of();

  @Option(
      names = "--workload",
      paramLabel = "FILE",
      description = "Collectives and compute with dependencies; docs/simulator.md has the format.")
  private @Nullable String workloadFile;

  @Option(
      names = "--simai",
      paramLabel = "FILE",
      description = "A workload of SimAI (AICB), of which one iteration is simulated.")
  private @Nullable String simAiFile;

  @Option(
      names = "--at-once",
      description = "All collectives of the command line begin at once, on a communicator each.")
  private boolean atOnce;

  /**
   * Returns the workload.
   *
   * @param ranks how many ranks there are
   * @throws CommandFailure where there is none, or a file is wrong
   */
  Workload workload(int ranks) {
    int given =
        (operations.isEmpty() ? 0 : 1)
            + (workloadFile == null ? 0 : 1)
            + (simAiFile == null ? 0 : 1);
    if (given != 1) {
      throw CommandFailure.usage(
          ErrorText.of(
              "%s; expected collectives such as all_reduce:1G, or --workload FILE, or --simai FILE",
              given == 0 ? "there is nothing to simulate" : "there is more than one workload"));
    }
    try {
      if (workloadFile != null) {
        return WorkloadText.parse(read("--workload", workloadFile), ranks);
      }
      if (simAiFile != null) {
        return SimAiText.parse(read("--simai", simAiFile), ranks);
      }
    } catch (WorkloadException e) {
      throw CommandFailure.usage(
          ErrorText.of(
              "%s: %s",
              workloadFile == null ? String.valueOf(simAiFile) : workloadFile, e.getMessage()));
    }
    List<Workload.Group> groups = new ArrayList<>();
    List<Workload.Node> nodes = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      if (i == 0 || atOnce) {
        Workload.Group all = WorkloadText.all(ranks);
        groups.add(i == 0 ? all : new Workload.Group(all.name() + i, all.gpus()));
      }
      CollectiveSpec what = operation(operations.get(i), ranks);
      String name = what.collective().label() + (operations.size() == 1 ? "" : "." + (i + 1));
      nodes.add(new Workload.Node(name, groups.size() - 1, what, 0, new int[0]));
    }
    return new Workload(groups, nodes);
  }

  private static CollectiveSpec operation(String text, int ranks) {
    String[] parts = text.split(":", -1);
    Collective collective = WorkloadText.collective(parts[0]);
    if (collective == null || parts.length < 2 || parts.length > 3) {
      throw CommandFailure.usage(
          ErrorText.of(
              "'%s': expected OP:BYTES or OP:BYTES:ROOT with one of %s",
              text, WorkloadText.collectives()));
    }
    try {
      int root = collective == Collective.SEND_RECV ? 1 : 0;
      if (parts.length == 3) {
        root = Integer.parseInt(parts[2]);
        if (root < 0 || root >= ranks) {
          throw CommandFailure.usage(
              ErrorText.of("'%s': root %d; expected 0 to %d", text, root, ranks - 1));
        }
      }
      return new CollectiveSpec(collective, new ByteSize().convert(parts[1]), root);
    } catch (TypeConversionException | NumberFormatException e) {
      throw CommandFailure.usage(
          ErrorText.of("'%s': expected OP:BYTES or OP:BYTES:ROOT, such as broadcast:4M:3", text));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(ErrorText.of("'%s': %s", text, e.getMessage()));
    }
  }

  private static byte[] read(String option, String file) {
    try {
      return InputFile.read(Path.of(file), MOST_WORKLOAD_BYTES);
    } catch (IOException e) {
      throw CommandFailure.usage(
          ErrorText.of("%s: %s cannot be read: %s", option, file, ErrorText.reason(e)));
    } catch (InvalidPathException e) {
      throw CommandFailure.usage(ErrorText.of("%s: %s", option, e.getMessage()));
    }
  }
}
