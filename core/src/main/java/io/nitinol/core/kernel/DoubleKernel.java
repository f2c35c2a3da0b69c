// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;

/** Sum, product, and sum of contributions times a factor, of binary64. */
final class DoubleKernel extends BlockFunction<double[]> {

  private final ReductionOp op;
  private final double factor;

  DoubleKernel(ReductionOp op, double factor) {
    super(Double.BYTES, Block.OF_DOUBLES, factor != 1, false, new NaNs(DataType.FLOAT64));
    this.op = op;
    this.factor = factor;
  }

  @Override
  void apply(double[] left, double[] right, int count) {
    if (op == ReductionOp.PROD) {
      multiply(left, right, count);
    } else {
      add(left, right, count);
    }
  }

  @Override
  void scale(double[] values, int count) {
    scale(values, count, factor);
  }

  private static void add(double[] left, double[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] += right[i];
    }
  }

  private static void multiply(double[] left, double[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] *= right[i];
    }
  }

  private static void scale(double[] values, int count, double factor) {
    for (int i = 0; i < count; i++) {
      values[i] *= factor;
    }
  }
}
