// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import java.util.List;

/**
 * What one side took in each round.
 *
 * @param nanos nanoseconds per all-reduce
 */
record Samples(List<Double> nanos) {

  Samples {
    nanos = List.copyOf(nanos);
  }

  double median() {
    List<Double> sorted = nanos.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  double least() {
    return nanos.stream().mapToDouble(Double::doubleValue).min().orElse(0);
  }
}
