// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.call.HostReduction;
import io.nitinol.core.kernel.HostKernels;
import io.nitinol.core.kernel.HostKernels.FloatBinaryOperator;
import io.nitinol.spi.DataType;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An operator beyond NCCL's, for host memory: bitwise ones ({@code MPI_BAND} and the like), or code
 * of the application's ({@code MPI_Op_create}). A collective network is not used for it.
 *
 * <p>Code has to be associative and commutative, since the order in which the ranks' contributions
 * meet depends on size, ranks and algorithm; nothing checks that. It runs in the threads that move
 * the data, once for each element and step, so it is short, does not wait, and calls no
 * communicator. Every rank gives the same code. What it throws fails the communicator.
 */
@AnyThread
public final class HostOperator {
  /** Bitwise and of integers, {@code MPI_BAND}. */
  public static final HostOperator BIT_AND = new HostOperator(HostReduction.BIT_AND);

  /** Bitwise or of integers, {@code MPI_BOR}. */
  public static final HostOperator BIT_OR = new HostOperator(HostReduction.BIT_OR);

  /** Bitwise exclusive or of integers, {@code MPI_BXOR}. */
  public static final HostOperator BIT_XOR = new HostOperator(HostReduction.BIT_XOR);

  private final HostReduction reduction;

  private HostOperator(HostReduction reduction) {
    this.reduction = reduction;
  }

  /** Returns an operator of {@link DataType#INT32}. */
  public static HostOperator ofInts(IntBinaryOperator code) {
    BufferCheck.given("operator", "code", code);
    return new HostOperator(
        HostReduction.ofApplication("an operator", DataType.INT32, HostKernels.ofInts(code)));
  }

  /** Returns an operator of {@link DataType#INT64}. */
  public static HostOperator ofLongs(LongBinaryOperator code) {
    BufferCheck.given("operator", "code", code);
    return new HostOperator(
        HostReduction.ofApplication("an operator", DataType.INT64, HostKernels.ofLongs(code)));
  }

  /** Returns an operator of {@link DataType#FLOAT32}. */
  public static HostOperator ofFloats(FloatBinaryOperator code) {
    BufferCheck.given("operator", "code", code);
    return new HostOperator(
        HostReduction.ofApplication("an operator", DataType.FLOAT32, HostKernels.ofFloats(code)));
  }

  /** Returns an operator of {@link DataType#FLOAT64}. */
  public static HostOperator ofDoubles(DoubleBinaryOperator code) {
    BufferCheck.given("operator", "code", code);
    return new HostOperator(
        HostReduction.ofApplication("an operator", DataType.FLOAT64, HostKernels.ofDoubles(code)));
  }

  static @Nullable HostReduction reduction(@Nullable HostOperator op) {
    return op == null ? null : op.reduction;
  }
}
