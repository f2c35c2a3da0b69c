// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.Median;
import java.util.List;

/**
 * One side's times in each round.
 *
 * @param nanos nanoseconds per all-reduce
 */
record Samples(List<Double> nanos) {
  private static final double STEADY = 1.5;

  Samples {
    nanos = List.copyOf(nanos);
  }

  double median() {
    return Median.of(nanos);
  }

  /** Returns whether most samples are near the least. */
  boolean isSteady() {
    return median() <= STEADY * least();
  }

  double least() {
    return nanos.stream().mapToDouble(Double::doubleValue).min().orElse(0);
  }
}
