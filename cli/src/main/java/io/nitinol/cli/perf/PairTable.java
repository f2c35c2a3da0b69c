// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Prints the figures of all pairs as two matrices: a line for each sender. */
final class PairTable {
  private PairTable() {}

  /**
   * Returns the lines.
   *
   * @param pairs all ordered pairs, by sender and then by receiver
   */
  static List<String> lines(List<PairFigures> pairs) {
    List<String> lines = new ArrayList<>();
    lines.add("# Latency (us): half a round trip, which the rank of the line begins");
    add(lines, pairs, pair -> pair.latency() * 1e6);
    lines.add("#");
    lines.add("# Bandwidth (GB/s): from the rank of the line to that of the column");
    add(lines, pairs, PairFigures::bandwidth);
    lines.add("#");
    PairFigures late = latest(pairs);
    lines.add(
        ErrorText.of(
            "# %-20s : %s with %s us; the median is %s us",
            "Longest latency",
            late.name(),
            Figures.general(late.latency() * 1e6),
            Figures.general(median(pairs, pair -> pair.latency() * 1e6))));
    PairFigures slow = slowest(pairs);
    lines.add(
        ErrorText.of(
            "# %-20s : %s with %s GB/s; the median is %s GB/s",
            "Slowest pair",
            slow.name(),
            Figures.general(slow.bandwidth()),
            Figures.general(median(pairs, PairFigures::bandwidth))));
    for (PairFigures pair : pairs) {
      if (!pair.row().outOfPlace().steady()) {
        lines.add(
            ErrorText.of(
                "# %s: not steady after the longest warm-up, so it is not to be believed",
                pair.name()));
      }
    }
    return lines;
  }

  /** Returns the pair with the least bandwidth. */
  static PairFigures slowest(List<PairFigures> pairs) {
    return pairs.stream().min(Comparator.comparingDouble(PairFigures::bandwidth)).orElseThrow();
  }

  /** Returns the pair with the longest latency. */
  static PairFigures latest(List<PairFigures> pairs) {
    return pairs.stream().max(Comparator.comparingDouble(PairFigures::latency)).orElseThrow();
  }

  private static double median(List<PairFigures> pairs, ToDoubleFunction<PairFigures> figure) {
    // There is always an even number of ordered pairs: the middle is between two of them.
    double[] sorted = pairs.stream().mapToDouble(figure).sorted().toArray();
    return (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
  }

  /** Small messages have a bandwidth that two decimals would make 0. */
  private static String cell(double value) {
    return value < 0.1 ? String.format(Locale.ROOT, "%.2g", value) : Figures.fitted(value, 8);
  }

  private static void add(
      List<String> lines, List<PairFigures> pairs, ToDoubleFunction<PairFigures> figure) {
    int ranks = pairs.getLast().from() + 1;
    StringBuilder titles = new StringBuilder("#  from");
    for (int to = 0; to < ranks; to++) {
      titles.append(String.format(Locale.ROOT, "  %8s", "to " + to));
    }
    lines.add(titles.toString());
    int next = 0;
    for (int from = 0; from < ranks; from++) {
      StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%7d", from));
      for (int to = 0; to < ranks; to++) {
        String text = from == to ? "-" : cell(figure.applyAsDouble(pairs.get(next++)));
        line.append(String.format(Locale.ROOT, "  %8s", text));
      }
      lines.add(line.toString());
    }
  }
}
