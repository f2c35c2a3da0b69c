// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.collnet.CollNetHeads;
import io.nitinol.core.schedule.collnet.CollNetShape;
import io.nitinol.core.schedule.ring.Ring;
import io.nitinol.core.schedule.ring.RingAllReduce;
import io.nitinol.spi.Collective;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RingAllReduceTest {
  /** Nothing goes there: all ranks are of one host. */
  private static final CollNetShape NO_NETWORK = new CollNetShape(CollNetHeads.first(1), 64);

  private static final ChunkShape SMALL = new ChunkShape(512, 4, 64, 1, 1);

  @Test
  void asManySlicesAsHalfTheSlotsNeverStandStill() {
    SplittableRandom random = new SplittableRandom(7);
    for (int n : new int[] {2, 3, 4, 5, 8, 16, 33, 64}) {
      for (int slices = 1; slices <= Links.SLOTS / 2; slices++) {
        verify(n, 16L * n * 40, new ChunkShape(64, slices, 64, 1, 1), random, 1);
      }
    }
  }

  @Test
  void tooManySlicesForTheSlotsAreSeenToStandStill() {
    // The checker itself: a chunk of more messages than a link holds cannot be sent.
    assertThatThrownBy(() ->
            verify(3, 16 * 3 * 9, new ChunkShape(64, 9, 64, 1, 1), new SplittableRandom(1), 1))
        .hasMessageContaining("standstill");
  }

  @Test
  void channelsShareTheElements() {
    SplittableRandom random = new SplittableRandom(3);
    Step step = new Step();
    for (int channels : new int[] {1, 2, 3, 7}) {
      for (long count : new long[] {0, 1, 15, 16, 17, 1000, 12_345}) {
        verify(4, count, SMALL, random, channels);
        for (int c = 0; c < channels; c++) {
          RingAllReduce schedule = new RingAllReduce(new Ring(4, 0, 3, 1), SMALL, c);
          schedule.plan(count, 4, 0, channels);
          for (long i = 0; i < schedule.steps(); i++) {
            schedule.step(i, step);
            assertThat(step.count() == 0 || step.inputOffset() % 16 == 0).as("cache line").isTrue();
          }
        }
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
      int n, long count, ChunkShape shape, SplittableRandom random, int channels) {
    int[] order = new int[n];
    Arrays.setAll(order, r -> r);
    SymbolicRun run =
        new SymbolicRun(
            SchedulesTest.oneHost(n), channels, 4, shape.slotBytes(), NO_NETWORK, random);
    run.add(
        Collective.ALL_REDUCE,
        count,
        0,
        random.nextBoolean(),
        "ring",
        null,
        (rank, channel) -> {
          Schedule schedule = new RingAllReduce(Ring.of(order, rank), shape, channel);
          schedule.plan(count, 4, 0, channels);
          return new Schedule[] {schedule};
        });
    run.run();
  }
}
