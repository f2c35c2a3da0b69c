// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import java.util.List;

/**
 * How a figure of a process grew once that was warm: the medians of the three thirds of the time
 * after the first quarter, which loads classes, connects pairs of ranks and compiles. A median
 * takes no notice of what comes and goes, such as a compilation during one footprint.
 */
record Growth(long early, long middle, long late) {
  /** Fewer values say nothing. */
  static final int FEWEST = 12;

  /** A figure may grow by this part of itself without being a leak. */
  private static final double PART = 0.02;

  /** Judges values in the order of time, {@link #FEWEST} at least. */
  static Growth of(List<Long> values) {
    if (values.size() < FEWEST) {
      throw new IllegalArgumentException(values.size() + " values are too few");
    }
    List<Long> warm = values.subList(values.size() / 4, values.size());
    int third = warm.size() / 3;
    return new Growth(
        median(warm.subList(0, third)),
        median(warm.subList(third, warm.size() - third)),
        median(warm.subList(warm.size() - third, warm.size())));
  }

  private static long median(List<Long> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  /** Returns by how much it grew from the first third to the last. */
  long total() {
    return late - early;
  }

  /**
   * Returns whether it grew by more than {@link #PART} and {@code spare}, and was growing still at
   * the end: what comes to rest, such as a cache that fills, is no leak.
   */
  boolean isLeak(long spare) {
    long allowed = Math.max(spare, Math.round(early * PART));
    return total() > allowed && late - middle > allowed / 4;
  }
}
