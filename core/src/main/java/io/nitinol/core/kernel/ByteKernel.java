// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.ReductionOp;

/** Sum, product and average of 8-bit integers. Two's complement makes signed and unsigned one. */
final class ByteKernel extends BlockFunction<byte[]> {

  private final ReductionOp op;
  private final ByteMap quotients;

  ByteKernel(ReductionOp op, boolean signed, int nRanks) {
    super(Byte.BYTES, Block.OF_BYTES, false, nRanks > 1);
    this.op = op;
    this.quotients = new ByteMap(bits -> (signed ? (byte) bits : bits) / nRanks);
  }

  @Override
  void combine(byte[] left, byte[] right, int count) {
    if (op == ReductionOp.PROD) {
      multiply(left, right, count);
    } else {
      add(left, right, count);
    }
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
}
