// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import java.util.List;
import java.util.Locale;

/** Prints a line for each interval, as iperf3 does. */
final class IntervalTable {
  private IntervalTable() {}

  /** Returns the lines above the first interval. */
  static List<String> titles() {
    return List.of(
        line("#          seconds", "operations", "time", "algbw", "busbw", "p50", "p99"),
        line("#", "", "(us)", "(GB/s)", "(GB/s)", "(us)", "(us)"));
  }

  /** Returns the line of an interval, or of the whole run. */
  static String line(IntervalFigures figures) {
    Measurement measurement = figures.row().outOfPlace();
    Percentiles spread = measurement.percentiles();
    return line(
            String.format(
                Locale.ROOT,
                "%18s",
                String.format(Locale.ROOT, "%.2f-%.2f", figures.begin(), figures.end())),
            Long.toString(figures.operations()),
            micros(measurement.seconds()),
            Figures.fitted(measurement.algorithmBandwidth(figures.row().bytes()), 6),
            Figures.fitted(figures.row().busBandwidth(measurement), 6),
            spread == null ? "N/A" : micros(spread.p50()),
            spread == null || !spread.hasP99() ? "N/A" : micros(spread.p99()))
        + (figures.total() ? "  total" : "");
  }

  private static String line(
      String seconds,
      String operations,
      String time,
      String algbw,
      String busbw,
      String p50,
      String p99) {
    return String.format(
        Locale.ROOT,
        "%-18s  %12s  %7s  %6s  %6s  %7s  %7s",
        seconds,
        operations,
        time,
        algbw,
        busbw,
        p50,
        p99);
  }

  private static String micros(double seconds) {
    return Figures.fitted(seconds * 1e6, 7);
  }
}
