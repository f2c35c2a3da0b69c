// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class IdleStrategyTest {
  /** Calls until the strategy stops counting, which is when it sleeps. */
  private static int callsBeforeParking(IdleStrategy idle, int most) {
    int times = 0;
    for (int calls = 0; calls < most; calls++) {
      int next = idle.idle(times);
      if (next == times) {
        return calls;
      }
      times = next;
    }
    return most;
  }

  @Test
  void parkSleepsInTheEndAndTheOthersDoNot() {
    assertThat(callsBeforeParking(IdleStrategy.of("park", true), 20_000)).isLessThan(20_000);
    assertThat(callsBeforeParking(IdleStrategy.of("PARK", false), 20_000)).isLessThan(20_000);
    assertThat(callsBeforeParking(IdleStrategy.of("yield", true), 20_000)).isEqualTo(20_000);
    assertThat(callsBeforeParking(IdleStrategy.of("spin", true), 20_000)).isEqualTo(20_000);
  }

  @Test
  void whereThereIsRoomARankLooksForLongBeforeItSleeps() {
    int usual = callsBeforeParking(IdleStrategy.of("park", false, false), 100_000);
    int roomy = callsBeforeParking(IdleStrategy.of("park", false, true), 100_000);
    int crowded = callsBeforeParking(IdleStrategy.of("park", true, true), 100_000);
    assertThat(roomy).isGreaterThan(5 * usual);
    assertThat(crowded).isLessThan(usual);
  }

  @Test
  void anUnknownStrategyIsRefused() {
    assertThatThrownBy(() -> IdleStrategy.of("doze", false))
        .hasMessageContaining("doze")
        .hasMessageContaining("spin, yield or park");
  }
}
