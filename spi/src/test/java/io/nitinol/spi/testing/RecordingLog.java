// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A log that tests can read. */
public class RecordingLog implements DebugLogger {
  public final List<String> warnings = new CopyOnWriteArrayList<>();
  public final List<String> lines = new CopyOnWriteArrayList<>();

  @Override
  public boolean isEnabled(LogLevel level, long subsystems) {
    return true;
  }

  @Override
  public void log(LogLevel level, long subsystems, String location, int line, String message) {
    lines.add(message);
    if (level == LogLevel.WARN) {
      warnings.add(message);
    }
  }
}
