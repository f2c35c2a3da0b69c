// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Elements whose reductions are exact in every order, as small numbers: what a sequential model
 * computes with {@code long} is what every right implementation gives, to the bit.
 */
public final class ExactElements {
  /** The types in which sums of sixteen small numbers and products of sixteen ones are exact. */
  public static final List<DataType> TYPES =
      List.of(
          DataType.INT8,
          DataType.UINT8,
          DataType.INT32,
          DataType.UINT64,
          DataType.FLOAT16,
          DataType.BFLOAT16,
          DataType.FLOAT32,
          DataType.FLOAT64);

  private ExactElements() {}

  /** Returns a small number that depends on everything. */
  public static long value(long seed, int rank, long index, ReductionOp op) {
    long z = seed + 0x9e37_79b9_7f4a_7c15L * (index + 1) + 0xd1b5_4a32_d192_ed03L * (rank + 1);
    z = (z ^ (z >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d0_49bb_1331_11ebL;
    long bits = z >>> 40;
    return op == ReductionOp.PROD ? 1 + (bits & 1) * (rank % 6 == 0 ? 1 : 0) : bits % 8;
  }

  /** Returns the reduction of two. */
  public static long combine(long a, long b, ReductionOp op) {
    return switch (op) {
      case SUM, AVG -> a + b;
      case PROD -> a * b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
    };
  }

  /** Writes {@code value} as an element of {@code type}. */
  public static void set(MemorySegment at, DataType type, long index, long value) {
    long offset = index * type.size();
    switch (type) {
      case INT8, UINT8, FLOAT8E4M3, FLOAT8E5M2 ->
          at.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
      case INT32, UINT32 -> at.set(ValueLayout.JAVA_INT_UNALIGNED, offset, (int) value);
      case INT64, UINT64 -> at.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
      case FLOAT16 ->
          at.set(ValueLayout.JAVA_SHORT_UNALIGNED, offset, Float.floatToFloat16((float) value));
      case BFLOAT16 ->
          at.set(
              ValueLayout.JAVA_SHORT_UNALIGNED,
              offset,
              (short) (Float.floatToIntBits((float) value) >>> 16));
      case FLOAT32 -> at.set(ValueLayout.JAVA_FLOAT_UNALIGNED, offset, (float) value);
      case FLOAT64 -> at.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset, (double) value);
    }
  }
}
