// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.spi.DataType;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.kernel.v1.ReduceFunction;

/**
 * The operator of a pre-multiplied sum on this rank.
 *
 * @param owner the calls of the communicator that it belongs to
 * @param function the kernel, which knows this rank's scalar
 * @param onDevice the same for device memory
 */
public record ScaledSum(
    Calls owner, DataType type, ReduceFunction function, DeviceReduction onDevice)
    implements Operator {

  @Override
  public int code() {
    return CollectiveCall.PRE_MUL_SUM;
  }

  @Override
  public ReduceFunction function(String call, Calls calls, DataType elements) {
    if (!owner.equals(calls)) {
      throw BufferCheck.invalid(
          call, "op", "a pre-multiplied sum of another communicator", "one of this");
    }
    if (type != elements) {
      throw BufferCheck.invalid(
          call,
          "op",
          "a pre-multiplied sum of " + type.label(),
          "one of " + elements.label() + ", the type of the elements");
    }
    return function;
  }
}
