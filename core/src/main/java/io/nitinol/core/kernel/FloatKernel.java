// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;

/** Sum, product, and sum of contributions times a factor, of binary32. */
final class FloatKernel extends BlockFunction<float[]> {

  private final ReductionOp op;
  private final float factor;

  FloatKernel(ReductionOp op, float factor) {
    super(Float.BYTES, Block.OF_FLOATS, factor != 1, false, new NaNs(DataType.FLOAT32));
    this.op = op;
    this.factor = factor;
  }

  @Override
  void apply(float[] left, float[] right, int count) {
    if (op == ReductionOp.PROD) {
      multiply(left, right, count);
    } else {
      add(left, right, count);
    }
  }

  @Override
  void scale(float[] values, int count) {
    scale(values, count, factor);
  }

  static void add(float[] left, float[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] += right[i];
    }
  }

  private static void multiply(float[] left, float[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] *= right[i];
    }
  }

  static void scale(float[] values, int count, float factor) {
    for (int i = 0; i < count; i++) {
      values[i] *= factor;
    }
  }
}
