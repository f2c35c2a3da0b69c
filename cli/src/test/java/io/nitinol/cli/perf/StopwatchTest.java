// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.perf.collective.PerfSession;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StopwatchTest {
  private final PerfSession alone = new FakeSessions(1, FakeSessions.Mistake.NONE).all().getFirst();
  private int runs;

  @Test
  void warmsUpSoOftenAndSoLong() {
    stopwatch(5, 0).warmUp(List.of(this::quick));
    assertThat(runs).isEqualTo(5);
    runs = 0;
    long begin = System.nanoTime();
    stopwatch(5, TimeUnit.MILLISECONDS.toNanos(30)).warmUp(List.of(this::quick));
    assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(30));
    assertThat(runs).isGreaterThan(100);
  }

  @Test
  void doesNotWarmUpForLongWhatTakesLong() {
    stopwatch(2, TimeUnit.MILLISECONDS.toNanos(1)).warmUp(List.of(this::slow));
    assertThat(runs).isEqualTo(2);
  }

  @Test
  void doesNotWarmUpWhatIsToStayCold() {
    stopwatch(0, TimeUnit.SECONDS.toNanos(1)).warmUp(List.of(this::quick));
    stopwatch(0, TimeUnit.SECONDS.toNanos(1)).compile(List.of(this::quick));
    assertThat(runs).isZero();
  }

  @Test
  void goesOnUntilOperationsAreSteadyOrItsTimeIsOver() {
    long minutes = TimeUnit.MINUTES.toNanos(5);
    assertThat(untilSteady(minutes).warmUp(List.of(this::quick))).isTrue();
    assertThat(runs).isGreaterThan(5); // pieces, each of one or more
    assertThat(untilSteady(1).warmUp(List.of(this::quick))).isFalse();
  }

  private Stopwatch untilSteady(long nanos) {
    return new Stopwatch(
        new PerfPlan.Timing(1, 0, 0, 4, 3, 1, PerfPlan.Blocking.NONE, nanos, false), alone);
  }

  @Test
  void countsWhatItTimes() {
    Stopwatch.Time time = stopwatch(1, 0).measure(Collections.nCopies(3, this::quick));
    assertThat(runs).isEqualTo(4 * 3);
    assertThat(time.seconds()).isPositive();
    assertThat(time.startSeconds()).isPositive().isLessThanOrEqualTo(time.seconds());
  }

  /** The time of one operation in each iteration, which together are what the average says. */
  @Test
  void keepsEachIterationWhereThatIsAsked() {
    PerfPlan.Timing timing =
        new PerfPlan.Timing(0, 0, 0, 4, 3, 1, PerfPlan.Blocking.ALL_RANKS_UNTIMED, 0, true);
    Stopwatch.Time time = new Stopwatch(timing, alone).measure(Collections.nCopies(3, this::slow));
    assertThat(time.each()).hasSize(4).allMatch(seconds -> seconds >= 0.002);
    assertThat(time.each().stream().mapToDouble(Double::doubleValue).average().orElseThrow())
        .isLessThanOrEqualTo(time.seconds());
  }

  private void slow() {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(2)) {
      Thread.onSpinWait();
    }
    runs++;
  }

  private void quick() {
    runs++;
  }

  private Stopwatch stopwatch(int warmup, long nanos) {
    PerfPlan.Timing timing =
        new PerfPlan.Timing(warmup, nanos, nanos, 4, 3, 1, PerfPlan.Blocking.NONE);
    return new Stopwatch(timing, alone);
  }
}
