// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One rank: its process, what it prints, and why it ended. */
final class LaunchedRank {
  // After its end a rank's pipes hold at most what the kernel had buffered.
  private static final long DRAIN_MILLIS = 2000;

  /**
   * Of the JVM itself, which cannot be told not to; nothing that a user could do anything about.
   */
  private static final String INCUBATOR_WARNING =
      "WARNING: Using incubator modules: jdk.incubator.vector";

  private final int rank;
  private final Process process;
  private final List<LinePump> pumps = new ArrayList<>();
  private volatile @Nullable FailureRecord failure;

  private LaunchedRank(int rank, Process process) {
    this.rank = rank;
    this.process = process;
  }

  /**
   * Starts a rank.
   *
   * @param ownsOutput whether it writes to the launcher's own stdout
   * @param out else gets what it prints to stdout, with the rank in front of each line
   * @param err gets what the rank prints to stderr, with the rank in front of each line
   */
  static LaunchedRank start(
      int rank, boolean ownsOutput, ProcessBuilder builder, PrintStream out, PrintStream err)
      throws IOException {
    if (ownsOutput) {
      builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
    }
    LaunchedRank started = new LaunchedRank(rank, builder.start());
    String prefix = "[" + rank + "] ";
    if (!ownsOutput) {
      started.pumps.add(
          new LinePump(
              "rank-" + rank + "-out",
              started.process.getInputStream(),
              line -> out.println(prefix + line)));
    }
    started.pumps.add(
        new LinePump(
            "rank-" + rank + "-err",
            started.process.getErrorStream(),
            line -> started.onError(line, prefix, err)));
    return started;
  }

  private void onError(String line, String prefix, PrintStream err) {
    if (line.equals(INCUBATOR_WARNING)) {
      return;
    }
    FailureRecord record = FailureRecord.decode(line);
    if (record == null) {
      err.println(prefix + line);
    } else {
      failure = record;
    }
  }

  int rank() {
    return rank;
  }

  Process process() {
    return process;
  }

  CompletableFuture<Process> onExit() {
    return process.onExit();
  }

  /** Returns the exit status; only once the process has ended. */
  int status() {
    return process.exitValue();
  }

  /** Returns which rank it is and how it ended; only once the process has ended. */
  String describe() {
    return "rank " + rank + " (pid " + process.pid() + ") " + ExitReason.describe(status());
  }

  /** Returns what the rank said of its own failure, or null; only after {@link #drain}. */
  @Nullable FailureRecord failure() {
    return failure;
  }

  /** Waits, for a short time at most, until all that the rank has printed has been seen. */
  void drain() {
    pumps.forEach(pump -> pump.await(DRAIN_MILLIS));
  }

  /** Asks the rank, and what it has started, to end. */
  void terminate() {
    tree().forEach(ProcessHandle::destroy);
  }

  /** Ends the rank, and what it has started, without asking. */
  void kill() {
    tree().forEach(ProcessHandle::destroyForcibly);
  }

  private Stream<ProcessHandle> tree() {
    // A list, since a process that has lost its parent is no descendant any more.
    List<ProcessHandle> tree = new ArrayList<>(process.descendants().toList());
    tree.add(process.toHandle());
    return tree.stream();
  }
}
