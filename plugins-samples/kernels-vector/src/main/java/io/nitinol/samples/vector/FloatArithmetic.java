// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Sum, product, and sum of contributions times a factor, of binary32. */
final class FloatArithmetic extends VectorFunction {

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

  /** What every NaN becomes, so that neither order nor compiler can be seen in a result. */
  private static final float NAN = Float.intBitsToFloat(Integer.MAX_VALUE);

  private final boolean product;
  private final float factor;

  FloatArithmetic(boolean product, float factor) {
    super(Float.BYTES, factor != 1, false);
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
    float multiplier = scaled ? factor : 1;
    for (long at = 0; at < bytes; at += Float.BYTES) {
      float left = a.get(ValueLayout.JAVA_FLOAT_UNALIGNED, aAt + at);
      float right = b.get(ValueLayout.JAVA_FLOAT_UNALIGNED, bAt + at);
      float result = product ? left * right : left + right * multiplier;
      dst.set(ValueLayout.JAVA_FLOAT_UNALIGNED, dstAt + at, one(result));
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
      float factor) {
    MemorySegment left = plain(a);
    MemorySegment right = plain(b);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(one(load(left, aAt + at).add(load(right, bAt + at).mul(factor))), result, dstAt + at);
    }
  }

  private static void scale(
      MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes, float factor) {
    MemorySegment operand = plain(src);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      store(one(load(operand, srcAt + at).mul(factor)), result, dstAt + at);
    }
  }

  private static FloatVector one(FloatVector result) {
    return result.blend(NAN, result.compare(VectorOperators.NE, result));
  }

  private static float one(float result) {
    return Float.isNaN(result) ? NAN : result;
  }

  private static FloatVector load(MemorySegment segment, long at) {
    return FloatVector.fromMemorySegment(SPECIES, segment, at, NATIVE);
  }

  private static void store(FloatVector vector, MemorySegment segment, long at) {
    vector.intoMemorySegment(segment, at, NATIVE);
  }
}
