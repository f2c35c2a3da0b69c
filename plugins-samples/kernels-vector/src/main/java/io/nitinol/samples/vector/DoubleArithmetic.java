// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Sum, product, and sum of contributions times a factor, of binary64. */
final class DoubleArithmetic extends VectorFunction {

  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;

  /** What every NaN becomes, so that neither order nor compiler can be seen in a result. */
  private static final double NAN = Double.longBitsToDouble(Long.MAX_VALUE);

  private final boolean product;
  private final double factor;

  DoubleArithmetic(boolean product, double factor) {
    super(Double.BYTES, factor != 1, false);
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
  void operateScaled(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long bytes) {
    addScaled(a, aAt, b, bAt, dst, dstAt, bytes, factor);
  }

  @Override
  void scale(MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes) {
    scale(src, srcAt, dst, dstAt, bytes, factor);
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
    double multiplier = scaled ? factor : 1;
    for (long at = 0; at < bytes; at += Double.BYTES) {
      double left = a.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, aAt + at);
      double right = b.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, bAt + at);
      double result = product ? left * right : left + right * multiplier;
      dst.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, dstAt + at, one(result));
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
      store(one(load(left, aAt + at).add(load(right, bAt + at))), result, dstAt + at);
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
      store(one(load(left, aAt + at).mul(load(right, bAt + at))), result, dstAt + at);
    }
  }

  private static void addScaled(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long bytes,
      double factor) {
    MemorySegment left = plain(a);
    MemorySegment right = plain(b);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(one(load(left, aAt + at).add(load(right, bAt + at).mul(factor))), result, dstAt + at);
    }
  }

  private static void scale(
      MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes, double factor) {
    MemorySegment operand = plain(src);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(one(load(operand, srcAt + at).mul(factor)), result, dstAt + at);
    }
  }

  private static DoubleVector one(DoubleVector result) {
    return result.blend(NAN, result.compare(VectorOperators.NE, result));
  }

  private static double one(double result) {
    return Double.isNaN(result) ? NAN : result;
  }

  private static DoubleVector load(MemorySegment segment, long at) {
    return DoubleVector.fromMemorySegment(SPECIES, segment, at, NATIVE);
  }

  private static void store(DoubleVector vector, MemorySegment segment, long at) {
    vector.intoMemorySegment(segment, at, NATIVE);
  }
}
