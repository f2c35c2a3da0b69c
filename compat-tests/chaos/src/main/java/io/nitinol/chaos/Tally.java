// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The rounds so far by fault, for the table at the end. */
final class Tally {
  private static final class Row {
    int rounds;
    int right;
    int failed;
    int violated;
    long longest;
  }

  private final Map<Fault, Row> rows = new EnumMap<>(Fault.class);
  private int unfinished;

  private Row begun(RoundPlan plan) {
    Row row = rows.computeIfAbsent(plan.fault(), fault -> new Row());
    row.rounds++;
    return row;
  }

  /**
   * Adds a round of which nothing is known, which breaks the rules too.
   *
   * @return how many such there are
   */
  synchronized int addUnfinished(RoundPlan plan) {
    begun(plan).violated++;
    return ++unfinished;
  }

  synchronized void add(RoundPlan plan, RoundVerdict verdict) {
    Row row = begun(plan);
    row.right += verdict.right();
    row.failed += verdict.failed();
    row.violated += verdict.violations().isEmpty() ? 0 : 1;
    row.longest = Math.max(row.longest, verdict.longestNanos());
  }

  /** Returns how many rounds broke a rule. */
  synchronized int violated() {
    return rows.values().stream().mapToInt(row -> row.violated).sum();
  }

  /** Returns the table: rounds, ranks that were right and that failed, and the slowest error. */
  synchronized String table() {
    StringBuilder text =
        new StringBuilder(
            "%-12s %7s %12s %12s %16s %10s%n"
                .formatted(
                    "fault",
                    "rounds",
                    "ranks right",
                    "ranks failed",
                    "last error (s)",
                    "violated"));
    rows.forEach((fault, row) ->
        text.append(
            String.format(
                Locale.ROOT,
                "%-12s %7d %12d %12d %16.2f %10d%n",
                fault,
                row.rounds,
                row.right,
                row.failed,
                row.longest / 1e9,
                row.violated)));
    return text.toString();
  }
}
