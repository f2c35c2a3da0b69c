// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

/** The number of elements that each rank sends to each other one. */
interface PerfTraffic {
  /** Returns the elements that rank {@code from} sends to rank {@code to}. */
  long elements(PerfJob job, int from, int to);

  /** Returns whether the sizes that were asked for have no say. */
  boolean isFixed();
}
