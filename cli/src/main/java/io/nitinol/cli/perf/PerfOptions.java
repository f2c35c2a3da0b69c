// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfCollective;
import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.spi.DataType;
import io.nitinol.toolkit.ErrorText;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The options of {@code nitinol perf} and what is allowed for them. */
final class PerfOptions {
  private static final int MAX_ROWS = 100_000;
  private static final int MAX_UNALIGN = 512;
  private static final long MOST_BYTES = 1L << 50; // of a thousand ranks, still a number

  /** Options that mean nothing where there is no data. */
  private static final List<String> OF_DATA =
      List.of("-b", "-e", "-f", "-i", "-t", "-u", "--min-bandwidth");

  private static final long DEFAULT_MIN = 8;
  private static final long DEFAULT_MAX = 64 << 20;
  private static final long DEFAULT_MAX_OF_WINDOW = 1 << 20;

  @Parameters(
      paramLabel = "OP",
      converter = Choices.Programs.class,
      completionCandidates = Choices.ProgramNames.class,
      description =
          "What to measure: all_reduce, all_gather, reduce_scatter, broadcast, reduce, alltoall,"
              + " alltoallv, gather, scatter, sendrecv, allgatherv, gatherv, scatterv or barrier.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private PerfCollective collective;

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "RANKS",
      description = "How many ranks to start. Default: as many as -g says, if it does.")
  private @Nullable Integer ranks;

  @Option(names = "--threads", description = "Run the ranks as threads of one process.")
  private boolean threads;

  @Option(
      names = {"-b", "--minbytes"},
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "Smallest size, also with K, M or G. Default: 8.")
  private @Nullable Long minBytes;

  @Option(
      names = {"-e", "--maxbytes"},
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "Largest size. Default: 64M, or 1M with --rate.")
  private @Nullable Long maxBytes;

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
      names = {"-t", "-d", "--datatype"},
      paramLabel = "TYPE",
      defaultValue = "float",
      converter = Choices.Types.class,
      completionCandidates = Choices.TypeNames.class,
      description =
          "int8, uint8, int32, uint32, int64, uint64, half, float, double, bfloat16, f8e4m3,"
              + " f8e5m2 or all. Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<DataType> types;

  @Option(
      names = {"-o", "--op"},
      paramLabel = "REDUCTION",
      converter = Choices.Ops.class,
      completionCandidates = Choices.OpNames.class,
      description =
          "sum, prod, max, min, avg, mulsum or all, if the collective reduces. Default: sum.")
  private @Nullable List<PerfOperator> ops;

  @Option(
      names = {"-r", "--root"},
      paramLabel = "RANK",
      converter = Choices.Roots.class,
      description = "The root, or all, if the collective has one. Default: 0.")
  private @Nullable Integer root;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private HostPairOptions hosts;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private ModeOptions modes;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private TimingOptions timing;

  @Option(
      names = {"-c", "--check"},
      paramLabel = "N",
      defaultValue = "1",
      description =
          "How often to check each result on all ranks, with new data each time; 0 for never."
              + " Default: ${DEFAULT-VALUE}.")
  private int checks;

  @Option(
      names = {"-u", "--unalign"},
      paramLabel = "N",
      defaultValue = "0",
      description = "Misalign the buffers by so many elements. Default: ${DEFAULT-VALUE}.")
  private int unalign;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private TrafficOptions traffic;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private PerfDeviceOptions device;

  @Mixin
  @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // set by picocli, which only looks at it
  private ForeignOptions foreign;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private PerfFiles files;

  @Nullable Integer ranks() {
    return ranks;
  }

  /** Returns how many ranks to start, where {@code -n} or {@code -g} says so. */
  int ranksToStart() {
    return Objects.requireNonNull(ranks == null ? device.ranks() : ranks);
  }

  PerfCollective collective() {
    return collective;
  }

  HostPairOptions hosts() {
    return hosts;
  }

  /**
   * Returns the options that say what to measure, for the other of two hosts, with those that a
   * variable of this host stands for.
   *
   * @throws ParameterException where sizes come from a file, which the other host does not have
   */
  List<String> carried(CommandLine command) {
    require(
        command,
        !traffic.hasMatrix(collective),
        "NCCL_TESTS_ALLTOALLV_MATRIX_FILE names a file, which the other host may not have: it does"
            + " not go with --server and --connect");
    List<String> carried = HostPairOptions.carried(command.getParseResult());
    carried.addAll(timing.ofVariables(command));
    carried.addAll(traffic.ofVariables(command, collective));
    return carried;
  }

  PerfDeviceOptions device() {
    return device;
  }

  boolean threads() {
    return threads;
  }

  PerfFiles files() {
    return files;
  }

  /**
   * Returns what the options ask for.
   *
   * @param count how many ranks
   * @throws ParameterException when they contradict each other
   */
  PerfPlan plan(CommandLine command, int count) {
    require(command, checks >= 0, "--check must be 0 or more");
    require(command, unalign >= 0 && unalign < MAX_UNALIGN, "-u must be from 0 to 511");
    PerfPlan.Timing howOften = timing.timing(command);
    PerfMode mode = modes.mode(command, collective, count);
    if (mode instanceof PerfMode.Rate rate) {
      howOften = howOften.withAggregate(rate.window());
    } else if (mode instanceof PerfMode.Pairs pairs) {
      howOften = howOften.withAggregate(pairs.window());
    }
    if (modes.hasOneSize()) {
      requireOne(command, types.size() == 1, "-t", "type");
      requireOne(command, ops == null || ops.size() == 1, "-o", "operator");
      requireOne(command, root == null || root != PerfPlan.ALL_ROOTS, "-r", "root");
    }
    require(
        command,
        !files.hasHistogram() || howOften.percentiles() || mode instanceof PerfMode.Intervals,
        "--histogram goes with --percentiles and --interval: otherwise no operation is timed by"
            + " itself");
    files.require(command, howOften.cycles());
    return new PerfPlan(
        ModeOptions.refine(mode, traffic.refine(command, collective, count)),
        range(command),
        types,
        operators(command),
        root(command, count),
        howOften,
        checks,
        unalign,
        timing.reporting(command, collective.hasSizes()),
        threads,
        device.plan(command, count, threads, howOften.blocking()),
        mode);
  }

