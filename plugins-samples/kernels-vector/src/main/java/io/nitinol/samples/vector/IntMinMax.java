// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Minimum and maximum of every type of 32 bits, by comparison of keys: signed integers that sort as
 * the elements do. For a minimum all bits of the key are inverted, and the greatest key wins.
 */
final class IntMinMax extends VectorFunction {

  private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;

  private final boolean isFloat;

  /** What turns an element (an ordered one, if it is a float) into its key and back. */
  private final int flip;

  /** Largest magnitude that is not a NaN, where elements are floats. */
  private final int maxNumber;

  IntMinMax(DataType type, ReductionOp op) {
    super(Integer.BYTES, false, false);
    this.isFloat = type.isFloat();
    int unsigned = type == DataType.UINT32 ? Integer.MIN_VALUE : 0;
    this.flip = (unsigned ^ (op == ReductionOp.MIN ? -1 : 0));
    this.maxNumber = 0x7f800000;
  }

  @Override
  void operate(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long bytes) {
    if (isFloat) {
      floats(a, aAt, b, bAt, dst, dstAt, bytes, flip, maxNumber);
    } else {
      integers(a, aAt, b, bAt, dst, dstAt, bytes, flip);
    }
  }

  private static void integers(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long bytes,
      int flip) {
    MemorySegment left = plain(a);
    MemorySegment right = plain(b);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(integer(load(left, aAt + at), load(right, bAt + at), flip), result, dstAt + at);
    }
  }

  private static void floats(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long bytes,
      int flip,
      int maxNumber) {
    MemorySegment left = plain(a);
    MemorySegment right = plain(b);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(
          number(load(left, aAt + at), load(right, bAt + at), flip, maxNumber), result, dstAt + at);
    }
  }

  private static IntVector integer(IntVector x, IntVector y, int flip) {
    return xor(xor(x, flip).max(xor(y, flip)), flip);
  }

  private static IntVector number(IntVector x, IntVector y, int flip, int maxNumber) {
    return reorder(xor(key(x, flip, maxNumber).max(key(y, flip, maxNumber)), flip));
  }

  /** The least key of all for NaN, so that any number beats it; that key stands for a NaN again. */
  private static IntVector key(IntVector x, int flip, int maxNumber) {
    VectorMask<Integer> isNaN =
        x.lanewise(VectorOperators.AND, Integer.MAX_VALUE).compare(VectorOperators.GT, maxNumber);
    return xor(reorder(x), flip).blend(Integer.MIN_VALUE, isNaN);
  }

  /**
   * Between sign and magnitude, and integers that sort alike, with -0 below +0; its own inverse.
   */
  private static IntVector reorder(IntVector x) {
    return x.lanewise(VectorOperators.XOR, Integer.MAX_VALUE, x.compare(VectorOperators.LT, 0));
  }

  private static IntVector xor(IntVector x, int bits) {
    return x.lanewise(VectorOperators.XOR, bits);
  }

  private static IntVector load(MemorySegment segment, long at) {
    return IntVector.fromMemorySegment(SPECIES, segment, at, NATIVE);
  }

  private static void store(IntVector vector, MemorySegment segment, long at) {
    vector.intoMemorySegment(segment, at, NATIVE);
  }
}
