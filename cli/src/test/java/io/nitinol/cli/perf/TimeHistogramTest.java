// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimeHistogramTest {
  private static final double WIDTH = 1.0 / 1000;

  @Test
  void agreesWithTheExactPercentilesToTheWidthOfABucket() {
    Random random = new Random(7);
    for (int count : new int[] {1, 2, 99, 100, 1000, 12_345}) {
      TimeHistogram first = new TimeHistogram();
      TimeHistogram second = new TimeHistogram();
      double[] times = new double[count];
      for (int i = 0; i < count; i++) {
        long nanos = random.nextLong(1L << random.nextInt(1, 45));
        times[i] = nanos / 1e9;
        (i % 3 == 0 ? first : second).add(nanos);
      }
      TimeHistogram both = new TimeHistogram();
      both.add(first.encode());
      both.add(second.encode());
      Percentiles exact = Percentiles.of(times);
      Percentiles found = Objects.requireNonNull(both.percentiles());
      assertThat(found.count()).isEqualTo(count);
      assertThat(found.least()).isEqualTo(exact.least());
      assertThat(found.most()).isEqualTo(exact.most());
      close(found.p50(), exact.p50());
      close(found.p90(), exact.p90());
      close(found.p99(), exact.p99());
      close(found.p999(), exact.p999());
    }
  }

  private static void close(double found, double exact) {
    assertThat(found).isGreaterThanOrEqualTo(exact).isCloseTo(exact, within(exact * WIDTH));
  }

  @Test
  void takesTheShortestAndTheLongestTime() {
    TimeHistogram times = new TimeHistogram();
    times.add(0);
    times.add(Long.MAX_VALUE);
    times.add(-5);
    Percentiles found = Objects.requireNonNull(times.percentiles());
    assertThat(found.least()).isZero();
    assertThat(found.p50()).isZero();
    assertThat(found.p99()).isEqualTo(Long.MAX_VALUE / 1e9);
  }

  @Test
  void hasNoPercentileOfNothing() {
    TimeHistogram times = new TimeHistogram();
    times.add(3);
    times.clear();
    assertThat(times.percentiles()).isNull();
    TimeHistogram other = new TimeHistogram();
    other.add(times.encode());
    other.add(8);
    assertThat(Objects.requireNonNull(other.percentiles()).least()).isEqualTo(8 / 1e9);
  }
}
