// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.DebugLogger;
import java.util.concurrent.TimeUnit;

/**
 * Logs connections that were dropped before they proved themselves: the first few each, then one
 * line per interval with how many there were, so that a port scan does not flood the log. Used by
 * one thread.
 */
final class StrangerLog {
  private static final int SINGLY = 5;
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final DebugLogger log;
  private final String who;
  private int logged;
  private int silent;
  private long lastNanos;

  StrangerLog(DebugLogger log, String who) {
    this.log = log;
    this.who = who;
  }

  /** Notes that the connection from {@code remote} was dropped at {@code nowNanos}. */
  void dropped(String remote, String reason, long nowNanos) {
    if (logged >= SINGLY && nowNanos - lastNanos < INTERVAL_NANOS) {
      silent++;
      return;
    }
    String others = silent == 0 ? "" : "; " + silent + " others were dropped since the last line";
    log.warn("bootstrap", who + " dropped a connection from " + remote + ": " + reason + others);
    logged++;
    silent = 0;
    lastNanos = nowNanos;
  }
}
