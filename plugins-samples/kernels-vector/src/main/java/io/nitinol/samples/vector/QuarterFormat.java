// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * A format of 8 bits, and its conversion from and to binary32 of the elements at the top of 32-bit
 * words.
 *
 * <p>Widening moves exponent and mantissa to where binary32 has them; what is missing then is the
 * difference of the biases, a factor that is a power of two. Narrowing rounds to nearest, ties to
 * even, by integer arithmetic; what becomes subnormal is rounded by adding a number whose last
 * place is the format's least number. A NaN becomes the one with all magnitude bits set.
 */
enum QuarterFormat {
  FLOAT8E4M3(20, 120, -6, 0x7f, 0x7e, 0x7e),
  FLOAT8E5M2(21, 112, -14, 0x7c, 0x7b, 0x7c);

  private static final int INFINITY = 0x7f800000;

  /** How far down an element's magnitude goes to have its exponent where binary32 has it. */
  private final int down;

  /** Lower mantissa bits of a binary32 that the format does not have. */
  private final int dropped;

  private final float unbias;

  /** The least magnitude that is not finite, moved down. */
  private final int special;

  /** Makes up for the biases, and rounds up what is more than half a last place. */
  private final int rebiasAndRound;

  /** Binary32 bits of the least normal number. */
  private final int minNormal;

  private final float subnormalRound;
  private final int subnormalRoundBits;

  /** The magnitude that a finite number too large becomes. */
  private final int greatest;

  private final int infinity;

  /** From a byte's lowest bit to that of a word's topmost byte. */
  private static final int POSITION = Integer.SIZE - Byte.SIZE;

  /** The bits of an element's magnitude, at the top of a word. */
  private static final int MAGNITUDE = Integer.MAX_VALUE & (-1 << POSITION);

  QuarterFormat(int dropped, int bias, int minExponent, int special, int greatest, int infinity) {
    this.down = POSITION - dropped;
    this.dropped = dropped;
    this.unbias = Math.scalb(1f, bias);
    this.special = special << POSITION >>> down;
    this.rebiasAndRound = (1 << (dropped - 1)) - 1 - (bias << 23);
    this.minNormal = Float.floatToRawIntBits(Math.scalb(1f, minExponent));
    this.subnormalRound = Math.scalb(1f, minExponent + dropped);
    this.subnormalRoundBits = Float.floatToRawIntBits(subnormalRound);
    this.greatest = greatest;
    this.infinity = infinity;
  }

  /** Returns the numbers that the elements at the top of {@code words} are. */
  FloatVector widen(IntVector words) {
    IntVector magnitude = words.and(MAGNITUDE).lanewise(VectorOperators.LSHR, down);
    VectorMask<Integer> isSpecial = magnitude.compare(VectorOperators.GE, special);
    IntVector sign = words.and(Integer.MIN_VALUE);
    return magnitude
        .reinterpretAsFloats()
        .mul(unbias)
        .reinterpretAsInts()
        .lanewise(VectorOperators.OR, INFINITY, isSpecial)
        .or(sign)
        .reinterpretAsFloats();
  }

  /** Returns the number that the element at the top of {@code word} is. */
  float widen(int word) {
    int magnitude = (word & MAGNITUDE) >>> down;
    int bits = Float.floatToRawIntBits(Float.intBitsToFloat(magnitude) * unbias);
    int sign = word & Integer.MIN_VALUE;
    return Float.intBitsToFloat(bits | (magnitude >= special ? INFINITY : 0) | sign);
  }

  /** Returns the elements nearest to {@code numbers}, at the top of words that are zero below. */
  IntVector narrow(FloatVector numbers) {
    IntVector bits = numbers.reinterpretAsInts();
    IntVector magnitude = bits.and(Integer.MAX_VALUE);
    IntVector subnormal =
        magnitude
            .reinterpretAsFloats()
            .add(subnormalRound)
            .reinterpretAsInts()
            .sub(subnormalRoundBits);
    IntVector odd = magnitude.lanewise(VectorOperators.LSHR, dropped).and(1);
    IntVector code =
        magnitude
            .add(rebiasAndRound)
            .add(odd)
            .lanewise(VectorOperators.LSHR, dropped)
            .min(greatest)
            .blend(subnormal, magnitude.compare(VectorOperators.LT, minNormal))
            .blend(infinity, magnitude.compare(VectorOperators.EQ, INFINITY));
    return code.lanewise(VectorOperators.LSHL, POSITION)
        .or(bits.and(Integer.MIN_VALUE))
        .blend(MAGNITUDE, magnitude.compare(VectorOperators.GT, INFINITY));
  }
}
