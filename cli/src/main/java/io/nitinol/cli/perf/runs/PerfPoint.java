// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import io.nitinol.toolkit.ErrorText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * The figures of one size.
 *
 * @param micros the time of one operation in microseconds
 * @param algorithmBandwidth in 1e9 bytes per second
 * @param busBandwidth in 1e9 bytes per second
 * @param wrong wrong elements; {@link #UNCHECKED} where nobody looked
 * @param steady whether operations had stopped getting faster before
 * @param spread how the times of single operations are spread, in microseconds, in the order of
 *     {@link #SPREAD}; empty where they were not taken one by one
 */
record PerfPoint(
    PointKey key,
    double micros,
    double algorithmBandwidth,
    double busBandwidth,
    double wrong,
    boolean steady,
    List<Double> spread) {
  static final double UNCHECKED = -1;

  /** The names of the figures of {@link #spread}, as the file has them. */
  static final List<String> SPREAD = List.of("min", "p50", "p90", "p99", "p99.9", "max");

  private static final int DIGITS = 4;
  private static final int MOST_DECIMALS = 9;

  /** What {@link #isFigure} takes, in words. */
  static final String FIGURES = "0, or a number from 1e-30 to 1e30";

  PerfPoint {
    spread = List.copyOf(spread);
  }

  /** Creates the figures of operations that were not taken one by one. */
  PerfPoint(
      PointKey key,
      double micros,
      double algorithmBandwidth,
      double busBandwidth,
      double wrong,
      boolean steady) {
    this(key, micros, algorithmBandwidth, busBandwidth, wrong, steady, List.of());
  }

  /** Returns whether a number can be a figure; others would be on no axis of a chart. */
  static boolean isFigure(double value) {
    return value == 0 || (value >= 1e-30 && value <= 1e30);
  }

  /** Returns the same figures, of operations that were still getting faster. */
  PerfPoint unsteady() {
    return new PerfPoint(key, micros, algorithmBandwidth, busBandwidth, wrong, false, spread);
  }

  /** Returns why the figures are not to be believed, in words; nothing where they are. */
  List<String> doubts() {
    List<String> doubts = new ArrayList<>();
    if (wrong > 0) {
      doubts.add(ErrorText.of("%.0f wrong elements", wrong));
    }
    if (!steady) {
      doubts.add("not steady");
    }
    return doubts;
  }

  /** Returns a figure with four digits at least, and all of those before the point. */
  static String figure(double value) {
    int before = value == 0 ? DIGITS : (int) Math.floor(Math.log10(value)) + 1;
    return BigDecimal.valueOf(value)
        .setScale(Math.clamp(DIGITS - before, 0, MOST_DECIMALS), RoundingMode.HALF_EVEN)
        .toPlainString();
  }
}
