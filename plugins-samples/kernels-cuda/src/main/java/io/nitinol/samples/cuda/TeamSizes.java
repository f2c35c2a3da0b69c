// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.params_h;

/**
 * How large the parts of a team's memory are, in bytes, the same on all ranks.
 *
 * @param slot of an LL slot, half of which are data; a multiple of 16
 * @param longLines of all slots for lines of 128 bytes together; a multiple of 4096
 * @param stage of the buffer through which data go in that lie in no window, and of that through
 *     which they come out; a multiple of 4096
 * @param scratch of the buffer for partial results of a ring; a multiple of 4096
 * @param pairSlot of an LL slot between two ranks
 * @param pairStage of the buffer of one rank for what it sends to another one that cannot read it
 *     where it lies; a multiple of 16, and enough for the slots of one block
 */
record TeamSizes(
    long slot, long longLines, long stage, long scratch, long pairSlot, long pairStage) {
  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;

  /** What one block needs of the stage between two ranks. */
  static final long LEAST_STAGE =
      (long) params_h.NITINOL_PAIR_SLOTS() * params_h.NITINOL_PAIR_SLOT();

  /** What {@code joinTeam} takes. */
  static final TeamSizes DEFAULT =
      new TeamSizes(MIB, 20 * MIB, 64 * MIB, 128 * MIB, 256 * KIB, 8 * MIB);

  TeamSizes {
    if (slot % 16 != 0
        || pairSlot % 16 != 0
        || pairStage % 16 != 0
        || pairStage < LEAST_STAGE
        || longLines % 4096 != 0
        || stage % 4096 != 0
        || scratch % 4096 != 0) {
      throw CudaFailures.invalid(
          "sizes of a team that are not multiples of 16 or 4096 bytes, or a stage of %d bytes"
              + " between two ranks, which is at least %d",
          pairStage, LEAST_STAGE);
    }
  }
}
