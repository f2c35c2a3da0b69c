// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.log;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.toolkit.thread.AnyThread;
import org.jspecify.annotations.Nullable;

/**
 * A log that remembers the last warning, also where warnings are not written. A network plugin that
 * tries on and on reports in no other way why a connection does not come about.
 */
@AnyThread
public final class LastWarning implements DebugLogger {
  private record Warning(String text, long nanos) {}

  private final DebugLogger log;
  private volatile @Nullable Warning last;

  /** Creates a log whose lines go to {@code log}. */
  public LastWarning(DebugLogger log) {
    this.log = log;
  }

  @Override
  public boolean isEnabled(LogLevel level, long subsystems) {
    return log.isEnabled(level, subsystems);
  }

  @Override
  public void log(LogLevel level, long subsystems, String location, int line, String message) {
    if (level == LogLevel.WARN) {
      last = new Warning(message, System.nanoTime());
    }
    log.log(level, subsystems, location, line, message);
  }

  /** Returns the last warning since {@code nanos} on the clock of {@link System#nanoTime}. */
  public @Nullable String since(long nanos) {
    Warning known = last;
    return known == null || known.nanos() - nanos < 0 ? null : known.text();
  }
}
