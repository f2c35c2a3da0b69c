// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Step;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingAllReduceTest {
  private static final int SLOTS = 8;
  private static final ChunkShape SMALL = new ChunkShape(512, 4, 64, 1, 1);

  @Test
  void everyRankCountGivesEveryElementToEveryRank() {
    SplittableRandom random = new SplittableRandom(1);
    for (int n = 1; n <= 64; n++) {
      for (long count :
          new long[] {0, 1, n - 1, n, n + 1, 16L * n, 16L * n + 1, 512L * n * 3 + 7}) {
        verify(n, count, 4, SMALL, random, false);
        verify(n, count, 4, SMALL, random, true);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void randomCountsAndShapes(int elementBytes) {
    long seed = System.nanoTime();
    System.err.println("RingAllReduceTest.randomCountsAndShapes seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 400; i++) {
      int n = 1 + random.nextInt(12);
      ChunkShape shape =
          new ChunkShape(
              64 * (5 + random.nextInt(16)),
              1 + random.nextInt(4),
              1 + random.nextInt(300),
              1 + random.nextInt(300),
              1);
      verify(n, random.nextLong(40_000), elementBytes, shape, random, random.nextBoolean());
    }
  }

  @Test
  void asManySlicesAsHalfTheSlotsNeverStandStill() {
    SplittableRandom random = new SplittableRandom(7);
    for (int n : new int[] {2, 3, 4, 5, 8, 16, 33, 64}) {
      for (int slices = 1; slices <= SLOTS / 2; slices++) {
        verify(n, 64L * n * 40, 1, new ChunkShape(64, slices, 64, 1, 1), random, true);
      }
    }
  }

  @Test
  void tooManySlicesForTheSlotsAreSeenToStandStill() {
    // The checker itself: a chunk of more messages than a link holds cannot be sent.
    assertThatThrownBy(() ->
            new SymbolicRing(3, 64 * 3 * 9, 1, new ChunkShape(64, 9, 64, 1, 1), SLOTS, false)
                .run(new SplittableRandom(1)))
        .hasMessageContaining("standstill");
  }

  @Test
  void channelsShareTheElements() {
    SplittableRandom random = new SplittableRandom(3);
    for (int channels : new int[] {1, 2, 3, 7}) {
      for (long count : new long[] {0, 1, 15, 16, 17, 1000, 12_345}) {
        long expectedBegin = 0;
        for (int c = 0; c < channels; c++) {
          SymbolicRing ring = new SymbolicRing(4, count, 4, SMALL, SLOTS, true, c, channels);
          ring.run(random);
          long[] first = ring.coverage(0);
          for (int r = 1; r < 4; r++) {
            assertThat(ring.coverage(r)).isEqualTo(first);
          }
          if (first.length > 0) {
            assertThat(first).hasSize(2);
            assertThat(first[0]).isEqualTo(expectedBegin);
            assertThat(first[0] % 16).as("cache line").isZero();
            expectedBegin = first[1];
          }
        }
        assertThat(expectedBegin).isEqualTo(count);
      }
    }
  }

  @Test
  void smallCountsUseFewerChannels() {
    ChunkShape shape = new ChunkShape(4096, 4, 64, 1, 1024);
    for (int c = 0; c < 4; c++) {
      RingAllReduce schedule = new RingAllReduce(new Ring(2, 0, 1, 1), shape, c);
      schedule.plan(512, 4, 0, 4); // 2 KiB: two channels' worth
      assertThat(schedule.steps() > 0).isEqualTo(c < 2);
    }
  }

  @Test
  void smallCountsUseFewerChunks() {
    ChunkShape shape = new ChunkShape(4096, 1, 64, 1024, 1);
    long messages = 0;
    for (int index = 0; index < 4; index++) {
      RingAllReduce schedule =
          new RingAllReduce(new Ring(4, index, (index + 3) % 4, (index + 1) % 4), shape, 0);
      schedule.plan(512, 4, 0, 1); // 2 KiB: two chunks, each sent six times
      messages += schedule.receives((index + 3) % 4);
    }
    assertThat(messages).isEqualTo(12);
  }

  @Test
  void countsBeyondTwoToTheThirtyOne() {
    long count = (1L << 33) + 12_345;
    verify(2, count, 8, new ChunkShape(1 << 29, 4, 64, 1, 1), new SplittableRandom(5), true);
    verify(5, count, 1, new ChunkShape(1 << 26, 4, 64, 1, 1), new SplittableRandom(6), true);
  }

  @Test
  void messagesFitTheirSlotAndBeginOnACacheLine() {
    Step step = new Step();
    for (int n : new int[] {1, 2, 3, 8}) {
      RingAllReduce schedule = new RingAllReduce(new Ring(n, 0, n - 1, 1 % n), SMALL, 0);
      schedule.plan(10_001, 4, 0, 1);
      for (long i = 0; i < schedule.steps(); i++) {
        schedule.step(i, step);
        assertThat(step.count() * 4).isLessThanOrEqualTo(SMALL.slotBytes());
        if (step.count() > 0) {
          assertThat(step.inputOffset() * 4 % ChunkShape.ALIGNMENT).isZero();
        }
      }
    }
  }

  @Test
  void stepsOutsideThePlanAreRefused() {
    RingAllReduce schedule = new RingAllReduce(new Ring(2, 0, 1, 1), SMALL, 0);
    schedule.plan(8, 4, 0, 1);
    assertThatThrownBy(() -> schedule.step(schedule.steps(), new Step()))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("of 3");
  }

  private static void verify(
      int n, long count, int elementBytes, ChunkShape shape, SplittableRandom random, boolean in) {
    SymbolicRing ring = new SymbolicRing(n, count, elementBytes, shape, SLOTS, in);
    ring.run(random);
    for (int r = 0; r < n; r++) {
      assertThat(ring.coverage(r))
          .as("n %d count %d rank %d", n, count, r)
          .isEqualTo(count == 0 ? new long[0] : new long[] {0, count});
    }
  }
}
