// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import io.nitinol.bench.Median;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Takes samples of all sides by turns. */
final class Sampler {
  private static final long MOST = 1L << 22;

  private final int rounds;
  private final long sampleNanos;
  private final long warmupNanos;

  /**
   * Creates a sampler.
   *
   * @param rounds samples of each side
   * @param sampleNanos how long one of the fastest side takes
   * @param warmupNanos how long each side runs before
   */
  Sampler(int rounds, long sampleNanos, long warmupNanos) {
    this.rounds = rounds;
    this.sampleNanos = sampleNanos;
    this.warmupNanos = warmupNanos;
  }

  /** Something that takes a number of repetitions and says how many nanoseconds each took. */
  interface Sample {
    double run(EndPair pair, long count, boolean check)
        throws IOException, InterruptedException, EndPair.Failure;
  }

  /** Returns the median of each side. What came is checked in the first and the last round. */
  <S extends Enum<S>> Map<S, Double> measure(Map<S, EndPair> pairs, Sample sample)
      throws IOException, InterruptedException, EndPair.Failure {
    double fastest = Double.MAX_VALUE;
    for (EndPair pair : pairs.values()) {
      long count = End.SLOTS;
      long start = System.nanoTime();
      do {
        double each = sample.run(pair, count, false);
        fastest = Math.min(fastest, each);
        count = Math.clamp((long) (sampleNanos / each), End.SLOTS, MOST);
      } while (System.nanoTime() - start < warmupNanos);
    }
    long count = Math.clamp((long) (sampleNanos / fastest), End.SLOTS, MOST);
    Map<S, double[]> nanos = new LinkedHashMap<>();
    pairs.keySet().forEach(side -> nanos.put(side, new double[rounds]));
    for (int round = 0; round < rounds; round++) {
      boolean check = round == 0 || round == rounds - 1;
      for (Map.Entry<S, double[]> each : nanos.entrySet()) {
        EndPair pair = pairs.get(each.getKey());
        if (pair != null) {
          each.getValue()[round] = sample.run(pair, count, check);
        }
      }
    }
    Map<S, Double> medians = new LinkedHashMap<>();
    nanos.forEach((side, all) -> medians.put(side, Median.of(all)));
    return medians;
  }
}
