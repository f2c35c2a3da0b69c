// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import org.jspecify.annotations.Nullable;

/** Kernels that a test expects nobody to ask for, but for what it overrides. */
public class UnaskedKernels implements KernelProvider {
  @Override
  public String name() {
    return "unasked";
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public @Nullable String unavailable() {
    return null;
  }

  @Override
  public ReduceFunction function(DataType type, ReductionOp op, int nRanks) {
    throw new AssertionError("never asked for");
  }

  @Override
  public ReduceFunction preMulSum(DataType type, long scalarBits) {
    throw new AssertionError("never asked for");
  }
}
