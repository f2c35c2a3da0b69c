// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/** Sum, product, average, and sum of contributions times a factor, of 64-bit integers. */
final class LongArithmetic extends VectorFunction {

  private static final VectorSpecies<Long> SPECIES = LongVector.SPECIES_PREFERRED;

  private final boolean product;
  private final long factor;
  private final boolean signed;
  private final int divisor;

  LongArithmetic(boolean product, long factor, boolean signed, int divisor) {
    super(Long.BYTES, factor != 1, divisor != 1);
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
    IntegerDivision.divideLongs(src, srcAt, dst, dstAt, bytes, signed, divisor);
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
    long multiplier = scaled ? factor : 1;
    for (long at = 0; at < bytes; at += Long.BYTES) {
      long left = a.get(ValueLayout.JAVA_LONG_UNALIGNED, aAt + at);
      long right = b.get(ValueLayout.JAVA_LONG_UNALIGNED, bAt + at);
      long result = product ? left * right : left + right * multiplier;
      dst.set(ValueLayout.JAVA_LONG_UNALIGNED, dstAt + at, result);
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
      MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes, long factor) {
    MemorySegment operand = plain(src);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(load(operand, srcAt + at).mul(factor), result, dstAt + at);
    }
  }

  private static LongVector load(MemorySegment segment, long at) {
    return LongVector.fromMemorySegment(SPECIES, segment, at, NATIVE);
  }

  private static void store(LongVector vector, MemorySegment segment, long at) {
    vector.intoMemorySegment(segment, at, NATIVE);
  }
}
