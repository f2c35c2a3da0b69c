// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfCollective;
import io.nitinol.cli.perf.collective.PerfCollectives;
import io.nitinol.toolkit.ErrorText;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of {@code nitinol perf} that ask for something else than a row for each size. */
final class ModeOptions {
  private static final String SEND_RECV = "sendrecv";
  private static final String RATE = "--rate";
  private static final int USUAL_WINDOW = 64;
  private static final int MOST_MESSAGES = 10_000;

  private static final String PAIRS = "--pairs";
  private static final long USUAL_SIZE = 64 << 10;

  private static final String BOTH = "--bidirectional";

  /** What says how the rows of a table are measured, of which there is none. */
  private static final List<String> OF_ROWS =
      List.of("-f", "-i", "-m", "-z", "-C", "-S", "-N", "--percentiles", RATE, BOTH);

  /** What has no meaning for a figure or two of each pair. */
  private static final List<String> NOT_WITH_PAIRS =
      with(OF_ROWS, "-a", "--device", "--csv", "--report", "--histogram");

  private static final String INTERVAL = "--interval";
  private static final double LEAST_INTERVAL = 0.1;
  private static final double USUAL_SECONDS = 10;
  private static final double MOST_SECONDS = 10_000_000; // 115 days

  /** What time decides, or would make more than one row. */
  private static final List<String> NOT_WITH_INTERVALS = with(OF_ROWS, "-G", "--iters", PAIRS);

  /** What a window decides by itself, or has no meaning for messages between two ranks. */
  private static final List<String> NOT_WITH_WINDOWS =
      List.of("-m", "-z", "-C", "--percentiles", "--device");

  @Option(
      names = RATE,
      description =
          "Of sendrecv: show how many messages a second the ranks send. Rank r of the first half"
              + " sends to rank r + n/2, which receives. A window of messages is under way at a"
              + " time; size and time are those of one message.")
  private boolean rate;

  @Option(
      names = "--window",
      paramLabel = "MESSAGES",
      description =
          "With --rate and --pairs: how many messages are sent before a wait. Each has a buffer of"
              + " its own. Default: 64.")
  private @Nullable Integer window;

  @Option(
      names = BOTH,
      description =
          "With --rate: both ranks of a pair send, and receive at the same time. Without --rate"
              + " sendrecv always does so.")
  private boolean both;

  @Option(
      names = PAIRS,
      description =
          "Of sendrecv: show latency and bandwidth of each ordered pair of ranks as matrices, for"
              + " one size (-b, default 64K) and one pair at a time, and name the slowest.")
  private boolean pairs;

  @Option(
      names = INTERVAL,
      paramLabel = "SECONDS",
      description =
          "Measure one size (-b, default 64K) for --seconds, and print a line each interval:"
              + " operations, bandwidth, median and 99th percentile. Each operation is waited for.")
  private @Nullable Double interval;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      description = "With --interval: for how long to measure. Default: 10.")
  private @Nullable Double seconds;

  /** Returns whether there is one size. */
  boolean hasOneSize() {
    return pairs || interval != null;
  }

  /** Returns the option that makes it one size, for messages. */
  String oneSizeOption() {
    return pairs ? PAIRS : INTERVAL;
  }

  /**
   * Returns the one size.
   *
   * @param min what {@code -b} says, or null
   * @param max what {@code -e} says, or null
   */
  long size(CommandLine command, @Nullable Long min, @Nullable Long max) {
    PerfOptions.require(
        command,
        min == null || max == null || min.equals(max),
        ErrorText.of(
            "-b %s and -e %s: %s measures one size; give one of the two",
            min, max, oneSizeOption()));
    if (min != null) {
      return min;
    }
    return max != null ? max : USUAL_SIZE;
  }

  /** Returns whether a window of buffers is needed, for which 64M is a large default. */
  boolean hasWindow() {
    return rate;
  }

  /** Returns what was asked for. */
  PerfMode mode(CommandLine command, PerfCollective collective, int count) {
    PerfOptions.require(
        command,
        rate || pairs || window == null,
        "--window goes with --rate and --pairs: it is how many messages are under way");
    PerfOptions.require(
        command,
        rate || !both,
        "--bidirectional goes with --rate: each rank of sendrecv sends and receives at a time"
            + " anyway");
    PerfOptions.require(
        command,
        interval != null || seconds == null,
        "--seconds goes with --interval: otherwise --iters says how much to measure");
    if (interval != null) {
      requireNone(command, INTERVAL, NOT_WITH_INTERVALS);
      return intervals(command, interval);
    }
    if (pairs) {
      requireSendRecv(command, collective, PAIRS);
      requireNone(command, PAIRS, NOT_WITH_PAIRS);
      PerfOptions.require(command, count >= 2, "--pairs with 1 rank: expected 2 or more");
      return new PerfMode.Pairs(windowLength(command));
    }
    if (!rate) {
      return new PerfMode.Table();
    }
    requireSendRecv(command, collective, RATE);
    requireNone(command, RATE, NOT_WITH_WINDOWS);
    PerfOptions.require(
        command,
        count % 2 == 0,
        ErrorText.of(
            "--rate with %d ranks: expected an even number, since each rank of the first half sends"
                + " to one of the second",
            count));
    return new PerfMode.Rate(both, windowLength(command));
  }

  private PerfMode intervals(CommandLine command, double each) {
    Double given = seconds;
    PerfOptions.require(
        command,
        given == null || (given > 0 && given <= MOST_SECONDS),
        ErrorText.of("--seconds %s: expected more than 0 and at most %.0f", given, MOST_SECONDS));
    PerfOptions.require(
        command,
        each >= LEAST_INTERVAL && each <= MOST_SECONDS,
        ErrorText.of(
            "--interval %s: expected a number from %s to %.0f",
            each, LEAST_INTERVAL, MOST_SECONDS));
    double all = given == null ? Math.max(each, USUAL_SECONDS) : given;
    PerfOptions.require(
        command,
        each <= all,
        ErrorText.of(
            "--interval %s: expected a number from %s to the %s of --seconds",
            each, LEAST_INTERVAL, all));
    return new PerfMode.Intervals((long) (each * 1e9), (long) (all * 1e9));
  }

  private int windowLength(CommandLine command) {
    Integer given = window;
    int length = given == null ? USUAL_WINDOW : given;
    PerfOptions.require(
        command,
        length >= 1 && length <= MOST_MESSAGES,
        ErrorText.of("--window %d: expected a number from 1 to %d", length, MOST_MESSAGES));
    return length;
  }

  /** Returns the operation that the mode measures in place of what was named. */
  static PerfCollective refine(PerfMode mode, PerfCollective collective) {
    return switch (mode) {
      case PerfMode.Table _, PerfMode.Intervals _ -> collective;
      case PerfMode.Pairs _ -> PerfCollectives.halves(false); // its buffers
      case PerfMode.Rate asked -> PerfCollectives.halves(asked.both());
    };
  }

  private static List<String> with(List<String> shared, String... others) {
    return Stream.concat(shared.stream(), Stream.of(others)).toList();
  }

  private static void requireSendRecv(
      CommandLine command, PerfCollective collective, String option) {
    PerfOptions.require(
        command,
        collective.label().equals(SEND_RECV),
        ErrorText.of(
            "%s goes with sendrecv: %s is no message from one rank to another",
            option, collective.label()));
  }

  private static void requireNone(CommandLine command, String option, List<String> others) {
    for (String other : others) {
      PerfOptions.require(
          command,
          !command.getParseResult().hasMatchedOption(other),
          ErrorText.of("%s does not go with %s", other, option));
    }
  }
}
