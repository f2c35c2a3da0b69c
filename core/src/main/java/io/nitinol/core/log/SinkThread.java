// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.log;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.log.v1.LogLine;
import io.nitinol.spi.log.v1.LogSink;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the sink of a name and hands it the lines of the log, on a thread of its own that the first
 * line starts. A logging framework may wait for a disk, or for a lock that the application holds
 * while it waits for a collective, which a thread that moves data must not.
 *
 * <p>A line that the sink cannot have goes to standard error: with the room full, from this thread
 * itself, after the sink has thrown, and when the process ends. The frameworks end at that time,
 * too, beside our hook, and drop what comes afterwards without a word.
 */
@AnyThread
final class SinkThread {
  /** How many lines may wait. */
  private static final int ROOM = 1024;

  /** How long the end of the process waits for the line that the sink has in hand. */
  private static final long END_MILLIS = 1000;

  /** Never registered, never started. */
  private static final Thread NO_HOOK = new Thread(() -> {});

  private final String name;
  private final String source;
  private final ClassLoader loader;
  private final Consumer<LogLine> elsewhere;
  private final Queue<LogLine> lines = new ArrayDeque<>();
  private @Nullable Thread thread;

  /** The line that the sink has in hand. */
  private @Nullable LogLine current;

  /** How many lines went elsewhere since the last that had room. */
  private int missed;

  /** Whether the sink gets no more lines. */
  private boolean ended;

  /**
   * Creates it; starts and looks for nothing yet.
   *
   * @param name the value of {@code NITINOL_LOG}
   * @param source where that value is from
   * @param elsewhere writes a line to standard error
   */
  SinkThread(String name, String source, Consumer<LogLine> elsewhere) {
    this.name = name;
    this.source = source;
    this.elsewhere = elsewhere;
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    this.loader = context == null ? ClassLoader.getSystemClassLoader() : context;
  }

  /** Leaves a line to the sink; returns false, at once, where it has to go elsewhere. */
  synchronized boolean take(LogLine line) {
    if (thread == null && !ended) {
      start();
    }
    if (ended || line.thread().equals(thread)) {
      return false;
    }
    // After a gap half of the room has to be free, or marks and lines would take turns.
    if (lines.size() == ROOM || (missed > 0 && lines.size() > ROOM / 2)) {
      missed++;
      return false;
    }
    markGap();
    lines.add(line);
    notifyAll();
    return true;
  }

  /** Adds the warning that lines are missing here, if some are. */
  private void markGap() {
    if (missed > 0) {
      lines.add(
          warning(
              ErrorText.of(
                  "%d lines are missing here: more than %d waited, these went to standard error",
                  missed, ROOM)));
      missed = 0;
    }
  }

  private void start() {
    Thread made =
        Thread.ofPlatform()
            .name("nitinol-log")
            .daemon()
            .inheritInheritableThreadLocals(false)
            .unstarted(this::run);
    made.setContextClassLoader(loader);
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(made), "nitinol-log-end"));
      made.start();
      thread = made;
    } catch (IllegalStateException processEnds) {
      ended = true;
    } catch (OutOfMemoryError e) { // no thread is left: the log must not fail its caller
      ended = true;
      elsewhere.accept(warning(ErrorText.of("log sink %s has no thread: %s", name, e.toString())));
    }
  }

  private void run() {
    LogSink sink;
    try {
      sink = find();
    } catch (Throwable e) { // also what Kotlin or Scala throw without declaring it
      fail(ErrorText.of("log sinks cannot be loaded: %s", e.toString()));
      return;
    }
    if (sink == null) {
      return;
    }
    for (LogLine line = next(); line != null; line = next()) {
      try {
        sink.write(line);
      } catch (Throwable e) { // likewise
        fail(ErrorText.of("log sink %s failed: %s", name, e.toString()));
        return;
      }
    }
  }

  /** Returns the sink of the name; null, after a warning, where there is none. */
  private @Nullable LogSink find() {
    Set<String> found = new LinkedHashSet<>();
    // The first line may come from a thread that does not know the application's loader.
    for (ClassLoader each : Arrays.asList(loader, LogSink.class.getClassLoader())) {
      Iterator<LogSink> sinks = ServiceLoader.load(LogSink.class, each).iterator();
      while (true) {
        try {
          if (!sinks.hasNext()) {
            break;
          }
          LogSink sink = sinks.next();
          String named = sink.name();
          if (name.equalsIgnoreCase(named)) {
            Thread.currentThread().setContextClassLoader(each);
            return sink;
          }
          found.add(named);
        } catch (ServiceConfigurationError broken) { // may be another's
          found.add("one that cannot be used (" + broken + ")");
        }
      }
    }
    fail(
        ErrorText.of(
            "%s=%s (from %s) names no log sink on the path of this program; expected stderr, or one"
                + " of those found: %s",
            CoreVariables.LOG,
            name,
            source,
            found.isEmpty()
                ? "none, add io.nitinol:nitinol-log-bridge"
                : String.join(", ", found)));
    return null;
  }

  /** Waits for a line; returns null at the end. */
  private synchronized @Nullable LogLine next() {
    current = null;
    boolean interrupted = false; // by the sink, whose business it is
    while (lines.isEmpty() && missed == 0 && !ended) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (processEnds()) {
      return null; // what waits stays for our hook: the framework may have closed in its own
    }
    if (lines.isEmpty() && !ended) {
      markGap();
    }
    current = lines.poll();
    return current;
  }

  /** The JVM refuses any change of its hooks from the moment in which it begins to run them. */
  private static boolean processEnds() {
    try {
      Runtime.getRuntime().removeShutdownHook(NO_HOOK);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Gives the sink up; the thread of the sink calls it. */
  private void fail(String why) {
    elsewhere.accept(warning(why + "; the log goes to standard error"));
    close(true).forEach(elsewhere);
  }

  /** Writes what waits; the hook of the process's end calls it. */
  private void end(Thread running) {
    List<LogLine> rest = close(false);
    try {
      running.join(END_MILLIS);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
    if (running.isAlive()) {
      rest.addAll(0, close(true)); // the sink may have written it all the same
    }
    rest.forEach(elsewhere);
  }

  /** Keeps further lines from the sink; returns those that it has not taken. */
  private synchronized List<LogLine> close(boolean alsoCurrent) {
    List<LogLine> rest = new ArrayList<>();
    if (alsoCurrent && current != null) {
      rest.add(current);
      current = null;
    }
    rest.addAll(lines);
    lines.clear();
    ended = true;
    notifyAll();
    return rest;
  }

  private static LogLine warning(String text) {
    return new LogLine(
        Instant.now(), LogLevel.WARN, LogSubsystem.ALL, -1, Thread.currentThread(), "Log", 0, text);
  }
}
