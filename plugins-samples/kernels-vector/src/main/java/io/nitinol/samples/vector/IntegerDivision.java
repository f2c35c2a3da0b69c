// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import static io.nitinol.samples.vector.VectorFunction.NATIVE;
import static io.nitinol.samples.vector.VectorFunction.VECTOR_BYTES;
import static io.nitinol.samples.vector.VectorFunction.plain;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Division of integers by a number of ranks, towards zero, without the divide instruction, which
 * vectors do not have.
 */
final class IntegerDivision {

  private static final VectorSpecies<Integer> WORDS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

  /** As many ints as there are doubles in a vector. */
  private static final VectorSpecies<Integer> INTS =
      VectorSpecies.of(int.class, VectorShape.forBitSize(4 * VECTOR_BYTES));

  private static final int HALF = Float.floatToRawIntBits(0.5f);

  private IntegerDivision() {}

  /**
   * Divides 8-bit integers, four to a word. A half is added to the magnitude first, so that the
   * quotient is at least half a divisor's reciprocal from any integer, which is far more than the
   * reciprocal's rounding error.
   */
  static void divideBytes(
      MemorySegment src,
      long srcAt,
      MemorySegment dst,
      long dstAt,
      long bytes,
      boolean signed,
      int divisor) {
    float reciprocal = 1f / divisor;
    MemorySegment operand = plain(src);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES) {
      quotients(load(operand, srcAt + at), signed, reciprocal)
          .intoMemorySegment(result, dstAt + at, NATIVE);
    }
  }

  private static IntVector load(MemorySegment segment, long at) {
    return IntVector.fromMemorySegment(WORDS, segment, at, NATIVE);
  }

  private static IntVector quotients(IntVector words, boolean signed, float reciprocal) {
    IntVector rest = words;
    IntVector quotients = words;
    for (int i = 0; i < Integer.BYTES; i++) {
      quotients =
          quotients
              .lanewise(VectorOperators.LSHL, Byte.SIZE)
              .or(quotient(rest, signed, reciprocal));
      rest = rest.lanewise(VectorOperators.LSHL, Byte.SIZE);
    }
    return quotients;
  }

  /** Divides the bytes at the words' top. */
  private static IntVector quotient(IntVector words, boolean signed, float reciprocal) {
    IntVector numbers =
        signed
            ? words.lanewise(VectorOperators.ASHR, Integer.SIZE - Byte.SIZE)
            : words.lanewise(VectorOperators.LSHR, Integer.SIZE - Byte.SIZE);
    FloatVector halves =
        numbers.and(Integer.MIN_VALUE).or(HALF).reinterpretAsFloats(); // with the number's sign
    FloatVector quotients =
        ((FloatVector) numbers.convert(VectorOperators.I2F, 0)).add(halves).mul(reciprocal);
    return ((IntVector) quotients.convert(VectorOperators.F2I, 0)).and(0xff);
  }

  /**
   * Divides 32-bit integers in double, which truncates to the same: the quotient's rounding error
   * is below 2^-21 / n, and nothing but an integer is nearer than 1/n to the integer above it.
   */
  static void divideInts(
      MemorySegment src,
      long srcAt,
      MemorySegment dst,
      long dstAt,
      long bytes,
      boolean signed,
      int divisor) {
    MemorySegment operand = plain(src);
    MemorySegment result = plain(dst);
    for (long at = 0; at < bytes; at += VECTOR_BYTES / 2) {
      quotients(operand, srcAt + at, signed, divisor).intoMemorySegment(result, dstAt + at, NATIVE);
    }
  }

  private static IntVector quotients(
      MemorySegment segment, long at, boolean signed, double divisor) {
    int flip = signed ? 0 : Integer.MIN_VALUE;
    double unflip = signed ? 0 : 0x1p31;
    IntVector numbers = IntVector.fromMemorySegment(INTS, segment, at, NATIVE);
    DoubleVector dividends =
        (DoubleVector)
            numbers
                .lanewise(VectorOperators.XOR, flip)
                .convertShape(VectorOperators.I2D, DOUBLES, 0);
    // The quotient is below 2^31, as divisors are 2 at least.
    return (IntVector)
        dividends.add(unflip).div(divisor).convertShape(VectorOperators.D2I, INTS, 0);
  }

  /**
   * Divides 64-bit integers one by one: no vector multiplies to 128 bits. The reciprocal is less
   * than 2^64 / divisor by one at most, so the product's upper half falls short of the quotient by
   * one at most.
   */
  static void divideLongs(
      MemorySegment src,
      long srcAt,
      MemorySegment dst,
      long dstAt,
      long bytes,
      boolean signed,
      int divisor) {
    long reciprocal = Long.divideUnsigned(-1L, divisor);
    for (long at = 0; at < bytes; at += Long.BYTES) {
      long value = src.get(ValueLayout.JAVA_LONG_UNALIGNED, srcAt + at);
      long sign = signed ? value >> 63 : 0;
      long magnitude = (value ^ sign) - sign;
      long estimate = Math.unsignedMultiplyHigh(magnitude, reciprocal);
      long remainder = magnitude - estimate * divisor; // below twice the divisor
      long quotient = remainder >= divisor ? estimate + 1 : estimate;
      dst.set(ValueLayout.JAVA_LONG_UNALIGNED, dstAt + at, (quotient ^ sign) - sign);
    }
  }
}
