// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Minimum and maximum of every type of 64 bits, by comparison of keys: signed integers that sort as
 * the elements do. For a minimum all bits of the key are inverted, and the greatest key wins.
 */
final class LongMinMax extends VectorFunction {

  private static final VectorSpecies<Long> SPECIES = LongVector.SPECIES_PREFERRED;

  private final boolean isFloat;

  /** What turns an element (an ordered one, if it is a float) into its key and back. */
  private final long flip;

  /** Largest magnitude that is not a NaN, where elements are floats. */
  private final long maxNumber;

  LongMinMax(DataType type, ReductionOp op) {
    super(Long.BYTES, false, false);
    this.isFloat = type.isFloat();
    long unsigned = type == DataType.UINT64 ? Long.MIN_VALUE : 0;
    this.flip = (unsigned ^ (op == ReductionOp.MIN ? -1 : 0));
    this.maxNumber = 0x7ff0000000000000L;
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
      long flip) {
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
      long flip,
      long maxNumber) {
    MemorySegment left = plain(a);
    MemorySegment right = plain(b);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(
          number(load(left, aAt + at), load(right, bAt + at), flip, maxNumber), result, dstAt + at);
    }
  }

  private static LongVector integer(LongVector x, LongVector y, long flip) {
    return xor(xor(x, flip).max(xor(y, flip)), flip);
  }

  private static LongVector number(LongVector x, LongVector y, long flip, long maxNumber) {
    return reorder(xor(key(x, flip, maxNumber).max(key(y, flip, maxNumber)), flip));
  }

  /** The least key of all for NaN, so that any number beats it; that key stands for a NaN again. */
  private static LongVector key(LongVector x, long flip, long maxNumber) {
    VectorMask<Long> isNaN =
        x.lanewise(VectorOperators.AND, Long.MAX_VALUE).compare(VectorOperators.GT, maxNumber);
    return xor(reorder(x), flip).blend(Long.MIN_VALUE, isNaN);
  }

  /**
   * Between sign and magnitude, and integers that sort alike, with -0 below +0; its own inverse.
   */
  private static LongVector reorder(LongVector x) {
    return x.lanewise(VectorOperators.XOR, Long.MAX_VALUE, x.compare(VectorOperators.LT, 0));
  }

  private static LongVector xor(LongVector x, long bits) {
    return x.lanewise(VectorOperators.XOR, bits);
  }

  private static LongVector load(MemorySegment segment, long at) {
    return LongVector.fromMemorySegment(SPECIES, segment, at, NATIVE);
  }

  private static void store(LongVector vector, MemorySegment segment, long at) {
    vector.intoMemorySegment(segment, at, NATIVE);
  }
}
