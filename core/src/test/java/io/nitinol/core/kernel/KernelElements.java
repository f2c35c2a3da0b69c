// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** Arrays of elements of any type, as bits. */
final class KernelElements {

  private KernelElements() {}

  static long get(DataType type, MemorySegment segment, long offset) {
    return switch (type.size()) {
      case 1 -> segment.get(ValueLayout.JAVA_BYTE, offset) & 0xffL;
      case 2 -> segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, offset) & 0xffffL;
      case 4 -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, offset) & 0xffffffffL;
      default -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    };
  }

  static void set(DataType type, MemorySegment segment, long offset, long bits) {
    switch (type.size()) {
      case 1 -> segment.set(ValueLayout.JAVA_BYTE, offset, (byte) bits);
      case 2 -> segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, offset, (short) bits);
      case 4 -> segment.set(ValueLayout.JAVA_INT_UNALIGNED, offset, (int) bits);
      default -> segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, bits);
    }
  }

  static void fillRandomly(MemorySegment segment, RandomGenerator random) {
    for (long i = 0; i < segment.byteSize(); i++) {
      segment.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
    }
  }

  /** Encodings at which something changes, and their neighbours, of both signs. */
  static long[] edges(DataType type) {
    LongStream magnitudes =
        switch (type) {
          case FLOAT64 ->
              LongStream.of(
                  0,
                  1L << 51, // subnormal
                  1L << 52, // least normal
                  Double.doubleToLongBits(0x1p-511),
                  Double.doubleToLongBits(1.0),
                  Double.doubleToLongBits(0.1),
                  Double.doubleToLongBits(0x1p53),
                  Double.doubleToLongBits(0x1p511),
                  Double.doubleToLongBits(Double.POSITIVE_INFINITY),
                  Double.doubleToLongBits(Double.NaN));
          case FLOAT32 ->
              LongStream.of(
                  0,
                  1L << 22,
                  1L << 23,
                  Float.floatToIntBits(0x1p-63f),
                  Float.floatToIntBits(1f),
                  Float.floatToIntBits(0.1f),
                  Float.floatToIntBits(0x1p24f),
                  Float.floatToIntBits(0x1p63f),
                  Float.floatToIntBits(Float.POSITIVE_INFINITY),
                  Float.floatToIntBits(Float.NaN));
          default ->
              LongStream.concat(
                  LongStream.of(0, 3, 7, 10, 100, 641),
                  LongStream.range(1, 8L * type.size()).map(bit -> 1L << bit));
        };
    long sign = 1L << (8 * type.size() - 1);
    return magnitudes
        .flatMap(m -> LongStream.of(m, m + 1, m - 1))
        .flatMap(m -> LongStream.of(m, m ^ sign, ~m))
        .map(bits -> bits & Reference.mask(type))
        .distinct()
        .toArray();
  }
}
