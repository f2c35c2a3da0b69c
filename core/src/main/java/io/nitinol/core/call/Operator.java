// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operator of a reduction on host memory. {@link ReductionOp} is the operators that plugins
 * know, and frozen with their interfaces; the others are known to the host's kernels alone, and no
 * plugin hears of them.
 */
public sealed interface Operator permits Operator.Standard, ScaledSum, HostReduction {
  /** Returns the code by which ranks compare their calls, see {@link CollectiveCall}. */
  int code();

  /**
   * Returns the kernel for elements of {@code type}.
   *
   * @param call for messages
   * @param calls the calls of the communicator that reduces
   * @throws io.nitinol.core.CommException INVALID_ARGUMENT where it has none for this
   */
  ReduceFunction function(String call, Calls calls, DataType type);

  /** Returns an operator that plugins know; null for null. */
  static @Nullable Operator of(@Nullable ReductionOp op) {
    return op == null ? null : Standard.ALL.get(op.ordinal());
  }

  /** An operator that plugins know. */
  record Standard(ReductionOp op) implements Operator {
    private static final List<Standard> ALL =
        Arrays.stream(ReductionOp.values()).map(Standard::new).toList();

    @Override
    public int code() {
      return op.code();
    }

    @Override
    public ReduceFunction function(String call, Calls calls, DataType type) {
      return calls.function(type, op);
    }
  }
}
