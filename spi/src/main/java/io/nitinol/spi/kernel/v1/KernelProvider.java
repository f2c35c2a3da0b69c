// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.kernel.v1;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import org.jspecify.annotations.Nullable;

/**
 * A source of reduction kernels that work on host memory. Every provider computes bit for bit what
 * {@code docs/numerics.md} lays down, so that ranks with different providers agree on the result.
 *
 * <p>Providers are safe for use by many threads at once.
 */
public interface KernelProvider {

  /**
   * Returns the name by which {@code NITINOL_KERNELS} chooses this provider, and which logs and
   * reports show: short, printable ASCII without spaces, always the same.
   *
   * @return the name, for example {@code scalar}
   */
  String name();

  /**
   * Returns how much this provider wants to be chosen unless a variable names one: of those
   * available the greatest wins.
   *
   * @return any number; the scalar kernels, which every machine has, say 0
   */
  int priority();

  /**
   * Returns why this provider cannot work in this process. No function is asked for where it
   * cannot. Does not throw.
   *
   * @return the reason in words for the user, or null where it can work
   */
  @Nullable String unavailable();

  /**
   * Returns the kernel for one type and operator. The same arguments give the same object, so the
   * call is cheap, but a communicator looks its kernels up once and keeps them.
   *
   * @param type element type of the buffers
   * @param op operator; {@link ReductionOp#AVG} is expressed by what the kernel does before and
   *     after the reduction, see {@link ReduceFunction}
   * @param nRanks number of ranks that contribute, at least 1; only {@link ReductionOp#AVG} uses it
   * @return the kernel
   * @throws IllegalArgumentException if {@code nRanks} is less than 1
   */
  ReduceFunction function(DataType type, ReductionOp op, int nRanks);

  /**
   * Returns the kernel of a sum whose contributions are multiplied first, each by its own rank's
   * scalar: NCCL's {@code ncclRedOpCreatePreMulSum}. Integer products wrap around; floating-point
   * ones are rounded as those of {@link ReductionOp#PROD} are. A scalar of one changes nothing, not
   * even the bits of a NaN. The object may be a new one each time: the caller keeps it.
   *
   * @param type element type of the buffers and of the scalar
   * @param scalarBits the scalar's encoding in the low bits, as wide as the type; higher bits are
   *     ignored
   * @return the kernel
   */
  ReduceFunction preMulSum(DataType type, long scalarBits);
}
