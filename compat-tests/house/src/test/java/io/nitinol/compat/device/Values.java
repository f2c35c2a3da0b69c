// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.device;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Small numbers in every type, which are exact there, so that results are compared bit by bit. */
final class Values {
  private Values() {}

  /** Returns the encoding of a number that the type has exactly, not negative. */
  static long bits(DataType type, double number) {
    return switch (type) {
      case INT8, UINT8, INT32, UINT32, INT64, UINT64 -> (long) number;
      case FLOAT64 -> Double.doubleToRawLongBits(number);
      case FLOAT32 -> Float.floatToRawIntBits((float) number);
      case FLOAT16 -> encode(number, 10, 15);
      case BFLOAT16 -> encode(number, 7, 127);
      case FLOAT8E4M3 -> encode(number, 3, 7);
      case FLOAT8E5M2 -> encode(number, 2, 15);
    };
  }

  private static long encode(double number, int mantissa, int bias) {
    if (number == 0) {
      return 0;
    }
    int exponent = Math.getExponent(number);
    double fraction = Math.scalb(number, -exponent) - 1;
    double scaled = Math.scalb(fraction, mantissa);
    if (scaled != Math.rint(scaled)) {
      throw new IllegalArgumentException(number + " is not exact with " + mantissa + " bits");
    }
    return (long) (exponent + bias) << mantissa | (long) scaled;
  }

  static void put(MemorySegment memory, DataType type, long index, double number) {
    long bits = bits(type, number);
    long at = index * type.size();
    switch (type.size()) {
      case 1 -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) bits);
      case 2 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) bits);
      case 4 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) bits);
      default -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, bits);
    }
  }
}
