// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import io.nitinol.spi.DataType;

/**
 * One row of the table: what all ranks do together.
 *
 * @param type type of the elements
 * @param op how they are combined, {@link PerfOperator#NONE} where they are not
 * @param root the root, or {@link #NO_ROOT}
 * @param ranks how many ranks
 * @param count elements, in the sense of the collective's own argument: of the whole buffer, or of
 *     each rank's part
 */
public record PerfJob(DataType type, PerfOperator op, int root, int ranks, long count) {
  /** Stands for the root of a collective that has none; nccl-tests prints it. */
  public static final int NO_ROOT = -1;
}
