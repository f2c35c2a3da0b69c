// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/** Sum, product, average, and sum of contributions times a factor, of 32-bit integers. */
final class IntArithmetic extends VectorFunction {

  private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;

  private final boolean product;
  private final int factor;
  private final boolean signed;
  private final int divisor;

  IntArithmetic(boolean product, int factor, boolean signed, int divisor) {
    super(Integer.BYTES, factor != 1, divisor != 1);
    this.product = product;
    this.factor = factor;
    this.signed = signed;
    this.divisor = divisor;
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

  @Override
  void divide(MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes) {
    IntegerDivision.divideInts(src, srcAt, dst, dstAt, bytes, signed, divisor);
  }

  @Override
  void operateOnFew(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long bytes,
      boolean scaled) {
    int multiplier = scaled ? factor : 1;
    for (long at = 0; at < bytes; at += Integer.BYTES) {
      int left = a.get(ValueLayout.JAVA_INT_UNALIGNED, aAt + at);
      int right = b.get(ValueLayout.JAVA_INT_UNALIGNED, bAt + at);
      int result = product ? left * right : left + right * multiplier;
      dst.set(ValueLayout.JAVA_INT_UNALIGNED, dstAt + at, result);
    }
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
      store(load(left, aAt + at).add(load(right, bAt + at)), result, dstAt + at);
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
      store(load(left, aAt + at).mul(load(right, bAt + at)), result, dstAt + at);
    }
  }

  private static void scale(
      MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes, int factor) {
    MemorySegment operand = plain(src);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(load(operand, srcAt + at).mul(factor), result, dstAt + at);
    }
  }

  private static IntVector load(MemorySegment segment, long at) {
    return IntVector.fromMemorySegment(SPECIES, segment, at, NATIVE);
  }

  private static void store(IntVector vector, MemorySegment segment, long at) {
    vector.intoMemorySegment(segment, at, NATIVE);
  }
}
