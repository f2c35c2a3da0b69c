// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A log that keeps its lines. */
public final class RecordingLog implements DebugLogger {
  final List<String> lines = new CopyOnWriteArrayList<>();
  final List<String> threads = new CopyOnWriteArrayList<>();

  @Override
  public boolean isEnabled(LogLevel level, long subsystems) {
    return true;
  }

  @Override
  public void log(LogLevel level, long subsystems, String location, int line, String message) {
    threads.add(Thread.currentThread().getName());
    lines.add(level + " " + location + ":" + line + " " + message);
  }
}
