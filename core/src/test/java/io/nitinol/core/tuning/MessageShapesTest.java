// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.team.SlotShape;
import io.nitinol.core.schedule.team.TeamShape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageShapesTest {

  /** 128 ranks of one host could not start: their slots were too small for a line of each. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTeamOfAnySizeHasItsSlots(boolean direct) {
    for (int ranks = 1; ranks <= 1024; ranks++) {
      HostLayout host = layout(ranks);
      SlotShape lines = MessageShapes.lines(host);
      SlotShape slots = MessageShapes.slots(host, direct);
      assertThat(new TeamShape(ranks, ranks - 1, lines, slots, direct).members()).isEqualTo(ranks);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 32768, 262144", "8, 32768, 262144", "9, 16384, 131072", "64, 4096, 32768",
    "65, 8192, 16384", "128, 8192, 16384", "256, 16384, 16384", "1024, 65536, 65536"
  })
  void slotsShrinkUntilALineOfEachRankFillsThem(int ranks, int lines, int slots) {
    assertThat(MessageShapes.lineBytes(layout(ranks))).isEqualTo(lines);
    assertThat(MessageShapes.slots(layout(ranks), false).slotBytes()).isEqualTo(slots);
  }

  private static HostLayout layout(int ranks) {
    return HostLayout.of(new long[ranks]);
  }
}
