// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.util.Objects;

/**
 * What a reduction computes: the element type, the operator, and what is multiplied or divided
 * before and after; {@code docs/numerics.md} has every result bit by bit. Immutable; the caller
 * keeps one and passes it again and again.
 *
 * @param type the element type
 * @param op the operator; SUM where contributions are multiplied first
 * @param ranks how many ranks contribute in all, on other hosts too, at least 1; only AVG uses it
 * @param preMultiplied whether each rank multiplies its contribution by its own scalar first:
 *     NCCL's {@code ncclRedOpCreatePreMulSum}
 * @param scalarBits the scalar's encoding in the low bits, as wide as the type; 0 where nothing is
 *     multiplied
 */
public record DeviceReduction(
    DataType type, ReductionOp op, int ranks, boolean preMultiplied, long scalarBits) {

  /**
   * Checks that the parts go together.
   *
   * @throws IllegalArgumentException where they do not
   */
  public DeviceReduction {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(op, "op");
    if (ranks < 1) {
      throw new IllegalArgumentException("number of ranks: expected at least 1, got " + ranks);
    }
    if (preMultiplied && op != ReductionOp.SUM) {
      throw new IllegalArgumentException(
          "only a sum has contributions multiplied first, not " + op);
    }
    if (!preMultiplied && scalarBits != 0) {
      throw new IllegalArgumentException("a scalar, but nothing is multiplied: " + scalarBits);
    }
  }

  /**
   * Describes a reduction by one of the operators.
   *
   * @param type the element type
   * @param op the operator
   * @param ranks how many ranks contribute, at least 1
   * @return the reduction
   */
  public static DeviceReduction of(DataType type, ReductionOp op, int ranks) {
    return new DeviceReduction(type, op, ranks, false, 0);
  }

  /**
   * Describes a sum whose contributions are multiplied first.
   *
   * @param type the element type
   * @param ranks how many ranks contribute, at least 1
   * @param scalarBits the encoding of this rank's scalar
   * @return the reduction
   */
  public static DeviceReduction preMulSum(DataType type, int ranks, long scalarBits) {
    return new DeviceReduction(type, ReductionOp.SUM, ranks, true, scalarBits);
  }
}
