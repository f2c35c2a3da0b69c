// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Combines elements of all types, each step rounded to the type (COLL-13). An integer travels as
 * the number that it is, or its lower bits; a floating-point number as its bits. What is made of
 * the same bits is the same everywhere: a NaN that comes out is always the same one, whatever the
 * processor would have made of it (COLL-12).
 */
final class MemoryElements {
  private MemoryElements() {}

  /**
   * Reduces the elements of several sources in their order.
   *
   * @param source where all the sources are
   * @param offsets where each begins
   * @param bytes how many bytes each has
   */
  static void reduce(
      DataType type,
      ReductionOp operator,
      MemorySegment source,
      long[] offsets,
      int bytes,
      MemorySegment target,
      long targetOffset) {
    int size = type.size();
    for (int at = 0; at < bytes; at += size) {
      long result = load(type, source, offsets[0] + at);
      for (int i = 1; i < offsets.length; i++) {
        result = combine(type, operator, result, load(type, source, offsets[i] + at));
      }
      store(size, target, targetOffset + at, result);
    }
  }

  private static long load(DataType type, MemorySegment segment, long offset) {
    return switch (type) {
      case INT8 -> segment.get(ValueLayout.JAVA_BYTE, offset);
      case UINT8, FLOAT8E4M3, FLOAT8E5M2 -> segment.get(ValueLayout.JAVA_BYTE, offset) & 0xffL;
      case FLOAT16, BFLOAT16 -> segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, offset) & 0xffffL;
      case INT32 -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
      case UINT32, FLOAT32 -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, offset) & 0xffff_ffffL;
      case INT64, UINT64, FLOAT64 -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    };
  }

  private static void store(int size, MemorySegment segment, long offset, long bits) {
    switch (size) {
      case 1 -> segment.set(ValueLayout.JAVA_BYTE, offset, (byte) bits);
      case 2 -> segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, offset, (short) bits);
      case 4 -> segment.set(ValueLayout.JAVA_INT_UNALIGNED, offset, (int) bits);
      default -> segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, bits);
    }
  }

  private static long combine(DataType type, ReductionOp operator, long a, long b) {
    return switch (type) {
      case INT8, UINT8, INT32, UINT32, INT64 -> signed(operator, a, b);
      case UINT64 -> unsigned(operator, a, b);
      case FLOAT64 ->
          Double.doubleToLongBits(
              combine(operator, Double.longBitsToDouble(a), Double.longBitsToDouble(b)));
      case FLOAT16, FLOAT32, BFLOAT16, FLOAT8E4M3, FLOAT8E5M2 ->
          Floats.encode(
              type, combine(operator, Floats.decode(type, (int) a), Floats.decode(type, (int) b)));
    };
  }

  private static long signed(ReductionOp operator, long a, long b) {
    return switch (operator) {
      case MAX -> Math.max(a, b);
      case MIN -> Math.min(a, b);
      default -> wrapping(operator, a, b);
    };
  }

  private static long unsigned(ReductionOp operator, long a, long b) {
    return switch (operator) {
      case MAX -> Long.compareUnsigned(a, b) > 0 ? a : b;
      case MIN -> Long.compareUnsigned(a, b) < 0 ? a : b;
      default -> wrapping(operator, a, b);
    };
  }

  /** The lower bits of sums and products do not depend on the upper ones. */
  private static long wrapping(ReductionOp operator, long a, long b) {
    return operator == ReductionOp.PROD ? a * b : a + b;
  }

  private static float combine(ReductionOp operator, float a, float b) {
    return switch (operator) {
      case PROD -> a * b;
      // A NaN is ignored, as in NCCL; Java's own would let it through.
      case MAX -> Float.isNaN(a) ? b : Float.isNaN(b) ? a : Math.max(a, b);
      case MIN -> Float.isNaN(a) ? b : Float.isNaN(b) ? a : Math.min(a, b);
      default -> a + b;
    };
  }

  private static double combine(ReductionOp operator, double a, double b) {
    return switch (operator) {
      case PROD -> a * b;
      case MAX -> Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
      case MIN -> Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b);
      default -> a + b;
    };
  }
}
