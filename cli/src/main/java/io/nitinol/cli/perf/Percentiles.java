// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import java.util.Arrays;

/**
 * How the times of single iterations are spread, in seconds for one operation. Those of {@link #of}
 * are exact, of all iterations; a {@link TimeHistogram} has others.
 *
 * @param least the shortest
 * @param p50 half of the iterations took no longer
 * @param p90 nine in ten took no longer
 * @param p99 99 in 100 took no longer
 * @param p999 999 in 1,000 took no longer
 * @param most the longest
 * @param count how many iterations there were
 */
record Percentiles(
    double least, double p50, double p90, double p99, double p999, double most, int count) {
  /** Returns whether there are enough times for {@link #p99} to be another one than the longest. */
  boolean hasP99() {
    return count >= 100;
  }

  /** As {@link #hasP99}. */
  boolean hasP999() {
    return count >= 1000;
  }

  /**
   * Returns those of some times.
   *
   * @param times at least one, in any order
   */
  static Percentiles of(double[] times) {
    double[] sorted = times.clone();
    Arrays.sort(sorted);
    return new Percentiles(
        sorted[0],
        at(sorted, 0.5),
        at(sorted, 0.9),
        at(sorted, 0.99),
        at(sorted, 0.999),
        sorted[sorted.length - 1],
        sorted.length);
  }

  /** The nearest-rank method: the least time that a fraction of all times does not exceed. */
  private static double at(double[] sorted, double fraction) {
    int rank = (int) Math.ceil(fraction * sorted.length - 1e-9);
    return sorted[Math.max(1, rank) - 1];
  }
}
