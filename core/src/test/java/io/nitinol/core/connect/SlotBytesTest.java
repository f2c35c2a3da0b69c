// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.transport.Slots;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotBytesTest {
  private static final int USUAL = 512 << 10;
  private static final long CONTAINER = 64L << 20;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8, 9, 16, 31, 32, 33, 64})
  void connectionsOfAHostLeaveRoomInTheMemoryOfAContainer(int ranks) {
    SlotBytes bytes = SlotBytes.of(USUAL, ranks, ranks);
    long pairs = (long) ranks * (ranks - 1) * Slots.COUNT * bytes.hostPair();
    assertThat(pairs).isLessThan(CONTAINER * 5 / 8);
    if (ranks > 8) {
      long ring = 2L * ranks * Slots.COUNT * SlotBytes.inHost(ranks);
      assertThat(ring).isLessThanOrEqualTo(CONTAINER / 4);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void fewRanksGetAsMuchAsOneMessageCanUse(int ranks) {
    SlotBytes bytes = SlotBytes.of(USUAL, ranks, ranks);
    assertThat(bytes.hostPair()).isEqualTo(128 << 10);
    assertThat(SlotBytes.inHost(ranks)).isGreaterThan(USUAL);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 64, 1000})
  void manyHostsTakeNothingFromARanksConnectionsInsideItsOwn(int hosts) {
    assertThat(SlotBytes.of(USUAL, 4 * hosts, 4).hostPair()).isEqualTo(128 << 10);
  }
}
