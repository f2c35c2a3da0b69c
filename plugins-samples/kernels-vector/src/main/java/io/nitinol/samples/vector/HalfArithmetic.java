// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sum, product, and sum of contributions times a factor, of binary16. The Vector API has no
 * conversion of it, but C2 vectorises the JDK's own in loops over arrays: pieces are copied there.
 */
final class HalfArithmetic extends VectorFunction {

  private static final VectorSpecies<Short> SPECIES = ShortVector.SPECIES_PREFERRED;
  private static final int PIECE_BYTES = 8 << 10;
  private static final short NAN = Short.MAX_VALUE;
  private static final short INFINITY = 0x7c00;

  private static final ThreadLocal<Halves> HALVES = ThreadLocal.withInitial(Halves::new);

  private final boolean product;
  private final float factor;

  HalfArithmetic(boolean product, float factor) {
    super(Short.BYTES, factor != 1, false);
    this.product = product;
    this.factor = factor;
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
    operate(a, aAt, b, bAt, dst, dstAt, bytes, false);
  }

  @Override
  void operateScaled(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long bytes) {
    operate(a, aAt, b, bAt, dst, dstAt, bytes, true);
  }

  private void operate(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long bytes,
      boolean scaled) {
    Halves halves = HALVES.get();
    for (long at = 0; at < bytes; at += PIECE_BYTES) {
      int length = (int) Math.min(PIECE_BYTES, bytes - at);
      int count = length / Short.BYTES;
      MemorySegment.copy(a, aAt + at, halves.leftBytes, 0, length);
      MemorySegment.copy(b, bAt + at, halves.rightBytes, 0, length);
      if (scaled) {
        scale(halves.right, count, factor);
      }
      if (product) {
        multiply(halves.left, halves.right, count);
      } else {
        add(halves.left, halves.right, count);
      }
      MemorySegment.copy(halves.leftBytes, 0, dst, dstAt + at, length);
      replaceNaN(dst, dstAt + at, length);
    }
  }

  @Override
  void scale(MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes) {
    Halves halves = HALVES.get();
    for (long at = 0; at < bytes; at += PIECE_BYTES) {
      int length = (int) Math.min(PIECE_BYTES, bytes - at);
      MemorySegment.copy(src, srcAt + at, halves.leftBytes, 0, length);
      scale(halves.left, length / Short.BYTES, factor);
      MemorySegment.copy(halves.leftBytes, 0, dst, dstAt + at, length);
      replaceNaN(dst, dstAt + at, length);
    }
  }

  private static void add(short[] left, short[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] =
          Float.floatToFloat16(Float.float16ToFloat(left[i]) + Float.float16ToFloat(right[i]));
    }
  }

  private static void multiply(short[] left, short[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] =
          Float.floatToFloat16(Float.float16ToFloat(left[i]) * Float.float16ToFloat(right[i]));
    }
  }

  private static void scale(short[] values, int count, float factor) {
    for (int i = 0; i < count; i++) {
      values[i] = Float.floatToFloat16(Float.float16ToFloat(values[i]) * factor);
    }
  }

  /** Makes every NaN the same one, while the piece is still in the cache. */
  private static void replaceNaN(MemorySegment segment, long start, long bytes) {
    MemorySegment halves = plain(segment);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      ShortVector values = ShortVector.fromMemorySegment(SPECIES, halves, start + at, NATIVE);
      VectorMask<Short> isNaN = values.and(Short.MAX_VALUE).compare(VectorOperators.GT, INFINITY);
      values.blend(NAN, isNaN).intoMemorySegment(halves, start + at, NATIVE);
    }
  }

  /** One thread's operands. */
  private static final class Halves {
    final short[] left = new short[PIECE_BYTES / Short.BYTES];
    final short[] right = new short[PIECE_BYTES / Short.BYTES];
    final MemorySegment leftBytes = MemorySegment.ofArray(left);
    final MemorySegment rightBytes = MemorySegment.ofArray(right);
  }
}
