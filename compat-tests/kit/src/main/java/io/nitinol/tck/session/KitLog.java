// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.tck.result.RelatedCalls;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/** The logger that plugins under test get: it keeps their last lines. Safe for any thread. */
public final class KitLog implements DebugLogger {
  private static final int LENGTH = 200;

  /** The most characters of a line that a report shows. */
  private static final int SHOWN = 400;

  /**
   * A line that a plugin logged.
   *
   * @param nanos when, as {@link System#nanoTime}
   */
  public record Line(long nanos, LogLevel level, String thread, String text) {
    private boolean isForUsers() {
      return level == LogLevel.INFO || level == LogLevel.WARN;
    }

    private String shown() {
      String line = text.strip().replaceAll("\\s+", " ");
      return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "...";
    }
  }

  private final Deque<Line> lines = new ArrayDeque<>();

  @Override
  public boolean isEnabled(LogLevel level, long subsystems) {
    return level != LogLevel.TRACE;
  }

  @Override
  public void log(LogLevel level, long subsystems, String file, int line, String message) {
    synchronized (lines) {
      if (lines.size() == LENGTH) {
        lines.removeFirst();
      }
      lines.addLast(new Line(System.nanoTime(), level, Thread.currentThread().getName(), message));
    }
  }

  /**
   * Returns the last line of information or a warning, in one line, shortened; empty where there
   * was none. Where a plugin has no devices it says why.
   */
  public String lastSaid() {
    synchronized (lines) {
      Iterator<Line> newest = lines.descendingIterator();
      while (newest.hasNext()) {
        Line line = newest.next();
        if (line.isForUsers()) {
          return line.shown();
        }
      }
    }
    return "";
  }

  /**
   * Returns what was logged as information or a warning at or after a {@link System#nanoTime},
   * oldest first, each in one line of a trace.
   */
  public List<String> since(long start) {
    return lines().stream()
        .filter(line -> line.nanos() - start >= 0 && line.isForUsers())
        .map(line ->
            "%s%s [%s] %s".formatted(RelatedCalls.LOG, line.level(), line.thread(), line.shown()))
        .toList();
  }

  /** Returns the last lines, oldest first. */
  public List<Line> lines() {
    synchronized (lines) {
      return new ArrayList<>(lines);
    }
  }
}
