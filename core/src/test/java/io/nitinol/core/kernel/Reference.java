// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * What docs/numerics.md says, element by element, slow and plain: exact arithmetic on big numbers
 * and a search for the nearest encoding. Elements are their bits in the low end of a long.
 */
final class Reference {

  private Reference() {}

  static long reduce(DataType type, ReductionOp op, long a, long b) {
    if (op == ReductionOp.MIN || op == ReductionOp.MAX) {
      return extreme(type, op == ReductionOp.MAX, a, b);
    }
    boolean product = op == ReductionOp.PROD;
    if (!type.isFloat()) {
      BigInteger x = integer(type, a);
      BigInteger y = integer(type, b);
      return bits(type, product ? x.multiply(y) : x.add(y));
    }
    return product
        ? multiply(type, number(type, a), number(type, b))
        : add(type, number(type, a), number(type, b));
  }

  /** What an average does to a rank's own contribution. */
  static long average(DataType type, long value, int nRanks) {
    if (!type.isFloat() || nRanks == 1) {
      return value;
    }
    double factor = type == DataType.FLOAT64 ? 1.0 / nRanks : (float) (1.0 / nRanks);
    return multiply(type, number(type, value), factor);
  }

  /** What a pre-multiplied sum does to a rank's own contribution. */
  static long scaled(DataType type, long value, long scalar) {
    boolean one = scalar == (type.isFloat() ? encode(type, 1) : 1);
    return one ? value : reduce(type, ReductionOp.PROD, value, scalar);
  }

  /** What an average does to the complete sum. */
  static long post(DataType type, long value, int nRanks) {
    return type.isFloat()
        ? value
        : bits(type, integer(type, value).divide(BigInteger.valueOf(nRanks)));
  }

  static boolean isNaN(DataType type, long bits) {
    return type.isFloat() && Double.isNaN(number(type, bits));
  }

  private static long extreme(DataType type, boolean max, long a, long b) {
    int order;
    if (type.isFloat()) {
      double x = number(type, a);
      double y = number(type, b);
      if (Double.isNaN(x) || Double.isNaN(y)) {
        return Double.isNaN(x) ? b : a;
      }
      order = Double.compare(x, y);
    } else {
      order = integer(type, a).compareTo(integer(type, b));
    }
    return (order >= 0) == max ? a : b;
  }

  private static long add(DataType type, double a, double b) {
    double rounded = a + b;
    boolean special = Double.isNaN(rounded) || Double.isInfinite(a) || Double.isInfinite(b);
    return special || rounded == 0 // the double sum of any of our numbers is 0 only if it is exact
        ? encode(type, rounded)
        : round(type, new BigDecimal(a).add(new BigDecimal(b)), false);
  }

  private static long multiply(DataType type, double a, double b) {
    double rounded = a * b;
    boolean special = Double.isNaN(rounded) || Double.isInfinite(a) || Double.isInfinite(b);
    return special || a == 0 || b == 0
        ? encode(type, rounded)
        : round(
            type, new BigDecimal(a).multiply(new BigDecimal(b)), Math.signum(a) != Math.signum(b));
  }

  /**
   * Rounds to binary32 first where the type is narrower; {@code negative} is the sign of a zero.
   */
  private static long round(DataType type, BigDecimal exact, boolean negative) {
    if (type == DataType.FLOAT64) {
      double value = exact.doubleValue();
      return Double.doubleToRawLongBits(value == 0 && negative ? -0.0 : value);
    }
    float value = exact.floatValue();
    return encode(type, value == 0 && negative ? -0f : value);
  }

  private static BigInteger integer(DataType type, long bits) {
    boolean signed = type == DataType.INT8 || type == DataType.INT32 || type == DataType.INT64;
    int unused = 64 - 8 * type.size();
    return signed
        ? BigInteger.valueOf(bits << unused >> unused)
        : new BigInteger(Long.toUnsignedString(bits << unused >>> unused));
  }

  private static long bits(DataType type, BigInteger value) {
    return value.longValue() & mask(type);
  }

  static long mask(DataType type) {
    return -1L >>> (64 - 8 * type.size());
  }

  /** Returns the number that an encoding stands for; doubles hold all of them. */
  static double number(DataType type, long bits) {
    return switch (type) {
      case FLOAT64 -> Double.longBitsToDouble(bits);
      case FLOAT32 -> Float.intBitsToFloat((int) bits);
      case FLOAT16 -> number(bits, 5, 10, true);
      case BFLOAT16 -> number(bits, 8, 7, true);
      case FLOAT8E4M3 -> number(bits, 4, 3, false);
      case FLOAT8E5M2 -> number(bits, 5, 2, true);
      default -> throw new IllegalArgumentException(type.toString());
    };
  }

  private static double number(long bits, int exponentBits, int mantissaBits, boolean hasInfinity) {
    double sign = (bits >> (exponentBits + mantissaBits) & 1) == 0 ? 1 : -1;
    long exponent = bits >> mantissaBits & ((1L << exponentBits) - 1);
    long mantissa = bits & ((1L << mantissaBits) - 1);
    boolean last = exponent == (1L << exponentBits) - 1;
    if (hasInfinity && last) {
      return mantissa == 0 ? sign / 0 : Double.NaN;
    }
    if (!hasInfinity && last && mantissa == (1L << mantissaBits) - 1) {
      return Double.NaN;
    }
    int bias = (1 << (exponentBits - 1)) - 1;
    double significand = mantissa / (double) (1L << mantissaBits);
    return exponent == 0
        ? sign * Math.scalb(significand, 1 - bias)
        : sign * Math.scalb(1 + significand, (int) exponent - bias);
  }

  /** Encodes what is already a binary32 number (or, for float64, a double). */
  static long encode(DataType type, double value) {
    return switch (type) {
      case FLOAT64 -> Double.doubleToRawLongBits(value);
      case FLOAT32 -> Float.floatToRawIntBits((float) value) & 0xffffffffL;
      case FLOAT16 -> nearest(type, value, 0x7c00, 0x7c00, 0x7c00, 65536);
      case BFLOAT16 -> nearest(type, value, 0x7f80, 0x7f80, 0x7f80, 0x1p128);
      case FLOAT8E4M3 -> nearest(type, value, 0x7f, 0x7e, 0x7e, 480);
      case FLOAT8E5M2 -> nearest(type, value, 0x7c, 0x7b, 0x7c, 65536);
      default -> throw new IllegalArgumentException(type.toString());
    };
  }

  /**
   * Searches the encodings, which are in the order of their numbers.
   *
   * @param end the first encoding that is no finite number
   * @param overflow what a finite number becomes that rounds to {@code endValue}
   * @param infinity what infinity becomes
   * @param endValue the number {@code end} would be if the exponent range went on
   */
  private static long nearest(
      DataType type, double value, int end, int overflow, int infinity, double endValue) {
    long signBit = 1L << (8 * type.size() - 1);
    long sign = Double.doubleToRawLongBits(value) < 0 ? signBit : 0;
    double magnitude = Math.abs(value);
    if (Double.isNaN(value)) {
      return signBit - 1;
    }
    if (Double.isInfinite(value)) {
      return sign | infinity;
    }
    int low = 0;
    int high = end;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (number(type, middle) <= magnitude) {
        low = middle;
      } else {
        high = middle;
      }
    }
    // Differences of a float and its neighbours in a coarser grid are exact in double.
    double below = magnitude - number(type, low);
    double above = (high == end ? endValue : number(type, high)) - magnitude;
    long nearest = below < above || (below == above && low % 2 == 0) ? low : high;
    return sign | (nearest == end ? overflow : nearest);
  }
}
