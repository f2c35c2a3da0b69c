// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;

/** Sum, product, average, and sum of contributions times a factor, of 8-bit integers. */
final class ByteArithmetic extends VectorFunction {

  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;

  private final boolean product;
  private final byte factor;
  private final boolean signed;
  private final int divisor;

  ByteArithmetic(boolean product, byte factor, boolean signed, int divisor) {
    super(Byte.BYTES, factor != 1, divisor != 1);
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
    IntegerDivision.divideBytes(src, srcAt, dst, dstAt, bytes, signed, divisor);
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
      MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes, byte factor) {
    MemorySegment operand = plain(src);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(load(operand, srcAt + at).mul(factor), result, dstAt + at);
    }
  }

  private static ByteVector load(MemorySegment segment, long at) {
    return ByteVector.fromMemorySegment(SPECIES, segment, at, NATIVE);
  }

  private static void store(ByteVector vector, MemorySegment segment, long at) {
    vector.intoMemorySegment(segment, at, NATIVE);
  }
}
