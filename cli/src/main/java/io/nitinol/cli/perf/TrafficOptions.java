// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfCollective;
import io.nitinol.cli.perf.collective.PerfCollectives;
import io.nitinol.cli.perf.collective.TrafficMatrix;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.InputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that say which rank sends how much in {@code alltoallv}. */
final class TrafficOptions {
  private static final String LABEL = "alltoallv";

  /** Enough for a thousand ranks. */
  private static final int MOST_BYTES = 16 << 20;

  @Option(
      names = "--spread",
      paramLabel = "FRACTION",
      defaultValue = "${env:NCCL_TESTS_ALLTOALLV_SPREAD:-1}",
      description =
          "Of alltoallv: from 0, where each rank sends the same to all, to 1, where it sends more"
              + " the further on they are. Default: NCCL_TESTS_ALLTOALLV_SPREAD, or 1.")
  private double spread;

  @Option(
      names = "--matrix",
      paramLabel = "FILE",
      defaultValue = "${env:NCCL_TESTS_ALLTOALLV_MATRIX_FILE}",
      description =
          "Of alltoallv: a line for each sender, with the bytes for each receiver; instead of sizes."
              + " Default: NCCL_TESTS_ALLTOALLV_MATRIX_FILE.")
  private @Nullable Path matrix;

  @Option(
      names = "--matrix-scale",
      paramLabel = "FACTOR",
      defaultValue = "${env:NCCL_TESTS_ALLTOALLV_MATRIX_SCALE:-1}",
      description =
          "What to multiply the matrix by. Default: NCCL_TESTS_ALLTOALLV_MATRIX_SCALE, or 1.")
  private double scale;

  /** Returns whether sizes come from a file. */
  boolean hasMatrix(PerfCollective collective) {
    return matrix != null && collective.label().equals(LABEL);
  }

  /** Returns the options that a variable stands for, where they were not given. */
  List<String> ofVariables(CommandLine command, PerfCollective collective) {
    String name = "--spread";
    return !collective.label().equals(LABEL) || command.getParseResult().hasMatchedOption(name)
        ? List.of()
        : List.of(name + "=" + spread);
  }

  /** Reads a file; the processes of a job read it again, as they cannot read a pipe. */
  private static List<String> lines(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IllegalArgumentException("it is not a regular file, and several processes read it");
    }
    byte[] read = InputFile.read(file, MOST_BYTES);
    return new String(read, StandardCharsets.UTF_8).lines().toList();
  }

  /** Returns the collective with the traffic that was asked for. */
  PerfCollective refine(CommandLine command, PerfCollective collective, int ranks) {
    if (!collective.label().equals(LABEL)) {
      boolean given =
          command.getParseResult().hasMatchedOption("--spread")
              || command.getParseResult().hasMatchedOption("--matrix")
              || command.getParseResult().hasMatchedOption("--matrix-scale");
      PerfOptions.require(
          command, !given, "--spread, --matrix and --matrix-scale go with " + LABEL);
      return collective;
    }
    Path file = matrix;
    if (file == null) {
      PerfOptions.require(
          command,
          !command.getParseResult().hasMatchedOption("--matrix-scale"),
          "--matrix-scale goes with --matrix");
      PerfOptions.require(
          command, spread >= 0 && spread <= 1, "--spread must be a number from 0 to 1");
      return PerfCollectives.allToAllV(spread);
    }
    PerfOptions.require(
        command,
        scale >= 0 && scale < Double.POSITIVE_INFINITY,
        "--matrix-scale must be 0 or more");
    try {
      TrafficMatrix read = TrafficMatrix.read(lines(file), scale);
      PerfOptions.require(
          command,
          read.ranks() >= ranks,
          "--matrix " + file + ": " + read.ranks() + " rows, fewer than " + ranks + " ranks");
      return PerfCollectives.allToAllV(read);
    } catch (NoSuchFileException e) {
      throw new ParameterException(command, "--matrix " + file + ": there is no such file", e);
    } catch (IOException e) {
      throw new ParameterException(
          command, "--matrix " + file + ": cannot read it: " + ErrorText.reason(e), e);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, "--matrix " + file + ": " + e.getMessage(), e);
    }
  }
}
