// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.params_h;

/**
 * Where the parts of a rank's memory lie: first what is zero before the first launch, which are the
 * control page and the LL area of the team and, for each other rank, those of the pair; then what
 * data go through.
 */
record CudaTeamLayout(int ranks, TeamSizes sizes) {
  private static final long ALIGNMENT = 4096;

  /** What a warp has of a slot for lines of 128 bytes, and how much of that is data. */
  private static final long LONG_WARP = 512;

  private static final long LONG_WARP_DATA = 480;

  private static long aligned(long size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  long control() {
    return 0;
  }

  private static long controlSize() {
    return aligned(params_h.NITINOL_CONTROL_BYTES());
  }

  long lines() {
    return controlSize();
  }

  long longLines() {
    return lines() + aligned(2L * ranks * sizes.slot());
  }

  /** The size of a slot for lines of 128 bytes. */
  long longSlot() {
    return sizes.longLines() / (2L * ranks) / LONG_WARP * LONG_WARP;
  }

  /** How many bytes of data such a slot carries. */
  long longest() {
    return longSlot() / LONG_WARP * LONG_WARP_DATA;
  }

  private long pairs() {
    return longLines() + sizes.longLines();
  }

  private long pairSize() {
    return controlSize() + aligned(4 * sizes.pairSlot());
  }

  /** Where a rank keeps the control page of its pair with another one. */
  long pairControl(int other) {
    return pairs() + other * pairSize();
  }

  /** Where a rank keeps the LL area of its pair with another one. */
  long pairLines(int other) {
    return pairControl(other) + controlSize();
  }

  /** How many bytes from the start are zero before the first launch. */
  long zeroed() {
    return pairs() + ranks * pairSize();
  }

  /** Where a rank puts what it sends to another one. */
  long pairStage(int other) {
    return zeroed() + other * aligned(sizes.pairStage());
  }

  long stageIn() {
    return pairStage(ranks);
  }

  long stageOut() {
    return stageIn() + sizes.stage();
  }

  long scratch() {
    return stageOut() + sizes.stage();
  }

  /** The size of all. */
  long size() {
    return scratch() + sizes.scratch();
  }
}
