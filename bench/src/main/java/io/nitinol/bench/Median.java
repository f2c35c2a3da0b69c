// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench;

import java.util.Arrays;
import java.util.Collection;

/** The middle of several samples, which a few disturbed ones do not move. */
public final class Median {
  private Median() {}

  /**
   * Returns the median, of an even number of samples the mean of the two in the middle.
   *
   * @param samples one or more, in any order; not changed
   * @throws IllegalArgumentException if there are none
   */
  public static double of(double[] samples) {
    if (samples.length == 0) {
      throw new IllegalArgumentException("no samples; expected 1 or more");
    }
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** As {@link #of(double[])}. */
  public static double of(Collection<Double> samples) {
    return of(samples.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
