// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.ReductionOp;

/** Sum, product, average, and sum of contributions times a scalar, of 32-bit integers. */
final class IntKernel extends BlockFunction<int[]> {

  private final ReductionOp op;
  private final int scalar;
  private final boolean signed;
  private final double divisor;

  IntKernel(ReductionOp op, boolean signed, int scalar, int nRanks) {
    super(Integer.BYTES, Block.OF_INTS, scalar != 1, nRanks > 1, null);
    this.op = op;
    this.scalar = scalar;
    this.signed = signed;
    this.divisor = nRanks;
  }

  @Override
  void apply(int[] left, int[] right, int count) {
    if (op == ReductionOp.PROD) {
      multiply(left, right, count);
    } else {
      add(left, right, count);
    }
  }

  @Override
  void scale(int[] values, int count) {
    scale(values, count, scalar);
  }

  // Division in double vectorises where integer division does not, and truncates to the same: the
  // quotient's rounding error is below 2^-21 / n, and nothing but an integer is nearer than 1/n to
  // the integer above it.
  @Override
  void divide(int[] values, int count) {
    if (signed) {
      divideSigned(values, count, divisor);
    } else {
      divideUnsigned(values, count, divisor);
    }
  }

  private static void add(int[] left, int[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] += right[i];
    }
  }

  private static void multiply(int[] left, int[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] *= right[i];
    }
  }

  private static void scale(int[] values, int count, int scalar) {
    for (int i = 0; i < count; i++) {
      values[i] *= scalar;
    }
  }

  private static void divideSigned(int[] values, int count, double divisor) {
    for (int i = 0; i < count; i++) {
      values[i] = (int) (values[i] / divisor);
    }
  }

  private static void divideUnsigned(int[] values, int count, double divisor) {
    for (int i = 0; i < count; i++) {
      double value = (values[i] ^ Integer.MIN_VALUE) + 0x1p31;
      values[i] = (int) (value / divisor); // below 2^31, as divisor is 2 at least
    }
  }
}
