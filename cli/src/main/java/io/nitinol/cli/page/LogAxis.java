// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.page;

import io.nitinol.toolkit.SizeText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/** A logarithmic axis from one power of its base to another one. */
final class LogAxis {
  private static final int MOST_STEPS = 10;

  private final int base;
  private final int low;
  private final int high;

  private LogAxis(int base, double least, double most) {
    this.base = base;
    this.low = (int) Math.floor(exponent(base, least));
    this.high = Math.max(low + 1, (int) Math.ceil(exponent(base, most)));
  }

  /** Returns an axis of numbers of bytes. */
  static LogAxis ofBytes(double least, double most) {
    return new LogAxis(2, least, most);
  }

  /** Returns an axis of other figures. */
  static LogAxis ofFigures(double least, double most) {
    return new LogAxis(10, least, most);
  }

  /** A power of the base is one, although its logarithm was rounded. */
  private static double exponent(int base, double value) {
    double exponent = Math.log(value) / Math.log(base);
    double whole = Math.rint(exponent);
    return Math.abs(exponent - whole) < 1e-9 ? whole : exponent;
  }

  /** Returns where a value is, from 0 at the axis' beginning to 1 at its end. */
  double place(double value) {
    return (exponent(base, value) - low) / (high - low);
  }

  /** Returns the values that have a line across the chart and a label. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    int step = Math.ceilDiv(high - low, MOST_STEPS);
    for (int exponent = low; exponent <= high; exponent += step) {
      double power = Math.pow(base, exponent);
      ticks.add(power);
      if (base == 10 && high - low <= 2 && exponent < high) {
        ticks.add(2 * power);
        ticks.add(5 * power);
      }
    }
    return ticks;
  }

  /** Returns the label of a tick. */
  String label(double value) {
    return base == 2 ? SizeText.of((long) value) : figure(value);
  }

  private static String figure(double value) {
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(4)).stripTrailingZeros();
    boolean plain = value < 1e7 && value > 1e-5;
    return plain ? rounded.toPlainString() : rounded.toString();
  }
}
