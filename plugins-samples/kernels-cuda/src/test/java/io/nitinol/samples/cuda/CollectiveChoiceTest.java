// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.Collective;
import org.junit.jupiter.api.Test;

class CollectiveChoiceTest {
  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;

  private static CollectiveChoice choice(int ranks, boolean oneDevice) {
    return new CollectiveChoice(ranks, oneDevice, 512 * KIB, 0);
  }

  private static CollectiveChoice linked(int ranks) {
    return new CollectiveChoice(ranks, false, 512 * KIB, 8 * MIB / ranks);
  }

  @Test
  void allReduceGoesFromFlagsToMeetingsToRings() {
    CollectiveChoice four = choice(4, false);
    assertThat(four.of(Collective.ALL_REDUCE, 8)).isEqualTo(KernelFamily.LL);
    assertThat(four.of(Collective.ALL_REDUCE, 256 * KIB)).isEqualTo(KernelFamily.LL);
    assertThat(four.of(Collective.ALL_REDUCE, 256 * KIB + 1)).isEqualTo(KernelFamily.DIRECT);
    assertThat(four.of(Collective.ALL_REDUCE, 4 * MIB)).isEqualTo(KernelFamily.DIRECT);
    assertThat(four.of(Collective.ALL_REDUCE, 16 * MIB)).isEqualTo(KernelFamily.RING);
  }

  @Test
  void linksThatCarryLongLinesGetThem() {
    CollectiveChoice two = linked(2);
    assertThat(two.of(Collective.ALL_REDUCE, 64 * KIB)).isEqualTo(KernelFamily.LL);
    assertThat(two.of(Collective.ALL_REDUCE, 64 * KIB + 1)).isEqualTo(KernelFamily.LL128);
    assertThat(two.of(Collective.ALL_REDUCE, 2 * MIB)).isEqualTo(KernelFamily.LL128);
    assertThat(two.of(Collective.ALL_REDUCE, 2 * MIB + 1)).isEqualTo(KernelFamily.DIRECT);
    assertThat(linked(16).of(Collective.BROADCAST, 128 * KIB)).isEqualTo(KernelFamily.LL128);
    for (Collective collective : Collective.values()) {
      for (long bytes = 1; bytes <= 1L << 40; bytes *= 2) {
        assertThat(choice(2, false).of(collective, bytes)).isNotEqualTo(KernelFamily.LL128);
      }
    }
  }

  @Test
  void moreRanksLeaveFlagsEarlier() {
    assertThat(choice(2, false).of(Collective.ALL_REDUCE, 512 * KIB)).isEqualTo(KernelFamily.LL);
    assertThat(choice(8, false).of(Collective.ALL_REDUCE, 128 * KIB))
        .isEqualTo(KernelFamily.DIRECT);
  }

  @Test
  void ranksOfOneDeviceUseNoRing() {
    for (Collective collective : Collective.values()) {
      for (long bytes = 1; bytes <= 1L << 40; bytes *= 2) {
        assertThat(choice(4, true).of(collective, bytes)).isNotEqualTo(KernelFamily.RING);
      }
    }
  }

  @Test
  void nothingIsChosenThatHasNoKernelOrNoRoom() {
    for (KernelFamily forced : KernelFamily.values()) {
      for (Collective collective : Collective.values()) {
        CollectiveChoice choice = linked(4);
        choice.force(forced);
        assertThat(choice.of(collective, 512 * KIB + 1)).isNotEqualTo(KernelFamily.LL);
        assertThat(choice.of(collective, 2 * MIB + 1)).isNotEqualTo(KernelFamily.LL128);
      }
    }
    CollectiveChoice ring = choice(4, false);
    ring.force(KernelFamily.RING);
    assertThat(ring.of(Collective.REDUCE, 64 * MIB)).isEqualTo(KernelFamily.RING);
    assertThat(ring.of(Collective.ALL_TO_ALL, 64 * MIB)).isEqualTo(KernelFamily.DIRECT);
    assertThat(ring.of(Collective.REDUCE_SCATTER, 1L << 40)).isEqualTo(KernelFamily.RING);
  }
}
