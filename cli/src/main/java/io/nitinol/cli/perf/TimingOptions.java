// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of {@code nitinol perf} that say how to measure, and how to reckon. */
final class TimingOptions {
  private static final Boolean[] OFF_ON = {false, true};
  private static final long COMPILE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** What nccl-tests takes; here the least where nothing is given. */
  private static final int USUAL_WARMUP = 5;

  /** Iterations whose times every rank gives to every other one. */
  private static final int MOST_KEPT = 10_000;

  private static final long STEADY_NANOS = TimeUnit.SECONDS.toNanos(1);

  @Option(
      names = {"-w", "--warmup", "--warmup_iters"},
      paramLabel = "N",
      description =
          "Operations before each measurement that are not timed; 0 for none. Default: as many as it"
              + " takes until they get no faster, for a second at most; a line of comment tells"
              + " where they still did then.")
  private @Nullable Integer warmupGiven;

  @Option(
      names = "--warmup-time",
      paramLabel = "MILLISECONDS",
      defaultValue = "20",
      description =
          "For how long at least those of -w go on, unless there are none. Small sizes need it."
              + " Default: ${DEFAULT-VALUE}.")
  private int warmupMillis;

  @Option(
      names = "--iters",
      paramLabel = "N",
      defaultValue = "20",
      description = "Iterations that are timed, back to back. Default: ${DEFAULT-VALUE}.")
  private int iterations;

  @Option(
      names = {"-m", "--agg_iters"},
      paramLabel = "N",
      defaultValue = "1",
      description = "Operations of an iteration, in one group. Default: ${DEFAULT-VALUE}.")
  private int aggregate;

  @Option(
      names = {"-N", "--run_cycles"},
      paramLabel = "N",
      defaultValue = "1",
      description = "How often to go through all sizes; 0 for until Ctrl-C. Default: 1.")
  private int cycles;

  @Option(
      names = {"-z", "--blocking"},
      paramLabel = "MODE",
      arity = "0..1",
      defaultValue = "0",
      fallbackValue = "1",
      description =
          "After each iteration wait for it: 1 on all ranks, 2 on each rank, 3 on all ranks without"
              + " the time for which the others wait; 0 for not at all. Default: 0, or 1 where only"
              + " -z is given.")
  private int blocking;

  @Option(
      names = "--percentiles",
      description =
          "Time each iteration by itself, and show below each row how the times are spread. All"
              + " ranks begin an iteration together, as with -z 3, unless -z says otherwise. 1000"
              + " iterations are a good number: --iters 1000.")
  private boolean percentiles;

  @Option(
      names = {"-a", "--average"},
      paramLabel = "MODE",
      defaultValue = "1",
      description =
          "Whose time counts: 0 rank 0's, 1 the mean, 2 the least, 3 the most. Default: 1.")
  private int average;

  @Option(
      names = {"-C", "--report_cputime"},
      paramLabel = "0|1",
      arity = "0..1",
      defaultValue = "0",
      fallbackValue = "1",
      description = "Show the time of starting an operation, without waiting for it.")
  private int cpuTime;

  @Option(
      names = {"-S", "--report_timestamps"},
      paramLabel = "0|1",
      arity = "0..1",
      defaultValue = "0",
      fallbackValue = "1",
      description = "Show when each row was measured.")
  private int timestamps;

  @Option(
      names = "--min-bandwidth",
      paramLabel = "GBPS",
      defaultValue = "${env:NCCL_TESTS_MIN_BW:-0}",
      description =
          "Fail where the average bus bandwidth is less than nine tenths of it. Default:"
              + " NCCL_TESTS_MIN_BW, or any will do.")
  private double leastBandwidth;

  PerfPlan.Timing timing(CommandLine command) {
    Integer given = warmupGiven;
    int warmup = given == null ? USUAL_WARMUP : given;
    PerfOptions.require(command, warmup >= 0, "-w must be 0 or more");
    PerfOptions.require(command, warmupMillis >= 0, "--warmup-time must be 0 or more");
    PerfOptions.require(command, iterations >= 1, "--iters must be 1 or more");
    PerfOptions.require(command, aggregate >= 1, "-m must be 1 or more");
    PerfOptions.require(command, cycles >= 0, "-N must be 0 or more");
    PerfOptions.require(
        command, (long) iterations * aggregate < 1 << 30, "--iters times -m is too many");
    PerfPlan.Blocking waiting = choice(command, "-z", blocking, PerfPlan.Blocking.values());
    if (percentiles) {
      PerfOptions.require(
          command,
          iterations <= MOST_KEPT,
          "--percentiles keeps the time of each iteration, so --iters must be at most "
              + MOST_KEPT);
      if (waiting == PerfPlan.Blocking.NONE) {
        waiting = PerfPlan.Blocking.ALL_RANKS_UNTIMED;
      }
    }
    return new PerfPlan.Timing(
        warmup,
        TimeUnit.MILLISECONDS.toNanos(warmupMillis),
        COMPILE_NANOS,
        iterations,
        aggregate,
        cycles,
        waiting,
        given == null ? STEADY_NANOS : 0,
        percentiles);
  }

  PerfPlan.Reporting reporting(CommandLine command, boolean moves) {
    PerfOptions.require(command, leastBandwidth >= 0, "--min-bandwidth must be 0 or more");
    return new PerfPlan.Reporting(
        choice(command, "-a", average, PerfPlan.Average.values()),
        choice(command, "-C", cpuTime, OFF_ON),
        choice(command, "-S", timestamps, OFF_ON),
        moves ? leastBandwidth : 0);
  }

  /** Returns the options that a variable may stand for, on either host, where not given. */
  List<String> ofVariables(CommandLine command) {
    String name = "--min-bandwidth";
    return command.getParseResult().hasMatchedOption(name)
        ? List.of()
        : List.of(name + "=" + leastBandwidth);
  }

  private static <T> T choice(CommandLine command, String option, int number, T[] choices) {
    PerfOptions.require(
        command,
        number >= 0 && number < choices.length,
        option + " must be from 0 to " + (choices.length - 1));
    return choices[number];
  }
}
