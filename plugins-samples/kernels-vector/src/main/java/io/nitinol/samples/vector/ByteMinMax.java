// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Minimum and maximum of every type of 8 bits, by comparison of keys: signed integers that sort as
 * the elements do. For a minimum all bits of the key are inverted, and the greatest key wins.
 */
final class ByteMinMax extends VectorFunction {

  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;

  private final boolean isFloat;

  /** What turns an element (an ordered one, if it is a float) into its key and back. */
  private final byte flip;

  /** Largest magnitude that is not a NaN, where elements are floats. */
  private final byte maxNumber;

  ByteMinMax(DataType type, ReductionOp op) {
    super(Byte.BYTES, false, false);
    this.isFloat = type.isFloat();
    byte unsigned = type == DataType.UINT8 ? Byte.MIN_VALUE : 0;
    this.flip = (byte) (unsigned ^ (op == ReductionOp.MIN ? -1 : 0));
    this.maxNumber = (byte) (type == DataType.FLOAT8E4M3 ? 0x7e : 0x7c);
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
      byte flip) {
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
      byte flip,
      byte maxNumber) {
    MemorySegment left = plain(a);
    MemorySegment right = plain(b);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(
          number(load(left, aAt + at), load(right, bAt + at), flip, maxNumber), result, dstAt + at);
    }
  }

  private static ByteVector integer(ByteVector x, ByteVector y, byte flip) {
    return xor(xor(x, flip).max(xor(y, flip)), flip);
  }

  private static ByteVector number(ByteVector x, ByteVector y, byte flip, byte maxNumber) {
    return reorder(xor(key(x, flip, maxNumber).max(key(y, flip, maxNumber)), flip));
  }

  /** The least key of all for NaN, so that any number beats it; that key stands for a NaN again. */
  private static ByteVector key(ByteVector x, byte flip, byte maxNumber) {
    VectorMask<Byte> isNaN =
        x.lanewise(VectorOperators.AND, Byte.MAX_VALUE).compare(VectorOperators.GT, maxNumber);
    return xor(reorder(x), flip).blend(Byte.MIN_VALUE, isNaN);
  }

  /**
   * Between sign and magnitude, and integers that sort alike, with -0 below +0; its own inverse.
   */
  private static ByteVector reorder(ByteVector x) {
    return x.lanewise(VectorOperators.XOR, Byte.MAX_VALUE, x.compare(VectorOperators.LT, (byte) 0));
  }

  private static ByteVector xor(ByteVector x, byte bits) {
    return x.lanewise(VectorOperators.XOR, bits);
  }

  private static ByteVector load(MemorySegment segment, long at) {
    return ByteVector.fromMemorySegment(SPECIES, segment, at, NATIVE);
  }

  private static void store(ByteVector vector, MemorySegment segment, long at) {
    vector.intoMemorySegment(segment, at, NATIVE);
  }
}
