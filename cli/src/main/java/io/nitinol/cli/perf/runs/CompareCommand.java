// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code nitinol compare}: runs of {@code perf} and of nccl-tests side by side. */
@Command(
    name = "compare",
    header = "Lay runs of perf and of nccl-tests over one another.",
    description = {
      "",
      "Reads files that nitinol perf --json and nccl-tests' -J wrote, and tables that nccl-tests'"
          + " programs or nitinol perf printed, of any release. Prints the time and the bus"
          + " bandwidth of each run for each size, and each run's speed against the first one.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:all files could be read", "2:one could not, or the command line is wrong"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  nitinol compare before.json after.json",
      "  nitinol compare ours.json nccl.txt --report page.html"
    })
public final class CompareCommand implements Callable<Integer> {
  /** As many as have a letter that can be told apart in a table that can be read. */
  private static final int MOST_RUNS = 16;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "The runs, of one collective. The first one is what the others compare with.")
  private List<Path> files = List.of();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write a page with charts, machines, variables and commands as well.")
  private @Nullable Path page;

  /** Made by picocli. */
  public CompareCommand() {}

  @Override
  public Integer call() {
    CommandLine command = spec.commandLine();
    if (files.size() > MOST_RUNS) {
      throw new ParameterException(
          command, ErrorText.of("%d files; expected at most %d", files.size(), MOST_RUNS));
    }
    Path file = page;
    if (file != null) {
      for (Path run : files) {
        if (PageFile.isSame(file, run)) {
          throw new ParameterException(
              command,
              ErrorText.of("--report %s: it is one of the runs; expected another file", file));
        }
      }
      try {
        PageFile.require(file);
      } catch (IOException e) {
        throw new ParameterException(command, unwritable(file, e), e);
      }
    }
    List<PerfRun> runs = RunFiles.read(files);
    PrintWriter out = command.getOut();
    ComparisonTable.lines(runs).forEach(out::println);
    out.flush();
    if (file != null) {
      try {
        OutputFile.write(file, RunPage.text(runs));
      } catch (IOException e) {
        throw CommandFailure.usage(unwritable(file, e));
      }
    }
    return ExitStatus.OK;
  }

  private static String unwritable(Path file, IOException e) {
    return ErrorText.of("--report %s: cannot be written: %s", file, e.getMessage());
  }
}
