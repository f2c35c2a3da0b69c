// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.DataType;

/**
 * The floating-point types of 32 bits and fewer, from and to {@code float}. Every number of theirs
 * is a {@code float}; the way back rounds to the nearest, of two equally near ones to the even one.
 */
final class Floats {
  private Floats() {}

  static float decode(DataType type, int raw) {
    return switch (type) {
      case FLOAT16 -> Float.float16ToFloat((short) raw);
      case BFLOAT16 -> Float.intBitsToFloat(raw << 16);
      case FLOAT8E4M3 -> decode8(raw, 3);
      case FLOAT8E5M2 -> decode8(raw, 2);
      default -> Float.intBitsToFloat(raw);
    };
  }

  static int encode(DataType type, float value) {
    return switch (type) {
      case FLOAT16 -> Float.isNaN(value) ? 0x7fff : Float.floatToFloat16(value) & 0xffff;
      case BFLOAT16 -> encodeBrain(value);
      case FLOAT8E4M3 -> encode8(value, 3, 0x7e);
      case FLOAT8E5M2 -> encode8(value, 2, 0x7b);
      default -> Float.floatToIntBits(value); // one NaN for all
    };
  }

  private static int encodeBrain(float value) {
    if (Float.isNaN(value)) {
      return 0x7fff;
    }
    int bits = Float.floatToIntBits(value);
    int odd = (bits >>> 16) & 1;
    return (bits + 0x7fff + odd) >>> 16; // a carry into the exponent is right, up to infinity
  }

  /**
   * OCP's 8-bit floats, which differ in how many of 7 bits are mantissa and in what is no number.
   */
  private static float decode8(int raw, int mantissaBits) {
    int magnitude = raw & 0x7f;
    float number;
    if (magnitude == 0x7f || (mantissaBits == 2 && magnitude > 0x7c)) {
      number = Float.NaN;
    } else if (mantissaBits == 2 && magnitude == 0x7c) {
      number = Float.POSITIVE_INFINITY;
    } else {
      int exponent = magnitude >> mantissaBits;
      int hidden = exponent == 0 ? 0 : 1 << mantissaBits;
      int mantissa = (magnitude & ((1 << mantissaBits) - 1)) | hidden;
      number = Math.scalb((float) mantissa, Math.max(exponent, 1) + smallest(mantissaBits) - 1);
    }
    return (raw & 0x80) == 0 ? number : -number;
  }

  /** As NCCL's conversions do, finite numbers that are too large become the largest one. */
  private static int encode8(float value, int mantissaBits, int largest) {
    int sign = (Float.floatToRawIntBits(value) >>> 24) & 0x80;
    if (Float.isNaN(value)) {
      return 0x7f;
    }
    if (Float.isInfinite(value)) {
      return sign | (mantissaBits == 2 ? 0x7c : largest); // E4M3 has no infinity
    }
    int exponent = Math.max(Math.getExponent(value), smallest(mantissaBits) + mantissaBits);
    // In units of the last place, exact in a double, so that there is one rounding.
    double units = Math.rint(Math.scalb((double) Math.abs(value), mantissaBits - exponent));
    int magnitude =
        ((exponent - smallest(mantissaBits) - mantissaBits) << mantissaBits) + (int) units;
    return sign | Math.min(magnitude, largest);
  }

  /** The exponent of the smallest number above 0: 2^-9 in E4M3, 2^-16 in E5M2. */
  private static int smallest(int mantissaBits) {
    return mantissaBits == 3 ? -9 : -16;
  }
}
