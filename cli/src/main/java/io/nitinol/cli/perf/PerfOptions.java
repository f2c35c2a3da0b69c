// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The options of {@code nitinol perf} and what is allowed for them. */
final class PerfOptions {
  private static final int MAX_ROWS = 100_000;

  @Parameters(
      paramLabel = "OP",
      converter = Choices.Collectives.class,
      description = "What to measure: all_reduce.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Collective collective;

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "RANKS",
      description = "How many ranks to start.")
  private @Nullable Integer ranks;

  @Option(names = "--threads", description = "Run the ranks as threads of one process.")
  private boolean threads;

  @Option(
      names = {"-b", "--minbytes"},
      paramLabel = "BYTES",
      defaultValue = "8",
      converter = ByteSize.class,
      description = "Smallest size, also with K, M or G. Default: ${DEFAULT-VALUE}.")
  private long minBytes;

  @Option(
      names = {"-e", "--maxbytes"},
      paramLabel = "BYTES",
      defaultValue = "64M",
      converter = ByteSize.class,
      description = "Largest size. Default: ${DEFAULT-VALUE}.")
  private long maxBytes;

  @Option(
      names = {"-f", "--stepfactor"},
      paramLabel = "FACTOR",
      description = "Each size is this many times the one before. Default: 2.")
  private @Nullable Integer factor;

  @Option(
      names = {"-i", "--stepbytes"},
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "Each size is this many bytes more than the one before.")
  private @Nullable Long stepBytes;

  @Option(
      names = {"-t", "--datatype"},
      paramLabel = "TYPE",
      defaultValue = "float",
      converter = Choices.Types.class,
      description =
          "int8, uint8, int32, uint32, int64, uint64, half, float, double, bfloat16, f8e4m3,"
              + " f8e5m2 or all. Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<DataType> types;

  @Option(
      names = {"-o", "--op"},
      paramLabel = "REDUCTION",
      defaultValue = "sum",
      converter = Choices.Ops.class,
      description = "sum, prod, max, min, avg or all. Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<ReductionOp> ops;

  @Option(
      names = {"-w", "--warmup"},
      paramLabel = "N",
      defaultValue = "5",
      description =
          "Operations before each measurement that are not timed. Default: ${DEFAULT-VALUE}.")
  private int warmup;

  @Option(
      names = "--iters",
      paramLabel = "N",
      defaultValue = "20",
      description = "Operations that are timed, back to back. Default: ${DEFAULT-VALUE}.")
  private int iterations;

  @Option(
      names = {"-c", "--check"},
      paramLabel = "N",
      defaultValue = "1",
      description =
          "How often to check each result on all ranks, with new data each time; 0 for never."
              + " Default: ${DEFAULT-VALUE}.")
  private int checks;

  @Option(
      names = {"-z", "--blocking"},
      description = "Wait for each operation, on all ranks, before the next one.")
  private boolean blocking;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the figures, the versions and the environment to this file as well.")
  private @Nullable Path json;

  @Nullable Integer ranks() {
    return ranks;
  }

  boolean threads() {
    return threads;
  }

  @Nullable Path json() {
    return json;
  }

  /**
   * Returns what the options ask for.
   *
   * @throws ParameterException when they contradict each other
   */
  PerfPlan plan(CommandLine command) {
    require(command, minBytes <= maxBytes, "-b must not be larger than -e");
    require(command, factor == null || stepBytes == null, "-f and -i exclude each other");
    require(command, factor == null || factor >= 2, "-f must be 2 or more");
    require(command, stepBytes == null || stepBytes >= 1, "-i must be 1 or more");
    require(command, warmup >= 0, "-w must be 0 or more");
    require(command, iterations >= 1, "--iters must be 1 or more");
    require(command, checks >= 0, "--check must be 0 or more");
    if (json != null) {
      Path directory = json.toAbsolutePath().getParent();
      require(
          command,
          directory != null && Files.isDirectory(directory) && !Files.isDirectory(json),
          "--json " + json + ": not a file in a directory that exists");
    }
    SizeRange range =
        stepBytes != null
            ? new SizeRange(minBytes, maxBytes, 1, stepBytes)
            : new SizeRange(minBytes, maxBytes, factor == null ? 2 : factor, 0);
    require(
        command,
        stepBytes == null || (maxBytes - minBytes) / stepBytes < MAX_ROWS,
        "-i makes more than " + MAX_ROWS + " sizes");
    return new PerfPlan(
        collective, range, types, ops, warmup, iterations, checks, blocking, threads);
  }

  /**
   * Makes sure that the ranks of this host have room for their buffers, before any is started.
   *
   * @param memory bytes that the host can give, or -1 where that is not known
   */
  void requireMemory(CommandLine command, int count, long memory) {
    double needed = 2.0 * maxBytes * count;
    require(
        command,
        memory < 0 || needed <= memory,
        "-e "
            + maxBytes
            + " needs two buffers of that size for each of "
            + count
            + " ranks, and only "
            + memory
            + " bytes of memory are free");
  }

  private static void require(CommandLine command, boolean condition, String message) {
    if (!condition) {
      throw new ParameterException(command, message);
    }
  }
}
