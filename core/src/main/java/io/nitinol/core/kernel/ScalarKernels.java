// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Kernels in plain Java, for every type and operator on every machine. They are the yardstick for
 * other providers.
 */
public final class ScalarKernels implements KernelProvider {

  private static final ScalarKernels INSTANCE = new ScalarKernels();

  /** By type and operator; more than one only for averages over different numbers of ranks. */
  private final Variants[][] functions =
      new Variants[DataType.values().length][ReductionOp.values().length];

  /** Creates the kernels once more, for plugins that look for kernels by ServiceLoader. */
  public ScalarKernels() {
    for (DataType type : DataType.values()) {
      for (ReductionOp op : ReductionOp.values()) {
        functions[type.code()][op.code()] = new Variants(type, op);
      }
    }
  }

  /** Returns the instance that core uses. */
  public static ScalarKernels instance() {
    return INSTANCE;
  }

  @Override
  public String name() {
    return "scalar";
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
    if (nRanks < 1) {
      throw new IllegalArgumentException("number of ranks must be positive: " + nRanks);
    }
    return functions[type.code()][op.code()].forRanks(op == ReductionOp.AVG ? nRanks : 1);
  }

  @Override
  public ReduceFunction preMulSum(DataType type, long scalarBits) {
    ReductionOp sum = ReductionOp.SUM;
    return switch (type) {
      case INT8 -> new ByteKernel(sum, true, (byte) scalarBits, 1);
      case UINT8 -> new ByteKernel(sum, false, (byte) scalarBits, 1);
      case INT32 -> new IntKernel(sum, true, (int) scalarBits, 1);
      case UINT32 -> new IntKernel(sum, false, (int) scalarBits, 1);
      case INT64 -> new LongKernel(sum, true, scalarBits, 1);
      case UINT64 -> new LongKernel(sum, false, scalarBits, 1);
      case FLOAT32 -> new FloatKernel(sum, Float.intBitsToFloat((int) scalarBits));
      case FLOAT64 -> new DoubleKernel(sum, Double.longBitsToDouble(scalarBits));
      case FLOAT16 -> new HalfKernel(sum, SmallFloat.FLOAT16.decode((int) scalarBits));
      case BFLOAT16, FLOAT8E4M3, FLOAT8E5M2 ->
          new PackedFloatKernel(
              type, sum, Objects.requireNonNull(SmallFloat.of(type)).decode((int) scalarBits));
    };
  }

  private static ReduceFunction create(DataType type, ReductionOp op, int nRanks) {
    boolean minMax = op == ReductionOp.MIN || op == ReductionOp.MAX;
    if (minMax) {
      return type.size() == Long.BYTES
          ? new LongMinMaxKernel(type, op)
          : new MinMaxKernel(type, op);
    }
    return switch (type) {
      case INT8 -> new ByteKernel(op, true, 1, nRanks);
      case UINT8 -> new ByteKernel(op, false, 1, nRanks);
      case INT32 -> new IntKernel(op, true, 1, nRanks);
      case UINT32 -> new IntKernel(op, false, 1, nRanks);
      case INT64 -> new LongKernel(op, true, 1, nRanks);
      case UINT64 -> new LongKernel(op, false, 1, nRanks);
      case FLOAT16 -> new HalfKernel(op, 1f / nRanks);
      case FLOAT32 -> new FloatKernel(op, 1f / nRanks);
      case FLOAT64 -> new DoubleKernel(op, 1.0 / nRanks);
      case BFLOAT16, FLOAT8E4M3, FLOAT8E5M2 -> new PackedFloatKernel(type, op, 1f / nRanks);
    };
  }

  /** The functions of one type and operator made so far; a process sees few numbers of ranks. */
  private static final class Variants {

    private final DataType type;
    private final ReductionOp op;
    private volatile Variant[] made = {};

    Variants(DataType type, ReductionOp op) {
      this.type = type;
      this.op = op;
    }

    ReduceFunction forRanks(int nRanks) {
      ReduceFunction found = find(nRanks);
      return found != null ? found : add(nRanks);
    }

    private @Nullable ReduceFunction find(int nRanks) {
      for (Variant variant : made) {
        if (variant.nRanks == nRanks) {
          return variant.function;
        }
      }
      return null;
    }

    private synchronized ReduceFunction add(int nRanks) {
      ReduceFunction found = find(nRanks);
      if (found != null) {
        return found;
      }
      Variant variant = new Variant(nRanks, create(type, op, nRanks));
      Variant[] more = Arrays.copyOf(made, made.length + 1);
      more[made.length] = variant;
      made = more;
      return variant.function;
    }
  }

  private record Variant(int nRanks, ReduceFunction function) {}
}
