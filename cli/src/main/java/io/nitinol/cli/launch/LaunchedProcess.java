// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.cli.command.ExitStatus;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process that was started: what it prints, what it reports of itself (see {@link ParentReport})
 * and how it ended.
 */
final class LaunchedProcess {
  // After its end a process's pipes hold at most what the kernel had buffered.
  private static final long DRAIN_MILLIS = 2000;

  /** How long a report may take to be read that was written before the end; a busy machine's. */
  private static final long REPORT_MILLIS = 10_000;

  private static final int NO_REPORT = -1;

  /**
   * Of the JVM itself, which cannot be told not to; nothing that a user could do anything about.
   */
  private static final String INCUBATOR_WARNING =
      "WARNING: Using incubator modules: jdk.incubator.vector";

  /** Of a JVM that is told to end before it has come up; it speaks of its own log. */
  private static final Pattern EARLY_END =
      Pattern.compile("Runtime\\.exit\\(\\d+\\) logging failed: .*");

  private final int rank;
  private final String name;
  private final boolean reports;
  private final Process process;
  private final List<LinePump> pumps = new ArrayList<>();
  private volatile @Nullable FailureRecord failure;
  private volatile int reported = NO_REPORT;
  private volatile String plugin = "";
  private volatile @Nullable String exitCaller;
  private volatile boolean signalled;
  private volatile boolean met;

  private LaunchedProcess(int rank, String name, boolean reports, Process process) {
    this.rank = rank;
    this.name = name;
    this.reports = reports;
    this.process = process;
  }

  /**
   * Starts a rank.
   *
   * @param noun what messages call it: a rank, or a process of several
   * @param reports whether it reports its exit status, without which it has failed
   * @param ownsOutput whether it writes to the launcher's own stdout
   * @param out else gets what it prints to stdout, with the rank in front of each line
   * @param err gets what the rank prints to stderr, with the rank in front of each line
   */
  static LaunchedProcess startRank(
      String noun,
      int rank,
      boolean reports,
      boolean ownsOutput,
      ProcessBuilder builder,
      PrintStream out,
      PrintStream err)
      throws IOException {
    if (ownsOutput) {
      builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
    }
    LaunchedProcess started = new LaunchedProcess(rank, noun + " " + rank, reports, begin(builder));
    String prefix = "[" + rank + "] ";
    if (!ownsOutput) {
      started.pumps.add(
          new LinePump(
              "rank-" + rank + "-out",
              started.process.getInputStream(),
              line -> out.println(prefix + line)));
    }
    started.readErrors("rank-" + rank + "-err", prefix, err);
    return started;
  }

  /**
   * Starts a process in which no library takes SIGSEGV from the JVM: PSM and PSM2, which libfabric
   * may be linked with, do so as soon as they are loaded, unless these variables are set.
   */
  private static Process begin(ProcessBuilder builder) throws IOException {
    Map<String, String> environment = builder.environment();
    environment.putIfAbsent("IPATH_NO_BACKTRACE", "1");
    environment.putIfAbsent("HFI_NO_BACKTRACE", "1");
    return builder.start();
  }

  /**
   * Starts a process that writes to this one's stdout and reports its exit status.
   *
   * @param err gets what it prints to stderr
   */
  static LaunchedProcess start(ProcessBuilder builder, PrintStream err) throws IOException {
    builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
    LaunchedProcess started = new LaunchedProcess(0, "the process", true, begin(builder));
    started.readErrors("contained-err", "", err);
    return started;
  }

  private void readErrors(String thread, String prefix, PrintStream err) {
    pumps.add(new LinePump(thread, process.getErrorStream(), line -> onError(line, prefix, err)));
  }

  private void onError(String line, String prefix, PrintStream err) {
    if (line.equals(INCUBATOR_WARNING) || EARLY_END.matcher(line).matches()) {
      return;
    }
    int start = ReportLine.start(line); // behind what was printed without a line end
    ReportLine report = start < 0 ? null : ReportLine.decode(line.substring(start));
    if (report == null || !take(report)) {
      err.println(prefix + line);
    } else if (start > 0) {
      err.println(prefix + line.substring(0, start));
    }
  }

  /** Takes a report; returns false for one that makes no sense, which is printed as it is. */
  private boolean take(ReportLine report) {
    switch (report.kind()) {
      case STATUS -> {
        if (!report.text().matches("[0-9]{1,3}")) {
          return false;
        }
        reported = Integer.parseInt(report.text());
      }
      case FAILURE -> {
        FailureRecord record = FailureRecord.of(report);
        if (record == null) {
          return false;
        }
        failure = record;
      }
      case PLUGIN -> plugin = report.text();
      case EXIT -> exitCaller = report.text();
      case SIGNAL -> signalled = true;
      case MET -> met = true;
    }
    return true;
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

  /** Waits until the process's reports have been read; only once it has ended. */
  void awaitReport() {
    if (reports) {
      pumps.getLast().await(REPORT_MILLIS, () -> reported != NO_REPORT || signalled);
    }
  }

  /**
   * Returns whether a signal has asked it to end, as it reports itself: its status may be a
   * plugin's.
   */
  boolean wasAskedToEnd() {
    return signalled;
  }

  /** Returns whether it has died: it was killed, or has not reported a status that it should. */
  boolean hasDied() {
    return reports ? reported == NO_REPORT : ExitReason.isSignal(process.exitValue());
  }

  /**
   * Returns the exit status as far as it can be believed, and {@link ExitStatus#RANK_DIED} for a
   * process that {@link #hasDied}; only once it has ended.
   */
  int status() {
    if (hasDied()) {
      return ExitStatus.RANK_DIED;
    }
    int exit = process.exitValue();
    if (!reports || exit == reported) {
      return exit;
    }
    return exit == ExitStatus.OK ? reported : ExitStatus.RANK_DIED; // it died while it ended
  }

  /** Returns the exit status itself; only once the process has ended. */
  int exitStatus() {
    return process.exitValue();
  }

  /** Returns how it ended, which comes behind its name; only once the process has ended. */
  String how() {
    int exit = process.exitValue();
    // A JVM reports that it was asked to end; without that, such a status is an exit's.
    boolean exited = !ExitReason.isSignal(exit) || (ExitReason.isAsked(exit) && !signalled);
    if (!reports || reported != NO_REPORT || !exited) {
      return ExitReason.describe(exit) + duringCall();
    }
    String end = ExitReason.exit(exit);
    String caller = exitCaller;
    return ErrorText.of(
        "%s before it reported, %s%s",
        end,
        caller == null ? "as by a call of exit" : "by a call of exit in " + caller,
        duringCall());
  }

  private String duringCall() {
    String called = plugin;
    return called.isEmpty() ? "" : ", during " + called;
  }

  /** Returns which process it is and how it ended; only once the process has ended. */
  String describe() {
    return name + " (pid " + process.pid() + ") " + how();
  }

  /** Returns what the process said of its own failure, or null; only after {@link #drain}. */
  @Nullable FailureRecord failure() {
    return failure;
  }

  /** Returns whether this rank has not met the others yet, as far as it would report that. */
  boolean isStarting() {
    return reports && !met;
  }

  /** Waits, for a short time at most, until all that the process has printed has been seen. */
  void drain() {
    pumps.forEach(pump -> pump.await(DRAIN_MILLIS));
  }

  /** Asks the process, and what it has started, to end. */
  void terminate() {
    tree().forEach(ProcessHandle::destroy);
  }

  /** Ends the process, and what it has started, without asking. */
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
