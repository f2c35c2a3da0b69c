// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

/** Writes numbers of bytes as text that people read, in powers of 1024. */
public final class SizeText {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  private static final int STEP = 1024;

  /** From here on a digit behind the point would make it 1024.0. */
  private static final double ROUNDS_TO_STEP = STEP - 0.05;

  private SizeText() {}

  /**
   * Returns a number of bytes in the largest unit of which there is one after rounding, such as
   * {@code 64 MiB} or {@code 1.5 GiB}.
   *
   * @param bytes how many, from 0
   * @return the number and its unit
   */
  public static String of(long bytes) {
    return text(bytes, false);
  }

  /**
   * Returns the same with a digit behind the point of every unit but bytes, such as {@code 64.0
   * MiB}: a figure that changes while it is looked at keeps its form.
   *
   * @param bytes how many, from 0
   * @return the number and its unit
   */
  public static String ofChanging(long bytes) {
    return text(bytes, true);
  }

  private static String text(long bytes, boolean digit) {
    double value = (double) bytes;
    int unit = 0;
    while (value >= ROUNDS_TO_STEP && unit < UNITS.length - 1) {
      value /= STEP;
      unit++;
    }
    boolean whole = unit == 0 || (!digit && value == Math.rint(value));
    return whole
        ? ErrorText.of("%.0f %s", value, UNITS[unit])
        : ErrorText.of("%.1f %s", value, UNITS[unit]);
  }
}
