// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.log;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A log that remembers the last warnings, also where warnings are not written. A network plugin
 * that tries on and on reports in no other way why a connection does not come about.
 *
 * <p>A warning that a plugin gives inside a call about one peer is about that peer. One that comes
 * from another thread, such as of a port that is down, may be about any.
 */
@AnyThread
public final class LastWarning implements DebugLogger {
  private record Warning(String text, long nanos) {}

  private static final int ANY = -1;
  private static final ScopedValue<Integer> PEER = ScopedValue.newInstance();

  private final DebugLogger log;
  private final Map<Integer, Warning> last = new ConcurrentHashMap<>();

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
      last.put(PEER.orElse(ANY), new Warning(message, System.nanoTime()));
    }
    log.log(level, subsystems, location, line, message);
  }

  /** Makes a call on this thread that is about {@code peer}, and so are the warnings in it. */
  public <T extends @Nullable Object> T about(int peer, Supplier<T> call) {
    return ScopedValue.where(PEER, peer).call(call::get);
  }

  /**
   * Returns the last warning that may be about {@code peer}, or null.
   *
   * @param nanos from when on, on the clock of {@link System#nanoTime}
   */
  public @Nullable String since(int peer, long nanos) {
    Warning own = last.get(peer);
    Warning any = last.get(ANY);
    Warning known = own == null || (any != null && any.nanos() - own.nanos() > 0) ? any : own;
    return known == null || known.nanos() - nanos < 0 ? null : known.text();
  }
}
