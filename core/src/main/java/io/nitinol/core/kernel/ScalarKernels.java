// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.util.Arrays;
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

  private ScalarKernels() {
    for (DataType type : DataType.values()) {
      for (ReductionOp op : ReductionOp.values()) {
        functions[type.code()][op.code()] = new Variants(type, op);
      }
    }
  }

  /** Returns the process's only instance. */
  public static ScalarKernels instance() {
    return INSTANCE;
  }

  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public ReduceFunction function(DataType type, ReductionOp op, int nRanks) {
    if (nRanks < 1) {
      throw new IllegalArgumentException("number of ranks must be positive: " + nRanks);
    }
    return functions[type.code()][op.code()].forRanks(op == ReductionOp.AVG ? nRanks : 1);
  }

  private static ReduceFunction create(DataType type, ReductionOp op, int nRanks) {
    boolean minMax = op == ReductionOp.MIN || op == ReductionOp.MAX;
    if (minMax) {
      return type.size() == Long.BYTES
          ? new LongMinMaxKernel(type, op)
          : new MinMaxKernel(type, op);
    }
    return switch (type) {
      case INT8 -> new ByteKernel(op, true, nRanks);
      case UINT8 -> new ByteKernel(op, false, nRanks);
      case INT32 -> new IntKernel(op, true, nRanks);
      case UINT32 -> new IntKernel(op, false, nRanks);
      case INT64 -> new LongKernel(op, true, nRanks);
      case UINT64 -> new LongKernel(op, false, nRanks);
      case FLOAT16 -> new HalfKernel(op, nRanks);
      case FLOAT32 -> new FloatKernel(op, nRanks);
      case FLOAT64 -> new DoubleKernel(op, nRanks);
      case BFLOAT16, FLOAT8E4M3, FLOAT8E5M2 -> new PackedFloatKernel(type, op, nRanks);
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
