// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The kernels of all types and operators that a switch reduces with. */
@AnyThread
final class Kernels {
  private final KernelProvider provider;
  private final ReduceFunction[][] functions;

  /** Takes those of one provider, which works here. */
  Kernels(KernelProvider provider) {
    this.provider = provider;
    DataType[] types = DataType.values();
    ReductionOp[] ops = ReductionOp.values();
    this.functions = new ReduceFunction[types.length][ops.length];
    for (DataType type : types) {
      for (ReductionOp op : ops) {
        functions[type.ordinal()][op.ordinal()] = provider.function(type, op, 1);
      }
    }
  }

  /** Finds the provider that wants to be chosen most of those that work here. */
  static KernelProvider find() {
    KernelProvider best = null;
    StringBuilder rejected = new StringBuilder();
    for (KernelProvider each :
        ServiceLoader.load(KernelProvider.class, Kernels.class.getClassLoader())) {
      String why = each.unavailable();
      if (why != null) {
        rejected.append("; ").append(each.name()).append(": ").append(why);
      } else if (isBetter(each, best)) {
        best = each;
      }
    }
    if (best == null) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          "no kernels to reduce with: no KernelProvider is on the module path" + rejected);
    }
    return best;
  }

  private static boolean isBetter(KernelProvider one, @Nullable KernelProvider than) {
    return than == null || one.priority() > than.priority();
  }

  String name() {
    return provider.name();
  }

  /** Returns the kernel for one type and operator. */
  ReduceFunction of(DataType type, ReductionOp op) {
    return functions[type.ordinal()][op.ordinal()];
  }
}
