// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.core.kernel.SmallFloat;
import io.nitinol.spi.DataType;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of an element's bits. Every type has keys, numbers of as many bits that sort as the
 * elements do when compared unsigned; of the floats, NaNs are at both ends.
 */
record ElementFormat(DataType type, @Nullable SmallFloat small) {

  static ElementFormat of(DataType type) {
    return new ElementFormat(type, SmallFloat.of(type));
  }

  boolean unsigned() {
    return switch (type) {
      case UINT8, UINT32, UINT64 -> true;
      default -> false;
    };
  }

  /** Returns the number of significand bits of a floating-point type. */
  int precision() {
    if (small != null) {
      return small.precision();
    }
    return type == DataType.FLOAT64 ? 53 : 24;
  }

  /**
   * Returns the bits of an element, of which only the type's low ones count, without the others.
   */
  long truncate(long bits) {
    return bits & (-1L >>> (Long.SIZE - width()));
  }

  /** Returns an integer element as a long; an unsigned 64-bit one keeps its bits. */
  long integer(long bits) {
    int unused = Long.SIZE - width();
    return unsigned() ? (bits << unused) >>> unused : (bits << unused) >> unused;
  }

  /** Returns the number that a floating-point element stands for; doubles hold all of them. */
  double number(long bits) {
    if (small != null) {
      return small.decode((int) bits);
    }
    return type == DataType.FLOAT64
        ? Double.longBitsToDouble(bits)
        : Float.intBitsToFloat((int) bits);
  }

  /** Returns the floating-point element nearest to {@code number}. */
  long encode(double number) {
    if (small != null) {
      return small.encode((float) number);
    }
    return type == DataType.FLOAT64
        ? Double.doubleToRawLongBits(number)
        : truncate(Float.floatToRawIntBits((float) number));
  }

  /** Returns the element of a key; the keys of NaNs give the infinity or largest number beside. */
  long ofKey(long key) {
    long sign = 1L << (width() - 1);
    if (!type.isFloat()) {
      return unsigned() ? key : key ^ sign;
    }
    long bits = (key & sign) != 0 ? key ^ sign : truncate(~key);
    long magnitude = Math.min(bits & (sign - 1), greatestMagnitude());
    return (bits & sign) | magnitude;
  }

  /** Returns whether two floating-point elements are equal or at most {@code steps} apart. */
  boolean near(long a, long b, int steps) {
    if (!type.isFloat() || Double.isNaN(number(a)) || Double.isNaN(number(b))) {
      return false;
    }
    return number(a) == number(b)
        || (steps > 0 && Math.abs(signedMagnitude(a) - signedMagnitude(b)) <= steps);
  }

  /** Returns number and bits, for a message. */
  String describe(long bits) {
    String number;
    if (type.isFloat()) {
      number = type == DataType.FLOAT64 ? "" + number(bits) : "" + (float) number(bits);
    } else {
      long integer = integer(bits);
      number = unsigned() ? Long.toUnsignedString(integer) : Long.toString(integer);
    }
    return number + " (0x" + hex(bits) + ")";
  }

  private String hex(long bits) {
    String digits = Long.toHexString(bits);
    return "0".repeat(2 * type.size() - digits.length()) + digits;
  }

  private long signedMagnitude(long bits) {
    long sign = 1L << (width() - 1);
    long magnitude = bits & (sign - 1);
    return (bits & sign) == 0 ? magnitude : -magnitude;
  }

  private long greatestMagnitude() {
    return switch (type) {
      case FLOAT64 -> Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
      case FLOAT32 -> Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
      default -> encode(Double.POSITIVE_INFINITY);
    };
  }

  private int width() {
    return Byte.SIZE * type.size();
  }
}
