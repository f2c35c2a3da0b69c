// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;

/**
 * A source of reduction kernels that work on host memory. Every provider computes bit for bit what
 * {@code docs/numerics.md} lays down, so that ranks with different providers agree on the result.
 *
 * <p>Providers are safe for use by many threads at once.
 */
public interface KernelProvider {

  /** Returns a short name for logs and reports, for example {@code scalar}. */
  String name();

  /**
   * Returns the kernel for one type and operator. The same arguments give the same object, so the
   * call is cheap, but a communicator looks its kernels up once and keeps them.
   *
   * @param type element type of the buffers
   * @param op operator; {@link ReductionOp#AVG} is expressed by what the kernel does before and
   *     after the reduction, see {@link ReduceFunction}
   * @param nRanks number of ranks that contribute, at least 1; only {@link ReductionOp#AVG} uses it
   * @throws IllegalArgumentException if {@code nRanks} is less than 1
   */
  ReduceFunction function(DataType type, ReductionOp op, int nRanks);
}
