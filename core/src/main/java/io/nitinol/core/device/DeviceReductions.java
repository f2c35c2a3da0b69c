// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.call.Calls;
import io.nitinol.core.call.ScaledSum;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.toolkit.thread.OneThread;
import org.jspecify.annotations.Nullable;

/** The reductions of one communicator, made when first used: calls in a loop allocate nothing. */
@OneThread
final class DeviceReductions {
  private static final int OPERATORS = ReductionOp.values().length;

  private final Calls owner;
  private final int ranks;
  private final @Nullable DeviceReduction[] made =
      new @Nullable DeviceReduction[DataType.values().length * OPERATORS];

  DeviceReductions(Calls owner, int ranks) {
    this.owner = owner;
    this.ranks = ranks;
  }

  /** Returns the reduction by the one of {@code op} and {@code scaled} that is given. */
  DeviceReduction of(
      String call, DataType type, @Nullable ReductionOp op, @Nullable ScaledSum scaled) {
    if (op != null) {
      int place = type.ordinal() * OPERATORS + op.ordinal();
      DeviceReduction known = made[place];
      if (known == null) {
        known = DeviceReduction.of(type, op, ranks);
        made[place] = known;
      }
      return known;
    }
    if (scaled == null) {
      throw BufferCheck.invalid(call, "op", "null", "an operator");
    }
    if (!scaled.owner().equals(owner)) {
      throw BufferCheck.invalid(
          call, "op", "a pre-multiplied sum of another communicator", "one of this");
    }
    if (scaled.type() != type) {
      throw BufferCheck.invalid(
          call,
          "op",
          "a pre-multiplied sum of " + scaled.type().label(),
          "one of " + type.label() + ", the type of the elements");
    }
    return scaled.onDevice();
  }
}
