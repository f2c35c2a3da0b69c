// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Series of an hour's footprints, two a minute, of a figure about 100,000. */
class GrowthTest {
  private static final int FOOTPRINTS = 120;
  private static final long BASE = 100_000;
  private static final long SPARE = 1000; // less than two per cent

  private static Growth growth(LongUnaryOperator figure) {
    return Growth.of(LongStream.range(0, FOOTPRINTS).map(figure).boxed().toList());
  }

  private static boolean leaks(LongUnaryOperator figure) {
    return growth(figure).isLeak(SPARE);
  }

  /** Noise of as much as five per cent to either side, the same in each run. */
  private static long noise(long i) {
    return new SplittableRandom(i).nextLong(-BASE / 20, BASE / 20);
  }

  /** The live heap where collections come at other times than footprints. */
  private static long sawtooth(long i) {
    return i % 7 * BASE / 20;
  }

  @Test
  void whatStaysIsFlat() {
    assertThat(growth(_ -> BASE)).isEqualTo(new Growth(BASE, BASE, BASE));
    assertThat(leaks(_ -> BASE)).isFalse();
    assertThat(leaks(i -> BASE + noise(i))).isFalse();
    assertThat(leaks(i -> BASE + sawtooth(i))).isFalse();
    assertThat(leaks(i -> BASE - 100 * i)).isFalse();
  }

  @Test
  void aWarmUpIsNoLeak() {
    assertThat(leaks(i -> i < 29 ? BASE / 2 : BASE)).as("a step").isFalse();
    assertThat(leaks(i -> (long) (BASE * (1.1 - Math.exp(-i / 10.0))))).as("a curve").isFalse();
    // It comes to rest late, but it does.
    assertThat(leaks(i -> i < 50 ? BASE : 11 * BASE / 10)).as("a late step").isFalse();
  }

  @Test
  void aSlowLeakIsFound() {
    // Medians are 60 footprints apart: five per cent of it in an hour are 2.5 there.
    assertThat(leaks(i -> BASE + 5 * i * BASE / 100 / FOOTPRINTS)).isTrue();
    assertThat(leaks(i -> BASE + 3 * i * BASE / 100 / FOOTPRINTS)).as("too slow").isFalse();
    assertThat(leaks(i -> BASE + noise(i) + i * BASE / 1200)).as("under noise").isTrue();
    assertThat(leaks(i -> BASE + sawtooth(i) + i * BASE / 1200)).as("under a sawtooth").isTrue();
    assertThat(leaks(i -> i < 29 ? 0 : BASE + i * BASE / 1200)).as("after a step").isTrue();
  }

  @Test
  void whatGrowsAtTheEndIsFound() {
    assertThat(leaks(i -> i < 90 ? BASE : BASE + 300 * (i - 89))).isTrue();
    assertThat(leaks(i -> i < 89 ? BASE : 11 * BASE / 10)).as("a step").isTrue();
  }

  @Test
  void aSmallFigureMayGrowByItsSpare() {
    LongUnaryOperator descriptors = i -> i < 60 ? 33 : i < 90 ? 34 : 35;
    assertThat(growth(descriptors).isLeak(2)).isFalse();
    assertThat(growth(descriptors).isLeak(1)).isTrue();
  }

  @Test
  void fewValuesAreRefused() {
    assertThatThrownBy(() -> Growth.of(LongStream.range(0, 11).boxed().toList()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("11");
    assertThat(Growth.of(LongStream.range(0, 12).boxed().toList()).total()).isEqualTo(6);
  }
}
