// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Writes numbers as nccl-tests' table does. */
final class Figures {
  private static final int SIGNIFICANT = 6;

  private Figures() {}

  /**
   * Returns {@code value} in at most {@code width} characters: with two decimals where they fit,
   * else one, else none, else as a power of ten.
   */
  static String fitted(double value, int width) {
    for (int decimals = 2; decimals >= 0; decimals--) {
      String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
      if (text.length() <= width) {
        return text;
      }
    }
    return String.format(Locale.ROOT, width >= 7 ? "%.1e" : "%.0e", value);
  }

  /** Returns {@code value} as C's {@code %g}: six significant digits, no trailing zeros. */
  static String general(double value) {
    if (value == 0 || Double.isNaN(value) || Double.isInfinite(value)) {
      return value == 0 ? "0" : String.valueOf(value);
    }
    BigDecimal rounded =
        new BigDecimal(value)
            .round(new MathContext(SIGNIFICANT, RoundingMode.HALF_EVEN))
            .stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= -4 && exponent < SIGNIFICANT) {
      return rounded.toPlainString();
    }
    String sign = exponent < 0 ? "-" : "+";
    return rounded.movePointLeft(exponent).stripTrailingZeros().toPlainString()
        + String.format(Locale.ROOT, "e%s%02d", sign, Math.abs(exponent));
  }
}
