// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench;

import java.util.Arrays;
import java.util.Collection;

/** The middle of several samples, which a few disturbed ones do not move. */
public final class Median {
  /** Of how many samples an interval can be told at least. */
  public static final int FEWEST = 6;

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

  /** Where the median of all samples that could have been taken lies in 95 of 100 runs. */
  public record Interval(double low, double high) {}

  /**
   * Returns that interval from the order of the samples, whatever their distribution is: as many of
   * them are below the true median as tosses of a coin are heads.
   *
   * @param samples {@link #FEWEST} or more, in any order; not changed
   * @throws IllegalArgumentException if there are fewer, of which no interval has that probability
   */
  public static Interval interval(Collection<Double> samples) {
    if (samples.size() < FEWEST) {
      throw new IllegalArgumentException(
          samples.size() + " samples; expected " + FEWEST + " or more");
    }
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    double tail = Math.scalb(1.0, -sorted.length); // of none below
    double below = tail;
    int first = 0;
    while (true) {
      tail *= (double) (sorted.length - first) / (first + 1);
      if (below + tail > 0.025) {
        break;
      }
      below += tail;
      first++;
    }
    return new Interval(sorted[first], sorted[sorted.length - 1 - first]);
  }
}
