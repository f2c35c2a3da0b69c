// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What has been found on one network: counts per rule, and lines in the log, of which there are the
 * first ten for a rule with all that is known, and afterwards one whenever the count is a power of
 * two. Nothing here is touched while nothing is wrong.
 */
@AnyThread
public final class Violations {
  private static final int FULL_LINES = 10;

  private final String network;
  private final DebugLogger logger;
  private final EnumMap<Party, TreeMap<String, Long>> counts = new EnumMap<>(Party.class);
  private final EnumMap<PluginMethod, Long> slow = new EnumMap<>(PluginMethod.class);

  Violations(String network, DebugLogger logger) {
    this.network = network;
    this.logger = logger;
    for (Party party : Party.values()) {
      counts.put(party, new TreeMap<>());
    }
  }

  /** Returns how often each rule was broken, by either side; slow calls are not among them. */
  public synchronized Map<String, Long> counts() {
    Map<String, Long> all = new TreeMap<>();
    counts.values().forEach(of -> of.forEach((rule, n) -> all.merge(rule, n, Long::sum)));
    return all;
  }

  /** Returns how often {@code party} broke each rule. */
  public synchronized Map<String, Long> counts(Party party) {
    return new TreeMap<>(counts.get(party));
  }

  /** Returns how often any rule was broken; 0 is what one hopes for. */
  public long total() {
    return counts().values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Returns the longest time in nanoseconds of each operation, by its name, that once took longer
   * than the contract's bound. These are not counted as violations, since a machine that stands
   * still for a moment looks the same.
   */
  public synchronized Map<String, Long> slowCalls() {
    Map<String, Long> all = new TreeMap<>();
    slow.forEach((method, nanos) -> all.merge(method.call, nanos, Math::max));
    return all;
  }

  /** Returns all counts in one line, such as {@code NET-SEND-09 3 times}. */
  @Override
  public String toString() {
    Map<String, Long> all = counts();
    return all.isEmpty()
        ? "no violations"
        : all.entrySet().stream()
            .map(e -> e.getKey() + " " + times(e.getValue()))
            .collect(Collectors.joining(", "));
  }

  /** Counts a violation and writes it to the log, unless there have been many of its kind. */
  void report(Party party, String rule, String call, String what, Tracked where) {
    long n;
    synchronized (this) {
      n = counts.computeIfAbsent(party, p -> new TreeMap<>()).merge(rule, 1L, Long::sum);
    }
    boolean full = n <= FULL_LINES;
    if (!full && Long.bitCount(n) != 1) {
      return;
    }
    StringBuilder text = new StringBuilder("NITINOL_VALIDATE: ");
    text.append(party.label()).append(" broke ").append(rule);
    if (!full) {
      text.append(' ').append(times(n)).append(" so far, the latest");
    }
    text.append(": ").append(what).append("; in ").append(call).append(" on ").append(where);
    if (full) {
      text.append("\n  the last calls there, oldest first:");
      where.calls.dump().forEach(line -> text.append("\n    ").append(line));
    }
    warn(text.toString());
  }

  /** Reports a call that took too long, once for each operation. */
  void slow(PluginMethod method, String rule, long nanos, Tracked where) {
    Long before;
    synchronized (this) {
      before = slow.get(method);
      if (before == null || before < nanos) {
        slow.put(method, nanos);
      }
    }
    if (before == null) {
      warn(
          ErrorText.of(
              "NITINOL_VALIDATE: %s: %s on %s took %d ms, and may take %d ms; said once, and no"
                  + " violation for certain, since a machine that stood still looks the same",
              rule, method.call, where, nanos / 1_000_000, method.bound.nanos / 1_000_000));
    }
  }

  /** Writes what has been seen so far, as a warning where something was wrong. */
  void summarize(String seen, boolean news) {
    String text = "NITINOL_VALIDATE: " + network + ": " + seen + ": " + this;
    if (news) {
      warn(text);
    } else if (logger.isEnabled(
        LogLevel.INFO, LogSubsystem.NET.mask() | LogSubsystem.INIT.mask())) {
      logger.log(
          LogLevel.INFO, LogSubsystem.NET.mask() | LogSubsystem.INIT.mask(), "Violations", 0, text);
    }
  }

  private void warn(String text) {
    logger.warn("Violations", text);
  }

  private static String times(long n) {
    return n == 1 ? "once" : n + " times";
  }
}
