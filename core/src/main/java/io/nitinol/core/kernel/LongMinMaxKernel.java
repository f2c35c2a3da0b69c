// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;

/** Minimum and maximum of the 64-bit types, by the keys that {@link MinMaxKernel} explains. */
final class LongMinMaxKernel extends BlockFunction<long[]> {

  private static final long MAX_NUMBER = 0x7ff0000000000000L;

  private final boolean isFloat;
  private final long flip;

  LongMinMaxKernel(DataType type, ReductionOp op) {
    super(Long.BYTES, Block.OF_LONGS, false, false, null);
    this.isFloat = type.isFloat();
    this.flip = (type == DataType.UINT64 ? Long.MIN_VALUE : 0) ^ (op == ReductionOp.MIN ? -1L : 0);
  }

  @Override
  void apply(long[] left, long[] right, int count) {
    if (isFloat) {
      combineFloats(left, right, count, flip);
    } else {
      combineIntegers(left, right, count, flip);
    }
  }

  private static void combineIntegers(long[] left, long[] right, int count, long flip) {
    for (int i = 0; i < count; i++) {
      left[i] = Math.max(left[i] ^ flip, right[i] ^ flip) ^ flip;
    }
  }

  private static void combineFloats(long[] left, long[] right, int count, long flip) {
    for (int i = 0; i < count; i++) {
      long key = Math.max(floatKey(left[i], flip), floatKey(right[i], flip));
      left[i] = reorder(key ^ flip);
    }
  }

  private static long floatKey(long element, long flip) {
    long isNaN = (MAX_NUMBER - (element & Long.MAX_VALUE)) >> 63;
    return ((reorder(element) ^ flip) & ~isNaN) | (isNaN & Long.MIN_VALUE);
  }

  private static long reorder(long bits) {
    return bits ^ ((bits >> 63) & Long.MAX_VALUE);
  }
}
