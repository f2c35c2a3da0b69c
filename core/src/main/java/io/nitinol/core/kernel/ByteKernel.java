// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.ReductionOp;

/**
 * Sum, product, average, and sum of contributions times a scalar, of 8-bit integers. Two's
 * complement makes signed and unsigned one.
 */
final class ByteKernel extends BlockFunction<byte[]> {

  private final ReductionOp op;
  private final int scalar;
  private final ByteMap quotients;

  ByteKernel(ReductionOp op, boolean signed, int scalar, int nRanks) {
    super(Byte.BYTES, Block.OF_BYTES, scalar != 1, nRanks > 1, null);
    this.op = op;
    this.scalar = scalar;
    this.quotients = new ByteMap(bits -> (signed ? (byte) bits : bits) / nRanks);
  }

  @Override
  void apply(byte[] left, byte[] right, int count) {
    if (op == ReductionOp.PROD) {
      multiply(left, right, count);
    } else {
      add(left, right, count);
    }
  }

  @Override
  void scale(byte[] values, int count) {
    scale(values, count, scalar);
  }

  @Override
  void divide(byte[] values, int count) {
    quotients.apply(values, count);
  }

  private static void add(byte[] left, byte[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] = (byte) (left[i] + right[i]);
    }
  }

  private static void multiply(byte[] left, byte[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] = (byte) (left[i] * right[i]);
    }
  }

  private static void scale(byte[] values, int count, int scalar) {
    for (int i = 0; i < count; i++) {
      values[i] = (byte) (values[i] * scalar);
    }
  }
}
