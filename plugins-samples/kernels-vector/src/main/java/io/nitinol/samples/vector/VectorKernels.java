// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Kernels over the Vector API. The module it is in is incubating: a JVM has it only when started
 * with {@code --add-modules jdk.incubator.vector}. This class uses none of its types, so that it
 * loads without and can say so.
 */
public final class VectorKernels implements KernelProvider {

  private static final String INCUBATOR = "jdk.incubator.vector";

  private static final int OPS = ReductionOp.values().length;

  /** An average depends on the number of ranks. */
  private record Average(DataType type, int nRanks) {}

  // Every call of a collective asks, so the usual answer costs no object and no lock.
  private final AtomicReferenceArray<@Nullable ReduceFunction> functions =
      new AtomicReferenceArray<>(DataType.values().length * OPS);

  private final Map<Average, ReduceFunction> averages = new ConcurrentHashMap<>();

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
    if (op == ReductionOp.AVG) {
      return averages.computeIfAbsent(
          new Average(type, nRanks), key -> Functions.create(key.type, op, key.nRanks));
    }
    int place = type.ordinal() * OPS + op.ordinal();
    ReduceFunction known = functions.get(place);
    if (known != null) {
      return known;
    }
    ReduceFunction made = Functions.create(type, op, 1);
    ReduceFunction other = functions.compareAndExchange(place, null, made);
    return other == null ? made : other;
  }

  @Override
  public ReduceFunction preMulSum(DataType type, long scalarBits) {
    return Functions.preMulSum(type, scalarBits);
  }
}
