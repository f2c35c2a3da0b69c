// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceReduction;
import java.util.Arrays;

/**
 * What of a reduction is done where, so that the result is the one of {@code docs/numerics.md}: a
 * pre-multiplied sum and an average of floating-point numbers multiply at the source, and all else
 * is a plain sum; an average of integers is a sum that is divided once, by the number of all ranks,
 * when every contribution is in.
 */
final class ReductionParts {
  private static final DeviceReduction[] SUMS =
      Arrays.stream(DataType.values())
          .map(type -> DeviceReduction.of(type, ReductionOp.SUM, 1))
          .toArray(DeviceReduction[]::new);

  private ReductionParts() {}

  /** Returns whether contributions are multiplied before anything is combined. */
  static boolean multiplies(DeviceReduction whole) {
    return whole.preMultiplied() || (whole.op() == ReductionOp.AVG && whole.type().isFloat());
  }

  /** Returns whether the result is divided at the end. */
  static boolean divides(DeviceReduction whole) {
    return whole.op() == ReductionOp.AVG && !whole.type().isFloat();
  }

  /** Returns what a team does with the contributions of its ranks. */
  static DeviceReduction inTeam(DeviceReduction whole) {
    return divides(whole) ? SUMS[whole.type().ordinal()] : whole;
  }

  /**
   * Returns the reduction that combines what two teams contribute, neither multiplied nor divided.
   */
  static DeviceReduction plain(DeviceReduction whole) {
    return whole.preMultiplied() || whole.op() == ReductionOp.AVG
        ? SUMS[whole.type().ordinal()]
        : whole;
  }

  /** Returns what the network does with what the teams contribute. */
  static ReductionOp betweenTeams(DeviceReduction whole) {
    return whole.op() == ReductionOp.AVG ? ReductionOp.SUM : whole.op();
  }
}
