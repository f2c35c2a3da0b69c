// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Minimum and maximum of every type of 16 bits, by comparison of keys: signed integers that sort as
 * the elements do. For a minimum all bits of the key are inverted, and the greatest key wins.
 */
final class ShortMinMax extends VectorFunction {

  private static final VectorSpecies<Short> SPECIES = ShortVector.SPECIES_PREFERRED;

  private final boolean isFloat;

  /** What turns an element (an ordered one, if it is a float) into its key and back. */
  private final short flip;

  /** Largest magnitude that is not a NaN, where elements are floats. */
  private final short maxNumber;

  ShortMinMax(DataType type, ReductionOp op) {
    super(Short.BYTES, false, false);
    this.isFloat = type.isFloat();
    this.flip = (short) (op == ReductionOp.MIN ? -1 : 0);
    this.maxNumber = (short) (type == DataType.FLOAT16 ? 0x7c00 : 0x7f80);
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
      short flip) {
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
      short flip,
      short maxNumber) {
    MemorySegment left = plain(a);
    MemorySegment right = plain(b);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(
          number(load(left, aAt + at), load(right, bAt + at), flip, maxNumber), result, dstAt + at);
    }
  }

  private static ShortVector integer(ShortVector x, ShortVector y, short flip) {
    return xor(xor(x, flip).max(xor(y, flip)), flip);
  }

  private static ShortVector number(ShortVector x, ShortVector y, short flip, short maxNumber) {
    return reorder(xor(key(x, flip, maxNumber).max(key(y, flip, maxNumber)), flip));
  }

  /** The least key of all for NaN, so that any number beats it; that key stands for a NaN again. */
  private static ShortVector key(ShortVector x, short flip, short maxNumber) {
    VectorMask<Short> isNaN =
        x.lanewise(VectorOperators.AND, Short.MAX_VALUE).compare(VectorOperators.GT, maxNumber);
    return xor(reorder(x), flip).blend(Short.MIN_VALUE, isNaN);
  }

  /**
   * Between sign and magnitude, and integers that sort alike, with -0 below +0; its own inverse.
   */
  private static ShortVector reorder(ShortVector x) {
    return x.lanewise(
        VectorOperators.XOR, Short.MAX_VALUE, x.compare(VectorOperators.LT, (short) 0));
  }

  private static ShortVector xor(ShortVector x, short bits) {
    return x.lanewise(VectorOperators.XOR, bits);
  }

  private static ShortVector load(MemorySegment segment, long at) {
    return ShortVector.fromMemorySegment(SPECIES, segment, at, NATIVE);
  }

  private static void store(ShortVector vector, MemorySegment segment, long at) {
    vector.intoMemorySegment(segment, at, NATIVE);
  }
}
