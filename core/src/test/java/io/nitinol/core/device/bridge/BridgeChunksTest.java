// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BridgeChunksTest {
  private final BridgeChunks chunks = new BridgeChunks();

  @Test
  void coverEveryElementOnceInOrder() {
    for (int span : new int[] {1, 2, 3, 8}) {
      for (int width : new int[] {1, 2, 4, 8}) {
        for (long most : new long[] {BridgeMemory.SLOT_BYTES, BridgeMemory.SLOT_BYTES / 3}) {
          for (long count : counts(most / width, span)) {
            covers(count, span, width, most);
          }
        }
      }
    }
  }

  private static long[] counts(long slot, int span) {
    long full = slot * span;
    return new long[] {
      1, 2, span, span + 1, 8191, full - 1, full, full + 1, 4 * full + 7, 9 * full - 1
    };
  }

  private void covers(long count, int span, int width, long most) {
    chunks.cut(count, span, width, most);
    String what = count + " elements of " + width + ", " + span + " shares of " + most;
    long next = 0;
    for (long k = 0; k < chunks.count(); k++) {
      assertThat(chunks.offset(k)).as(what).isEqualTo(next);
      assertThat(chunks.valid(k)).as(what).isPositive();
      assertThat(chunks.share(k) * width).as(what).isPositive().isLessThanOrEqualTo(most);
      long room = chunks.share(k) * span;
      assertThat(chunks.valid(k)).as(what).isBetween(room - span + 1, room);
      assertThat(chunks.isPadded(k)).as(what).isEqualTo(chunks.valid(k) < room);
      if (k < chunks.count() - 1) {
        assertThat(chunks.isPadded(k)).as(what).isFalse();
        assertThat(chunks.share(k)).as(what).isEqualTo(chunks.fullShare());
      }
      next += chunks.valid(k);
    }
    assertThat(next).as(what).isEqualTo(count);
    assertThat(chunks.count() - chunks.full()).as(what).isBetween(0L, 1L);
  }

  @Test
  void onlyARestThatRanksDoNotDivideIsPadded() {
    chunks.cut(10, 2, 4, BridgeMemory.SLOT_BYTES);
    assertThat(chunks.count()).isEqualTo(1);
    assertThat(chunks.share(0)).isEqualTo(5);
    assertThat(chunks.isPadded(0)).isFalse();
    chunks.cut(11, 2, 4, BridgeMemory.SLOT_BYTES);
    assertThat(chunks.share(0)).isEqualTo(6);
    assertThat(chunks.isPadded(0)).isTrue();
  }

  @Test
  void smallOperationsAreOneChunkAndMiddlingOnesUseAllSlots() {
    chunks.cut(BridgeChunks.LEAST_BYTES, 1, 1, BridgeMemory.SLOT_BYTES);
    assertThat(chunks.count()).isEqualTo(1);
    chunks.cut(BridgeMemory.SLOT_BYTES, 1, 1, BridgeMemory.SLOT_BYTES);
    assertThat(chunks.count()).isEqualTo(Crossing.DEPTH);
    long most = (long) Crossing.DEPTH * BridgeMemory.SLOT_BYTES;
    chunks.cut(10 * most, 1, 1, BridgeMemory.SLOT_BYTES);
    assertThat(chunks.count()).isEqualTo(10 * Crossing.DEPTH);
  }

  /** As reduce-scatter and all-gather cut, whose slots have a share of every row. */
  @ParameterizedTest
  @CsvSource({
    "2, 524288",
    "3, 349440",
    "4, 262144",
    "5, 209664",
    "6, 174592",
    "7, 149760",
    "4096, 256",
    "6000, 174",
  })
  void sharesOfAllRowsAreAligned(int rows, long bytes) {
    for (int width : new int[] {1, 2, 4, 8}) {
      chunks.cut(1L << 30, 1, width, BridgeMemory.SLOT_BYTES / rows);
      assertThat(chunks.fullShare()).as("elements of %d", width).isEqualTo(bytes / width);
    }
  }

  @Test
  void theLargestOperationDoesNotOverflow() {
    chunks.cut(1L << 60, 8, 8, BridgeMemory.SLOT_BYTES);
    long last = chunks.count() - 1;
    assertThat(chunks.offset(last) + chunks.valid(last)).isEqualTo(1L << 60);
  }
}
