// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A log that keeps its lines, each with its level in front. */
public final class RecordedLog implements DebugLogger {
  private final List<String> lines = new CopyOnWriteArrayList<>();

  @Override
  public boolean isEnabled(LogLevel level, long subsystems) {
    return true;
  }

  @Override
  public void log(LogLevel level, long subsystems, String location, int line, String message) {
    lines.add(level + " " + message);
  }

  /** Returns the lines so far. */
  public List<String> lines() {
    return lines;
  }

  /** Returns the warnings so far. */
  public List<String> warnings() {
    return lines.stream().filter(line -> line.startsWith("WARN")).toList();
  }
}
