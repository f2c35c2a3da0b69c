// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

/** The sums over all rows. */
final class Totals {
  private long wrong;
  private double busBandwidth;
  private long measurements;

  void add(PerfRow row) {
    wrong += row.wrong();
    row.measurements()
        .forEach(one -> {
          busBandwidth += row.busBandwidth(one);
          measurements++;
        });
  }

  /** Returns how many elements were wrong. */
  long wrong() {
    return wrong;
  }

  /** Returns the mean over all rows and both placements, as nccl-tests does. */
  double averageBusBandwidth() {
    return measurements == 0 ? 0 : busBandwidth / measurements;
  }

  /**
   * Returns whether nine tenths of {@code least} were reached, which nccl-tests is content with.
   */
  boolean isFastEnough(double least) {
    return averageBusBandwidth() >= 0.9 * least;
  }
}
