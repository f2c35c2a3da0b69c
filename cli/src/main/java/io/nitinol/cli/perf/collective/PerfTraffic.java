// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

/** The number of elements that each rank sends to each other one. */
interface PerfTraffic {
  /** Blocks are cut down to a multiple of so many bytes, as nccl-tests does. */
  long ALIGNMENT = 16;

  /** Returns the elements that rank {@code from} sends to rank {@code to}. */
  long elements(PerfJob job, int from, int to);

  /** Returns whether the sizes that were asked for have no say. */
  boolean isFixed();
}
