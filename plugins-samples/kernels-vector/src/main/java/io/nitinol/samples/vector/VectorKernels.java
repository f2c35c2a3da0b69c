// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Kernels over the Vector API. The module it is in is incubating: a JVM has it only when started
 * with {@code --add-modules jdk.incubator.vector}. This class uses none of its types, so that it
 * loads without and can say so.
 */
public final class VectorKernels implements KernelProvider {

  private static final String INCUBATOR = "jdk.incubator.vector";

  private record Key(DataType type, ReductionOp op, int nRanks) {}

  private final Map<Key, ReduceFunction> functions = new ConcurrentHashMap<>();

  /** Made by ServiceLoader. */
  public VectorKernels() {}

  @Override
  public String name() {
    return "vector";
  }

  @Override
  public int priority() {
    return 100;
  }

  @Override
  public @Nullable String unavailable() {
    return ModuleLayer.boot().findModule(INCUBATOR).isPresent()
        ? null
        : "this JVM was started without --add-modules " + INCUBATOR;
  }

  @Override
  public ReduceFunction function(DataType type, ReductionOp op, int nRanks) {
    if (nRanks < 1) {
      throw new IllegalArgumentException("number of ranks must be positive: " + nRanks);
    }
    Key key = new Key(type, op, op == ReductionOp.AVG ? nRanks : 1);
    return functions.computeIfAbsent(key, k -> Functions.create(k.type, k.op, k.nRanks));
  }

  @Override
  public ReduceFunction preMulSum(DataType type, long scalarBits) {
    return Functions.preMulSum(type, scalarBits);
  }
}
