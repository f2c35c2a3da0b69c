// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.core.config.LaunchVariables;
import io.nitinol.core.log.Log;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Starts the ranks of one job on this host and stays until all have ended. If one fails, the others
 * get time to end with their own error. The launcher then kills those that are left. When the
 * launcher itself is told to end, it ends its ranks first.
 */
public final class Launcher {
  private static final String GRACE = "nitinol.grace";

  /** Core promises that all ranks notice the death of one within 10 s. */
  private static final Duration USUAL_GRACE = Duration.ofSeconds(15);

  /** From asking a process to end to killing it. */
  private static final long TERMINATE_MILLIS = 2_000;

  /**
   * The ranks that this launcher starts.
   *
   * @param first the first of them
   * @param count how many, one after the other
   * @param size how many ranks the whole job has
   * @param noun what messages call one of them: a rank, or a process where it has several ranks
   */
  public record Share(int first, int count, int size, String noun) {
    /** Makes a share whose processes are ranks. */
    public Share(int first, int count, int size) {
      this(first, count, size, "rank");
    }

    /** Returns all processes of a job of {@code size} of them, each of which has several ranks. */
    public static Share processes(int size) {
      return new Share(0, size, size, "process");
    }

    /** Returns all ranks of a job of {@code size}. */
    public static Share all(int size) {
      return new Share(0, size, size);
    }
  }

  /** What proves that a rank did what it was to do. */
  public enum Success {
    /** It ended with 0: any program does. */
    EXIT_STATUS,
    /** It reported 0 as its last act (see {@link ParentReport}): its plugin may end it with 0. */
    REPORT
  }

  /** Is told how ranks end, so that ranks that still wait for one to come need not wait longer. */
  public interface Listener {
    /**
     * A rank has failed; called once, for the first.
     *
     * @param how which rank and how it ended
     */
    void failed(String how);

    /**
     * A rank has ended with 0.
     *
     * @param how which rank and how it ended
     */
    default void ended(int rank, String how) {}
  }

  /** How a rank ended is of interest to ranks that wait for it. */
  private static final String BEFORE_THE_MEETING = " before all ranks had come";

  private static final File NOTHING = new File("/dev/null");

  private final String title;
  private final List<String> command;
  private final Share share;
  private final IntFunction<Map<String, String>> environment;
  private final PrintStream out;
  private final PrintStream err;
  private final @Nullable OrphanGuard guard;
  private final Duration grace;
  private final Success success;
  private final Listener listener;

  private final List<LaunchedProcess> started = new ArrayList<>();
  private final BlockingQueue<LaunchedProcess> ended = new LinkedBlockingQueue<>();
  private volatile boolean stopping;

  /**
   * Prepares a job.
   *
   * @param title what begins the launcher's own messages, such as {@code nitinol perf}
   * @param command the program and its arguments, the same for all ranks
   * @param share which ranks to start
   * @param environment gives a rank's variables, beside the launcher's own and the rank's number
   * @param guard kills the ranks when the launcher is killed; null if the ranks notice that
   *     themselves, at the end of their standard input
   * @param grace how long ranks may go on after another one has failed
   */
  public Launcher(
      String title,
      List<String> command,
      Share share,
      IntFunction<Map<String, String>> environment,
      PrintStream out,
      PrintStream err,
      @Nullable OrphanGuard guard,
      Duration grace,
      Success success,
      Listener listener) {
    this.title = title;
    this.command = List.copyOf(command);
    this.share = share;
    this.environment = environment;
    this.out = out;
    this.err = err;
    this.guard = guard;
    this.grace = grace;
    this.success = success;
    this.listener = listener;
  }

  /**
   * Returns how long ranks may go on after another one has failed. For a machine that is far too
   * slow for the usual time, or for a debugger in a rank, {@code -Dnitinol.grace=SECONDS} among the
   * JVM's options sets another one.
   *
   * @throws CommandFailure when that is no number of seconds
   */
  public static Duration grace() {
    return grace(System.getProperty(GRACE));
  }

  static Duration grace(@Nullable String seconds) {
    if (seconds == null) {
      return USUAL_GRACE;
    }
    if (!seconds.matches("[0-9]{1,9}")) {
      throw CommandFailure.usage(
          ErrorText.of("-D%s=%s: expected a whole number of seconds", GRACE, seconds));
    }
    return Duration.ofSeconds(Integer.parseInt(seconds));
  }

