// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.ReductionOp;

/** Sum, product, average, and sum of contributions times a scalar, of 64-bit integers. */
final class LongKernel extends BlockFunction<long[]> {

  private final ReductionOp op;
  private final long scalar;
  private final boolean signed;
  private final long divisor;
  private final long reciprocal;

  LongKernel(ReductionOp op, boolean signed, long scalar, int nRanks) {
    super(Long.BYTES, Block.OF_LONGS, scalar != 1, nRanks > 1, null);
    this.op = op;
    this.scalar = scalar;
    this.signed = signed;
    this.divisor = nRanks;
    this.reciprocal = Long.divideUnsigned(-1L, nRanks);
  }

  @Override
  void apply(long[] left, long[] right, int count) {
    if (op == ReductionOp.PROD) {
      multiply(left, right, count);
    } else {
      add(left, right, count);
    }
  }

  @Override
  void scale(long[] values, int count) {
    scale(values, count, scalar);
  }

  @Override
  void divide(long[] values, int count) {
    if (signed) {
      divideSigned(values, count, divisor, reciprocal);
    } else {
      divideUnsigned(values, count, divisor, reciprocal);
    }
  }

  private static void add(long[] left, long[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] += right[i];
    }
  }

  private static void multiply(long[] left, long[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] *= right[i];
    }
  }

  private static void scale(long[] values, int count, long scalar) {
    for (int i = 0; i < count; i++) {
      values[i] *= scalar;
    }
  }

  private static void divideSigned(long[] values, int count, long divisor, long reciprocal) {
    for (int i = 0; i < count; i++) {
      long sign = values[i] >> 63;
      long magnitude = (values[i] ^ sign) - sign;
      long quotient = quotient(magnitude, divisor, reciprocal);
      values[i] = (quotient ^ sign) - sign;
    }
  }

  private static void divideUnsigned(long[] values, int count, long divisor, long reciprocal) {
    for (int i = 0; i < count; i++) {
      values[i] = quotient(values[i], divisor, reciprocal);
    }
  }

  /**
   * Divides unsigned numbers without the divide instruction, which takes several times as long.
   * {@code reciprocal} is less than 2^64 / divisor by one at most, so the product's upper half
   * falls short of the quotient by one at most.
   */
  private static long quotient(long value, long divisor, long reciprocal) {
    long estimate = Math.unsignedMultiplyHigh(value, reciprocal);
    long remainder = value - estimate * divisor;
    return remainder >= divisor ? estimate + 1 : estimate; // remainder is below 2 * divisor
  }
}
