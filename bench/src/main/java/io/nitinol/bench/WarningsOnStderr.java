// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import org.jspecify.annotations.Nullable;

/** The log of plugins that are used without core: warnings go to the standard error stream. */
public final class WarningsOnStderr implements DebugLogger {
  /** Creates a log. */
  public WarningsOnStderr() {}

  @Override
  public boolean isEnabled(LogLevel level, long subsystems) {
    return level == LogLevel.WARN;
  }

  @Override
  public void log(
      LogLevel level, long subsystems, @Nullable String location, int line, String message) {
    if (level == LogLevel.WARN) {
      System.err.println(message);
    }
  }
}
