// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;

/**
 * Sum, product, and sum of contributions times a factor, of binary16, which the JDK's own
 * conversions vectorise.
 */
final class HalfKernel extends BlockFunction<short[]> {

  private final ReductionOp op;
  private final float factor;

  HalfKernel(ReductionOp op, float factor) {
    super(Short.BYTES, Block.OF_SHORTS, factor != 1, false, new NaNs(DataType.FLOAT16));
    this.op = op;
    this.factor = factor;
  }

  @Override
  void apply(short[] left, short[] right, int count) {
    if (op == ReductionOp.PROD) {
      multiply(left, right, count);
    } else {
      add(left, right, count);
    }
  }

  @Override
  void scale(short[] values, int count) {
    scale(values, count, factor);
  }

  private static void add(short[] left, short[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] =
          Float.floatToFloat16(Float.float16ToFloat(left[i]) + Float.float16ToFloat(right[i]));
    }
  }

  private static void multiply(short[] left, short[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] =
          Float.floatToFloat16(Float.float16ToFloat(left[i]) * Float.float16ToFloat(right[i]));
    }
  }

  private static void scale(short[] values, int count, float factor) {
    for (int i = 0; i < count; i++) {
      values[i] = Float.floatToFloat16(Float.float16ToFloat(values[i]) * factor);
    }
  }
}
