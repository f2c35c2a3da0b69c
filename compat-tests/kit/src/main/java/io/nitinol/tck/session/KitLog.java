// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The logger that plugins under test get: it keeps their last lines. Safe for any thread. */
public final class KitLog implements DebugLogger {
  private static final int LENGTH = 200;

  /** A line that a plugin logged. */
  public record Line(LogLevel level, String thread, String text) {}

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
      lines.addLast(new Line(level, Thread.currentThread().getName(), message));
    }
  }

  /** Returns the last lines, oldest first. */
  public List<Line> lines() {
    synchronized (lines) {
      return new ArrayList<>(lines);
    }
  }
}
