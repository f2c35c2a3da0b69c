// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.plugin.UnmetRequest;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.progress.FlightRecorder;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.OutputFile;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes what one rank's {@link FlightRecorder} keeps, and what the rank waits for, to the file of
 * {@code NITINOL_FLIGHT_RECORDER_FILE}: when the communicator fails, and on request. {@code
 * docs/diagnosis.md} says what the file contains; {@code nitinol diagnose} reads it.
 */
@AnyThread
final class FlightFile {
  private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** What this process is just writing because of failures; each removes itself. */
  private static final Set<Thread> WRITERS = ConcurrentHashMap.newKeySet();

  /** Has the process wait for its writers when it exits, from the first use of this class. */
  private static final class Exit {
    static final Thread HOOK = new Thread(() -> join(WRITERS), "nitinol-flight-recorder-exit");

    static {
      try {
        Runtime.getRuntime().addShutdownHook(HOOK);
      } catch (IllegalStateException exitsAlready) {
        // what is written from here on may be lost
      }
    }

    private Exit() {}

    static Thread hook() {
      return HOOK;
    }
  }

  private final Settings settings;
  private final Engine engine;
  private final RankReport report;
  private final Path file;
  private final DebugLogger logger;

  /** Writes the file of a failure; null before that. */
  private volatile @Nullable Thread writer;

  private FlightFile(
      Settings settings, Engine engine, RankReport report, Path file, DebugLogger logger) {
    this.settings = settings;
    this.engine = engine;
    this.report = report;
    this.file = file;
    this.logger = logger;
  }

  /**
   * Has the engine keep its operations, if a file is named; before the engine starts.
   *
   * @param report tells where the rank stands
   * @return null where nothing is kept
   */
  static @Nullable FlightFile open(
      Settings settings, Engine engine, RankReport report, DebugLogger logger) {
    String named = settings.get(CoreVariables.FLIGHT_RECORDER_FILE);
    int operations = settings.get(CoreVariables.FLIGHT_RECORDER);
    if (named.isEmpty()) {
      if (!settings.get(CoreVariables.FLIGHT_RECORDER_TRIGGER).isEmpty()) {
        unmet(
            settings,
            logger,
            CoreVariables.FLIGHT_RECORDER_TRIGGER,
            ErrorText.of(
                "is set without %s, so nothing is kept or written",
                CoreVariables.FLIGHT_RECORDER_FILE));
      }
      return null;
    }
    if (operations == 0) {
      unmet(
          settings,
          logger,
          CoreVariables.FLIGHT_RECORDER_FILE,
          ErrorText.of("nothing is kept or written, since %s is 0", CoreVariables.FLIGHT_RECORDER));
      return null;
    }
    String text = named.contains("%r") ? named : named + ".%r";
    text = text.contains("%c") ? text : text + ".%c";
    text =
        text.replace("%r", Integer.toString(report.rank()))
            .replace("%c", Long.toHexString(report.communicator()))
            .replace("%p", Long.toString(ProcessHandle.current().pid()));
    Path path;
    try {
      path = Path.of(text);
      OutputFile.requireWritable(path);
    } catch (IOException | InvalidPathException e) {
      unmet(
          settings,
          logger,
          CoreVariables.FLIGHT_RECORDER_FILE,
          ErrorText.of("%s cannot be written, so nothing is kept: %s", text, ErrorText.reason(e)));
      return null;
    }
    engine.record(new FlightRecorder(operations));
    FlightFile made = new FlightFile(settings, engine, report, path, logger);
    Exit.hook(); // before there is a failure, since a process that exits takes no more hooks
    engine.failures().onStop(made::stopped);
    return made;
  }

  /** Tells, unasked for, that what a variable asks for cannot be had. */
  private static void unmet(
      Settings settings, DebugLogger logger, Variable<String> variable, String why) {
    UnmetRequest.report(
        settings,
        logger,
        variable,
        ErrorText.of("%s=%s: %s", variable, settings.get(variable), why));
  }

  /** Writes the file on request; it says so if that fails. */
  void write() {
    write(report.now());
  }

  /**
   * Keeps what the rank waits for at this moment, and leaves the text and the writing to a thread:
   * whichever thread noticed the failure must not wait for a file, and the ranks are still about to
   * agree on the cause. A daemon, so that a file system that hangs keeps no process from its end.
   */
  private void stopped() {
    FlightText.State state = report.look();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("nitinol-flight-recorder-" + report.rank())
            .unstarted(() -> writeOfFailure(state));
    writer = thread;
    WRITERS.add(thread);
    thread.start();
  }

  private void writeOfFailure(FlightText.State state) {
    try {
      write(report.ofFailure(engine.failures().awaitVerdict(0), state));
    } catch (RuntimeException e) {
      failed(e);
    } finally {
      WRITERS.remove(Thread.currentThread());
    }
  }

  /** Waits for the file of a failure. */
  void close() {
    Thread thread = writer;
    if (thread != null) {
      join(Set.of(thread));
    }
  }

  /** Waits for threads, no longer than {@link #JOIN_NANOS} for all of them. */
  private static void join(Set<Thread> threads) {
    long begin = System.nanoTime();
    try {
      for (Thread thread : threads) {
        long left = JOIN_NANOS - (System.nanoTime() - begin);
        if (left <= 0) {
          return;
        }
        TimeUnit.NANOSECONDS.timedJoin(thread, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says that the file could not be written. */
  void failed(Exception e) {
    unmet(
        settings,
        logger,
        CoreVariables.FLIGHT_RECORDER_FILE,
        ErrorText.of("%s cannot be written: %s", file, ErrorText.reason(e)));
  }

  private synchronized void write(String text) {
    try {
      OutputFile.write(file, text);
    } catch (IOException e) {
      failed(e);
    }
  }
}
