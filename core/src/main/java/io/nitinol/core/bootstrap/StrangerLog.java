// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.DebugLogger;
import java.util.concurrent.TimeUnit;

/**
 * Logs what strangers cause, connections dropped before they proved themselves above all: the first
 * few each, then one line per interval with how many there were, so that a port scan does not flood
 * the log. Used by one thread.
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

  /** Notes that the connection from {@code remote} was dropped. */
  void dropped(String remote, String reason) {
    note("dropped a connection from " + remote + ": " + reason);
  }

  /** Notes what happened to this end. */
  void note(String what) {
    long now = System.nanoTime();
    if (logged >= SINGLY && now - lastNanos < INTERVAL_NANOS) {
      silent++;
      return;
    }
    String others = silent == 0 ? "" : "; " + silent + " more since the last such line";
    log.warn("bootstrap", who + " " + what + others);
    logged++;
    silent = 0;
    lastNanos = now;
  }
}
