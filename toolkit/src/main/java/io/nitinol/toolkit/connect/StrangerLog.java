// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Warns of connections that were dropped before their other end had proven itself: of the first
 * ones each, then each time their number has doubled, so that a port scan does not fill the log. A
 * log {@link #byHost} also has the first of each host, so that many from one do not hide another.
 */
@OneThread
public final class StrangerLog {
  /** How many different reasons are counted; strangers can make up more of them. */
  private static final int REASONS = 6;

  /** How many hosts are told apart. */
  private static final int HOSTS = 16;

  /**
   * Formats a text once: the JVM opens files for the first one, which it cannot where strangers
   * have used up all descriptors.
   */
  private static final String NOTHING = ErrorText.of("%d%s", 1, "").substring(1);

  private final Consumer<String> warn;
  private final String listener;
  private final int singly;
  private final int hostsTold;
  private final Set<String> hosts = new HashSet<>();
  private final Map<String, Long> reasons = new LinkedHashMap<>();
  private long dropped;
  private long failures;

  /**
   * Begins with none.
   *
   * @param warn writes one line
   * @param listener what a line begins with: the listener's name
   * @param singly how many are reported one by one
   */
  public StrangerLog(Consumer<String> warn, String listener, int singly) {
    this(warn, listener, singly, 0);
  }

  private StrangerLog(Consumer<String> warn, String listener, int singly, int hostsTold) {
    this.warn = warn;
    this.listener = listener;
    this.singly = singly;
    this.hostsTold = hostsTold;
  }

  /**
   * Begins with none, and reports the first connection from each of up to 16 hosts in any case.
   *
   * @param warn writes one line
   * @param listener what a line begins with: the listener's name
   * @param singly how many are reported one by one
   * @return the log
   */
  public static StrangerLog byHost(Consumer<String> warn, String listener, int singly) {
    return new StrangerLog(warn, listener, singly, HOSTS);
  }

  /**
   * Notes that a connection was dropped.
   *
   * @param from its other end's address, with the port at its end
   * @param why the reason
   */
  public void dropped(String from, @Nullable String why) {
    String reason = String.valueOf(why);
    dropped++;
    if (reasons.containsKey(reason) || reasons.size() < REASONS) {
      reasons.merge(reason, 1L, Long::sum);
    }
    boolean isFirst = isNew(from);
    if (isFirst || isReported(dropped)) {
      String count = dropped > singly ? ErrorText.of(" (the %dth so dropped)", dropped) : NOTHING;
      warn.accept(
          ErrorText.of("%s dropped a connection from %s: %s%s", listener, from, reason, count));
    }
  }

  /**
   * Notes that a connection could not be accepted.
   *
   * @param why the reason
   */
  public void notAccepted(String why) {
    if (isReported(++failures)) {
      warn.accept(ErrorText.of("%s cannot accept a connection: %s", listener, why));
    }
  }

  private boolean isNew(String from) {
    int end = from.lastIndexOf(':');
    return hosts.size() < hostsTold && hosts.add(end < 0 ? from : from.substring(0, end));
  }

  private boolean isReported(long count) {
    return count <= singly || Long.bitCount(count) == 1;
  }

  /**
   * Returns how many connections were dropped so far and why, as the end of a sentence.
   *
   * @return {@code "; 3 connections were turned away: 2 x ...; 1 x ..."}, or nothing if there were
   *     none
   */
  public String summary() {
    if (dropped == 0) {
      return NOTHING;
    }
    StringBuilder text = new StringBuilder();
    long named = 0;
    for (Map.Entry<String, Long> each : reasons.entrySet()) {
      text.append(named == 0 ? "" : "; ").append(each.getValue()).append(" x ");
      text.append(each.getKey());
      named += each.getValue();
    }
    if (named < dropped) {
      text.append("; ").append(dropped - named).append(" x other reasons");
    }
    String were = dropped == 1 ? "connection was" : "connections were";
    return ErrorText.of("; %d %s turned away: %s", dropped, were, text);
  }
}
