// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.DebugLogger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Logs what strangers cause, connections dropped before they proved themselves above all: the first
 * few each, then one line per interval with how many there were, so that a port scan does not flood
 * the log. Used by one thread.
 */
final class StrangerLog {
  private static final int SINGLY = 5;

  /** How many different reasons are counted; strangers can make up more of them. */
  private static final int REASONS = 6;

  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final DebugLogger log;
  private final String who;
  private final Map<String, Integer> reasons = new LinkedHashMap<>();
  private int turnedAway;
  private int logged;
  private int silent;
  private long lastNanos;

  StrangerLog(DebugLogger log, String who) {
    this.log = log;
    this.who = who;
  }

  /** Notes that the connection from {@code remote} was dropped. */
  void dropped(String remote, String reason) {
    turnedAway++;
    if (reasons.containsKey(reason) || reasons.size() < REASONS) {
      reasons.merge(reason, 1, Integer::sum);
    }
    note("dropped a connection from " + remote + ": " + reason);
  }

  /** Returns how many were dropped so far and why, as the end of a sentence; empty for nobody. */
  String summary() {
    if (turnedAway == 0) {
      return "";
    }
    StringBuilder text = new StringBuilder("; ");
    text.append(turnedAway)
        .append(turnedAway == 1 ? " connection was" : " connections were")
        .append(" turned away: ");
    int named = 0;
    for (Map.Entry<String, Integer> each : reasons.entrySet()) {
      text.append(named == 0 ? "" : "; ").append(each.getValue()).append(" x ");
      text.append(each.getKey());
      named += each.getValue();
    }
    return named == turnedAway
        ? text.toString()
        : text.append("; ").append(turnedAway - named).append(" x other reasons").toString();
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
