// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.numeric;

import io.nitinol.spi.DataType;

/**
 * A binary floating-point format that fits into a double: IEEE 754's layout of sign, exponent and
 * mantissa, with or without infinities.
 *
 * @param mantissa how many bits of the mantissa are stored
 * @param least the smallest exponent of a normal number
 * @param largest the bits of the largest finite number
 * @param infinities whether the largest exponent is for infinities and NaNs, as in IEEE 754; else
 *     only the number after {@code largest} is a NaN
 */
record FloatFormat(int mantissa, int least, long largest, boolean infinities) {
  private static final FloatFormat FLOAT16 = new FloatFormat(10, -14, 0x7BFF, true);
  private static final FloatFormat BFLOAT16 = new FloatFormat(7, -126, 0x7F7F, true);
  private static final FloatFormat E4M3 = new FloatFormat(3, -6, 0x7E, false);
  private static final FloatFormat E5M2 = new FloatFormat(2, -14, 0x7B, true);
  private static final FloatFormat FLOAT32 = new FloatFormat(23, -126, 0x7F7FFFFFL, true);
  private static final FloatFormat FLOAT64 = new FloatFormat(52, -1022, 0x7FEFFFFFFFFFFFFFL, true);

  /** Returns the format of a floating-point type. */
  static FloatFormat of(DataType type) {
    return switch (type) {
      case FLOAT16 -> FLOAT16;
      case BFLOAT16 -> BFLOAT16;
      case FLOAT8E4M3 -> E4M3;
      case FLOAT8E5M2 -> E5M2;
      case FLOAT32 -> FLOAT32;
      case FLOAT64 -> FLOAT64;
      default -> throw new IllegalArgumentException(type + " is no floating-point type");
    };
  }

  /** Returns the bit of the sign. */
  long sign() {
    return Long.highestOneBit(largest) << 1;
  }

  /** Returns the smallest positive number. */
  double smallest() {
    return Math.scalb(1.0, least - mantissa);
  }

  /** Returns the bits of infinity; of the NaN where there is none. */
  long infinity() {
    return largest + 1;
  }

  /** Returns the bits of a NaN. */
  long nan() {
    return infinities ? infinity() | 1L << (mantissa - 1) : infinity();
  }

  /** Returns whether these bits are a NaN. */
  boolean isNan(long bits) {
    long magnitude = bits & (sign() - 1);
    return infinities ? magnitude > infinity() : magnitude == infinity();
  }

  /** Returns the value of these bits. */
  double decode(long bits) {
    long magnitude = bits & (sign() - 1);
    double value;
    if (isNan(bits)) {
      return Double.NaN;
    } else if (magnitude > largest) {
      value = Double.POSITIVE_INFINITY;
    } else {
      long exponent = magnitude >>> mantissa;
      long fraction = magnitude & ((1L << mantissa) - 1);
      value =
          exponent == 0
              ? Math.scalb((double) fraction, least - mantissa)
              : Math.scalb(
                  (double) (fraction | 1L << mantissa), (int) exponent - 1 + least - mantissa);
    }
    return (bits & sign()) == 0 ? value : -value;
  }

  /** Returns the bits of the number nearest to a value; of two, of the one with an even end. */
  long encode(double value) {
    if (Double.isNaN(value)) {
      return nan();
    }
    long sign = Double.doubleToRawLongBits(value) < 0 ? sign() : 0;
    double magnitude = Math.abs(value);
    if (Double.isInfinite(magnitude)) {
      return sign | infinity();
    }
    int exponent = Math.max(Math.getExponent(magnitude), least);
    long steps = (long) Math.rint(Math.scalb(magnitude, mantissa - exponent));
    long bits = ((long) (exponent - least) << mantissa) + steps;
    return sign | Math.min(bits, infinity());
  }
}
