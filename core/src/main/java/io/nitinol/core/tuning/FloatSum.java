// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;

/** The reduction that stands for all when a machine is measured: the sum of binary32. */
final class FloatSum {
  private FloatSum() {}

  static MachineProbe.Reduction of(KernelProvider kernels) {
    ReduceFunction sum = kernels.function(DataType.FLOAT32, ReductionOp.SUM, 2);
    return (into, from, bytes) ->
        sum.reduce(into, 0, from, 0, into, 0, bytes / DataType.FLOAT32.size());
  }
}