  private void requireOne(CommandLine command, boolean isOne, String option, String what) {
    require(
        command,
        isOne,
        ErrorText.of(
            "%s all: %s measures one size, and so expects one %s",
            option, modes.oneSizeOption(), what));
  }

  /** Returns the largest size with the option that gives it, for a message. */
  private String largestAsGiven(long size) {
    if (maxBytes != null) {
      return "-e " + size;
    }
    if (modes.hasOneSize()) {
      return minBytes != null ? "-b " + size : "the size of " + size + " (-b says another one)";
    }
    return traffic.hasMatrix(collective)
        ? "--matrix"
        : "the largest size of " + size + " (-e says another one)";
  }

  private SizeRange range(CommandLine command) {
    if (!collective.hasSizes()) {
      require(
          command,
          !device.isGiven(),
          collective.label() + " has no form for memory of devices: --device does not go with it");
      for (String option : OF_DATA) {
        require(
            command,
            !command.getParseResult().hasMatchedOption(option),
            ErrorText.of("%s moves no data: %s does not go with it", collective.label(), option));
      }
      return new SizeRange(0, 0, 2, 0);
    }
    if (traffic.hasMatrix(collective)) {
      require(
          command,
          Objects.equals(minBytes, maxBytes) && factor == null && stepBytes == null,
          "--matrix says how much to send: -b, -e, -f and -i do not go with it");
      return new SizeRange(0, 0, 2, 0);
    }
    if (modes.hasOneSize()) {
      long size = modes.size(command, minBytes, maxBytes);
      require(
          command,
          size <= MOST_BYTES,
          largestAsGiven(size) + " is too large: at most " + MOST_BYTES + " bytes can be measured");
      return new SizeRange(size, size, 2, 0);
    }
    long min = minBytes == null ? Math.min(DEFAULT_MIN, largest()) : minBytes;
    require(
        command,
        largest() <= MOST_BYTES,
        "-e " + largest() + " is too large: at most " + MOST_BYTES + " bytes can be measured");
    require(
        command,
        min <= largest(),
        maxBytes != null
            ? "-b must not be larger than -e"
            : ErrorText.of(
                "-b %d is larger than the largest size of %d: -e says another one",
                min, largest()));
    require(command, factor == null || stepBytes == null, "-f and -i exclude each other");
    require(command, factor == null || factor >= 2, "-f must be 2 or more");
    require(command, stepBytes == null || stepBytes >= 1, "-i must be 1 or more");
    require(
        command,
        min > 0 || largest() == 0 || stepBytes != null,
        "-b 0 goes with -i or with -e 0: 0 bytes times a factor (-f) would stay 0");
    require(
        command,
        stepBytes == null || (largest() - min) / stepBytes < MAX_ROWS,
        "-i makes more than " + MAX_ROWS + " sizes");
    return stepBytes != null
        ? new SizeRange(min, largest(), 1, stepBytes)
        : new SizeRange(min, largest(), factor == null ? 2 : factor, 0);
  }

  private long largest() {
    if (maxBytes != null) {
      return maxBytes;
    }
    return modes.hasWindow() ? DEFAULT_MAX_OF_WINDOW : DEFAULT_MAX;
  }

  private List<PerfOperator> operators(CommandLine command) {
    require(
        command,
        ops == null || collective.reduces(),
        ErrorText.of(
            "-o goes with all_reduce, reduce_scatter and reduce: %s reduces nothing",
            collective.label()));
    if (!collective.reduces()) {
      return List.of(PerfOperator.NONE);
    }
    return ops == null ? List.of(PerfOperator.SUM) : ops;
  }

  private int root(CommandLine command, int count) {
    require(
        command,
        root == null || collective.hasRoot(),
        ErrorText.of(
            "-r goes with broadcast, reduce, gather, scatter, gatherv and scatterv: %s has no root",
            collective.label()));
    require(
        command,
        root == null || root < count,
        "-r " + root + ": with " + count + " ranks the last one is " + (count - 1));
    if (!collective.hasRoot()) {
      return PerfJob.NO_ROOT;
    }
    return root == null ? 0 : root;
  }

  /**
   * Makes sure that the ranks of this host have room for their buffers, before any is started.
   *
   * @param memory bytes that the host can give, or -1 where that is not known
   */
  void requireMemory(CommandLine command, PerfPlan plan, int count, long memory) {
    double each = Buffers.bytes(plan, count);
    require(
        command,
        memory < 0 || each * count <= memory,
        String.format(
            Locale.ROOT,
            "%s needs %.0f bytes of buffers for each of %d ranks, and only %d bytes of memory"
                + " are free",
            largestAsGiven(plan.range().max()),
            each,
            count,
            memory));
  }

  static void require(CommandLine command, boolean condition, String message) {
    if (!condition) {
      throw new ParameterException(command, message);
    }
  }
}