  /**
   * Runs the job.
   *
   * @return the exit status of the rank that is to blame, or {@link ExitStatus#RANK_DIED} where it
   *     died; 0 where all ranks succeeded
   */
  public int run() {
    Thread hook = new Thread(this::stop, "launcher-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      for (int i = 0; i < share.count(); i++) {
        start(share.first() + i);
      }
      return await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitStatus.INTERRUPTED, "interrupted");
    } finally {
      if (!stopping) {
        end();
        Runtime.getRuntime().removeShutdownHook(hook);
      }
    }
  }

  private void start(int rank) {
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> own = builder.environment();
    own.remove(LaunchVariables.LAUNCHED.name());
    own.put(LaunchVariables.RANK.name(), Integer.toString(rank));
    own.put(LaunchVariables.SIZE.name(), Integer.toString(share.size()));
    own.put(LaunchVariables.LOCAL_RANK.name(), Integer.toString(rank - share.first()));
    own.putAll(environment.apply(rank));
    if (guard != null) {
      builder.redirectInput(ProcessBuilder.Redirect.from(NOTHING));
    }
    synchronized (started) {
      if (stopping) {
        return;
      }
      if (guard != null) {
        own.putAll(guard.expect());
      }
      LaunchedProcess process;
      try {
        process =
            LaunchedProcess.startRank(
                share.noun(),
                rank,
                success == Success.REPORT,
                rank == share.first(),
                builder,
                out,
                err);
      } catch (IOException e) {
        if (OpenFiles.ranOut(e)) {
          throw CommandFailure.usage(
              "cannot start " + share.noun() + " " + rank + ": " + OpenFiles.sentence());
        }
        throw CommandFailure.usage("cannot start " + command.get(0) + ": " + e.getMessage());
      }
      started.add(process);
      if (guard != null) {
        guard.watch(process.process().toHandle());
      }
      var _ = process.onExit().thenAccept(_ -> ended.add(process));
    }
  }

  private int await() throws InterruptedException {
    LaunchedProcess culprit = null;
    long deadline = Long.MAX_VALUE;
    List<LaunchedProcess> failed = new ArrayList<>();
    for (int left = started.size(); left > 0; left--) {
      LaunchedProcess next = culprit == null ? ended.take() : pollUntil(deadline);
      if (next == null) {
        break;
      }
      if (guard != null) {
        guard.forget(next.process().toHandle());
      }
      next.awaitReport();
      if (next.status() == ExitStatus.OK) {
        listener.ended(next.rank(), next.describe() + BEFORE_THE_MEETING);
      } else {
        failed.add(next);
        if (culprit == null) {
          culprit = next;
          listener.failed(next.describe() + BEFORE_THE_MEETING);
          deadline =
              System.nanoTime()
                  + (sawReaderLeave(next)
                      ? TimeUnit.MILLISECONDS.toNanos(TERMINATE_MILLIS)
                      : grace.toNanos());
        }
      }
    }
    List<LaunchedProcess> killed = stillRunning();
    end();
    started.forEach(LaunchedProcess::drain);
    if (culprit == null || stopping) {
      return ExitStatus.OK;
    }
    if (endedForTheReader(failed)) {
      return ExitStatus.READER_GONE;
    }
    RankFailureReport report = new RankFailureReport(failed, share, killed, grace);
    report.lines().forEach(line -> err.println(title + ": " + line));
    return report.status();
  }

  private @Nullable LaunchedProcess pollUntil(long deadline) throws InterruptedException {
    return ended.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  private List<LaunchedProcess> stillRunning() {
    synchronized (started) {
      return started.stream().filter(rank -> rank.process().isAlive()).toList();
    }
  }

  /** Returns whether a rank ended since the reader of the launcher's stdout has left. */
  private boolean sawReaderLeave(LaunchedProcess rank) {
    return rank.rank() == share.first()
        && rank.exitStatus() == ExitStatus.READER_GONE
        && (success == Success.EXIT_STATUS || !rank.hasDied());
  }

  /** Returns whether that is why the ranks failed: it came first, or the others blame that rank. */
  private boolean endedForTheReader(List<LaunchedProcess> failed) {
    if (failed.stream().noneMatch(this::sawReaderLeave)) {
      return false;
    }
    return sawReaderLeave(failed.getFirst())
        || failed.stream().allMatch(rank -> sawReaderLeave(rank) || blames(rank, share.first()));
  }

  private static boolean blames(LaunchedProcess rank, int other) {
    FailureRecord failure = rank.failure();
    return failure != null && failure.failedRank() == other;
  }

  /** Runs when the launcher is told to end: by Ctrl-C, by SIGTERM, by the end of its session. */
  private void stop() {
    stopping = true;
    end();
  }

  /** Ends all ranks that are still there, first asking, then not. */
  private void end() {
    List<LaunchedProcess> all;
    synchronized (started) {
      all = List.copyOf(started);
    }
    List<LaunchedProcess> alive = all.stream().filter(rank -> rank.process().isAlive()).toList();
    alive.forEach(LaunchedProcess::terminate);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TERMINATE_MILLIS);
    boolean killed = false;
    for (LaunchedProcess rank : alive) {
      try {
        if (!rank.process().waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          rank.kill();
          killed = true;
        }
      } catch (InterruptedException e) {
        rank.kill();
        Thread.currentThread().interrupt();
      }
    }
    if (killed) {
      removeSharedMemory(alive);
    }
  }

  /** Removes what ranks that were killed had no time to remove, once they have ended. */
  private static void removeSharedMemory(List<LaunchedProcess> ranks) {
    try {
      for (LaunchedProcess rank : ranks) {
        boolean _ = rank.process().waitFor(TERMINATE_MILLIS, TimeUnit.MILLISECONDS);
      }
      ShmDirectory.of(Settings.process(), Log.process()).sweep();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalArgumentException e) {
      return; // no directory: the ranks have said so
    }
  }
}
