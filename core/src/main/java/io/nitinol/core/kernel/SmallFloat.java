// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import org.jspecify.annotations.Nullable;

/**
 * The floating-point formats narrower than binary32, and their conversion from and to {@code
 * float}. Exact rather than fast: kernels convert whole blocks in their own way and are tested
 * against this.
 */
public enum SmallFloat {
  /** IEEE 754 binary16: 5 exponent and 10 mantissa bits. */
  FLOAT16(16, 10, -14, 0x7bff, 0x7c00),
  /** The upper half of a binary32: 8 exponent and 7 mantissa bits. */
  BFLOAT16(16, 7, -126, 0x7f7f, 0x7f80),
  /** OCP E4M3: one NaN per sign, no infinity, largest number 448. */
  FLOAT8E4M3(8, 3, -6, 0x7e, 0x7e),
  /** OCP E5M2: IEEE-like, largest number 57344, but overflow gives that number as in NCCL. */
  FLOAT8E5M2(8, 2, -14, 0x7b, 0x7b);

  private final int mantissaBits;
  private final int minExponent;
  private final int magnitudeMask;
  private final int maxFinite;
  private final int overflow;

  SmallFloat(int width, int mantissaBits, int minExponent, int maxFinite, int overflow) {
    this.mantissaBits = mantissaBits;
    this.minExponent = minExponent;
    this.magnitudeMask = (1 << (width - 1)) - 1;
    this.maxFinite = maxFinite;
    this.overflow = overflow;
  }

  /** Returns the format of {@code type}, or null where it is no float narrower than binary32. */
  public static @Nullable SmallFloat of(DataType type) {
    return switch (type) {
      case FLOAT16 -> FLOAT16;
      case BFLOAT16 -> BFLOAT16;
      case FLOAT8E4M3 -> FLOAT8E4M3;
      case FLOAT8E5M2 -> FLOAT8E5M2;
      default -> null;
    };
  }

  /** Returns the number of significand bits, the hidden one included. */
  public int precision() {
    return mantissaBits + 1;
  }

  /**
   * Returns the encoding of the number nearest to {@code value}, of two equally near ones the even
   * one. Finite values beyond the largest number become infinity in the 16-bit formats and the
   * largest number in the 8-bit ones; infinity stays infinity where the format has it, and NaN
   * becomes the NaN with all magnitude bits set.
   *
   * @return the bits, in the low 8 or 16 of the result, the others zero
   */
  public int encode(float value) {
    int sign = value < 0 || 1 / value < 0 ? magnitudeMask + 1 : 0;
    if (Float.isNaN(value)) {
      return magnitudeMask;
    }
    if (Float.isInfinite(value)) {
      return sign | (this == FLOAT8E4M3 ? overflow : maxFinite + 1);
    }
    int exponent = Math.max(Math.getExponent(value), minExponent);
    // Exact in double, so rint rounds once. A carry into the next binade is right as it stands.
    double quanta = Math.rint(Math.scalb((double) Math.abs(value), mantissaBits - exponent));
    int magnitude = ((exponent - minExponent) << mantissaBits) + (int) quanta;
    return sign | (magnitude > maxFinite ? overflow : magnitude);
  }

  /**
   * Returns the number that {@code bits} stand for; every one is a {@code float}.
   *
   * @param bits an encoding in the low 8 or 16 bits, the others are ignored
   */
  public float decode(int bits) {
    int magnitude = bits & magnitudeMask;
    float number;
    if (magnitude > maxFinite) {
      boolean infinite = this != FLOAT8E4M3 && magnitude == maxFinite + 1;
      number = infinite ? Float.POSITIVE_INFINITY : Float.NaN;
    } else {
      int exponent = magnitude >> mantissaBits;
      int mantissa = magnitude & ((1 << mantissaBits) - 1);
      int significand = exponent == 0 ? mantissa : mantissa | (1 << mantissaBits);
      number =
          Math.scalb((float) significand, minExponent + Math.max(exponent, 1) - 1 - mantissaBits);
    }
    return (bits & (magnitudeMask + 1)) == 0 ? number : -number;
  }
}
