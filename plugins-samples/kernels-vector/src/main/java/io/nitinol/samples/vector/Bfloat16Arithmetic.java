// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Sum, product, and sum of contributions times a factor, of bfloat16, two to a word. */
final class Bfloat16Arithmetic extends VectorFunction {

  private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;

  private final boolean product;
  private final float factor;

  Bfloat16Arithmetic(boolean product, float factor) {
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
    if (product) {
      multiply(a, aAt, b, bAt, dst, dstAt, bytes);
    } else {
      add(a, aAt, b, bAt, dst, dstAt, bytes);
    }
  }

  @Override
  void scale(MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes) {
    scale(src, srcAt, dst, dstAt, bytes, factor);
  }

  private static void add(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long bytes) {
    MemorySegment left = plain(a);
    MemorySegment right = plain(b);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(sum(load(left, aAt + at), load(right, bAt + at)), result, dstAt + at);
    }
  }

  private static void multiply(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long bytes) {
    MemorySegment left = plain(a);
    MemorySegment right = plain(b);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(product(load(left, aAt + at), load(right, bAt + at)), result, dstAt + at);
    }
  }

  private static void scale(
      MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes, float factor) {
    MemorySegment operand = plain(src);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(scaled(load(operand, srcAt + at), factor), result, dstAt + at);
    }
  }

  private static IntVector sum(IntVector x, IntVector y) {
    IntVector results = x;
    for (int i = 0; i < Integer.SIZE / Short.SIZE; i++) {
      results =
          up(results, Short.SIZE)
              .or(down(narrow(widen(x).add(widen(y))), Integer.SIZE - Short.SIZE));
      x = up(x, Short.SIZE);
      y = up(y, Short.SIZE);
    }
    return results;
  }

  private static IntVector product(IntVector x, IntVector y) {
    IntVector results = x;
    for (int i = 0; i < Integer.SIZE / Short.SIZE; i++) {
      results =
          up(results, Short.SIZE)
              .or(down(narrow(widen(x).mul(widen(y))), Integer.SIZE - Short.SIZE));
      x = up(x, Short.SIZE);
      y = up(y, Short.SIZE);
    }
    return results;
  }

  private static IntVector scaled(IntVector x, float factor) {
    IntVector results = x;
    for (int i = 0; i < Integer.SIZE / Short.SIZE; i++) {
      results =
          up(results, Short.SIZE).or(down(narrow(widen(x).mul(factor)), Integer.SIZE - Short.SIZE));
      x = up(x, Short.SIZE);
    }
    return results;
  }

  /** Bfloat16 is the upper half of binary32. */
  private static FloatVector widen(IntVector words) {
    return words.and(0xffff0000).reinterpretAsFloats();
  }

  /** Rounds to nearest, ties to even; a NaN becomes the one with all magnitude bits set. */
  private static IntVector narrow(FloatVector numbers) {
    IntVector bits = numbers.reinterpretAsInts();
    IntVector odd = bits.lanewise(VectorOperators.LSHR, 16).and(1);
    return bits.add(0x7fff)
        .add(odd)
        .and(0xffff0000)
        .blend(0x7fff0000, bits.and(Integer.MAX_VALUE).compare(VectorOperators.GT, 0x7f800000));
  }

  private static IntVector up(IntVector words, int bits) {
    return words.lanewise(VectorOperators.LSHL, bits);
  }

  private static IntVector down(IntVector words, int bits) {
    return words.lanewise(VectorOperators.LSHR, bits);
  }

  private static IntVector load(MemorySegment segment, long at) {
    return IntVector.fromMemorySegment(SPECIES, segment, at, NATIVE);
  }

  private static void store(IntVector vector, MemorySegment segment, long at) {
    vector.intoMemorySegment(segment, at, NATIVE);
  }
}
