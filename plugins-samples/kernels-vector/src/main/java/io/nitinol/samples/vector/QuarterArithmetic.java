// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sum, product, and sum of contributions times a factor, of 8-bit floats, four to a word: in
 * binary32, piece by piece, one position in the word after the other. Each conversion has a loop of
 * its own, as C2 does not inline all of them into one.
 */
final class QuarterArithmetic extends VectorFunction {

  private static final VectorSpecies<Integer> WORDS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Float> NUMBERS = FloatVector.SPECIES_PREFERRED;

  private final QuarterFormat format;
  private final boolean product;
  private final float factor;

  QuarterArithmetic(QuarterFormat format, boolean product, float factor) {
    super(Byte.BYTES, factor != 1, false);
    this.format = format;
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
    MemorySegment wide = VectorScratch.ofThisThread().wide;
    for (long at = 0; at < bytes; at += VectorScratch.PIECE_BYTES) {
      long length = Math.min(VectorScratch.PIECE_BYTES, bytes - at);
      // A position is written after it was read, and the others are left: the ranges may be one.
      for (int up = 0; up < Integer.SIZE; up += Byte.SIZE) {
        widen(a, aAt + at, wide, length, up, 1, format);
        if (product) {
          multiply(wide, b, bAt + at, length, up, format);
        } else {
          add(wide, b, bAt + at, length, up, format);
        }
        narrow(wide, dst, dstAt + at, length, up, format);
      }
    }
  }

  @Override
  void scale(MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes) {
    MemorySegment wide = VectorScratch.ofThisThread().wide;
    for (long at = 0; at < bytes; at += VectorScratch.PIECE_BYTES) {
      long length = Math.min(VectorScratch.PIECE_BYTES, bytes - at);
      for (int up = 0; up < Integer.SIZE; up += Byte.SIZE) {
        widen(src, srcAt + at, wide, length, up, factor, format);
        narrow(wide, dst, dstAt + at, length, up, format);
      }
    }
  }

  /** Makes numbers of the bytes that a shift by {@code up} brings to the words' top. */
  private static void widen(
      MemorySegment src,
      long srcAt,
      MemorySegment wide,
      long bytes,
      int up,
      float factor,
      QuarterFormat format) {
    MemorySegment operand = plain(src);
    MemorySegment result = plain(wide);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      numbers(operand, srcAt + at, up, format).mul(factor).intoMemorySegment(result, at, NATIVE);
    }
  }

  private static void add(
      MemorySegment wide, MemorySegment b, long bAt, long bytes, int up, QuarterFormat format) {
    MemorySegment left = plain(wide);
    MemorySegment right = plain(b);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      FloatVector.fromMemorySegment(NUMBERS, left, at, NATIVE)
          .add(numbers(right, bAt + at, up, format))
          .intoMemorySegment(left, at, NATIVE);
    }
  }

  private static void multiply(
      MemorySegment wide, MemorySegment b, long bAt, long bytes, int up, QuarterFormat format) {
    MemorySegment left = plain(wide);
    MemorySegment right = plain(b);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      FloatVector.fromMemorySegment(NUMBERS, left, at, NATIVE)
          .mul(numbers(right, bAt + at, up, format))
          .intoMemorySegment(left, at, NATIVE);
    }
  }

  /** Rounds numbers to bytes and puts them where their first operands came from. */
  private static void narrow(
      MemorySegment wide, MemorySegment dst, long dstAt, long bytes, int up, QuarterFormat format) {
    MemorySegment operand = plain(wide);
    MemorySegment result = plain(dst);
    int others = ~((-1 << (Integer.SIZE - Byte.SIZE)) >>> up);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      IntVector rounded =
          format.narrow(FloatVector.fromMemorySegment(NUMBERS, operand, at, NATIVE));
      IntVector.fromMemorySegment(WORDS, result, dstAt + at, NATIVE)
          .and(others)
          .or(rounded.lanewise(VectorOperators.LSHR, up))
          .intoMemorySegment(result, dstAt + at, NATIVE);
    }
  }

  private static FloatVector numbers(MemorySegment segment, long at, int up, QuarterFormat format) {
    IntVector words = IntVector.fromMemorySegment(WORDS, segment, at, NATIVE);
    return format.widen(words.lanewise(VectorOperators.LSHL, up));
  }
}
