// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationClockTest {
  /** One link of 100 bytes per microsecond. */
  private final SimulationClock clock =
      new SimulationClock(new double[] {100}, EngineCosts.GPU, null);

  private final List<String> seen = new ArrayList<>();

  private int timer(String name) {
    return clock.addTimer(() -> seen.add(name + " at " + clock.now()));
  }

  @Test
  void timersOfOneTimeGoOffAsTheyWereAdded() {
    int first = timer("first");
    int second = timer("second");
    timer("never set");
    assertThat(clock.next()).isEqualTo(SimulationClock.NEVER);
    clock.setTimer(second, 50);
    clock.setTimer(first, 50);
    assertThat(clock.next()).isEqualTo(50);
    clock.goTo(40);
    assertThat(seen).isEmpty();
    clock.setTimer(second, 10);
    clock.goTo(50);
    assertThat(seen).containsExactly("first at 50", "second at 50");
    assertThat(clock.next()).isEqualTo(SimulationClock.NEVER);
  }

  /** 84 bytes and a header of 16 are a microsecond. */
  @Test
  void aFlowEndsWhenItsBytesAreThrough() {
    int flow = clock.addFlow(new int[] {0}, () -> seen.add("end at " + clock.now()));
    clock.startFlow(flow, 84);
    clock.settleFlows();
    assertThat(clock.next()).isEqualTo(1_000_000);
    clock.goTo(clock.next());
    clock.endFlow(flow);
    clock.settleFlows();
    assertThat(seen).containsExactly("end at 1000000");
    assertThat(clock.bytesOver(0)).isEqualTo(100);
    assertThat(clock.next()).isEqualTo(SimulationClock.NEVER);
  }
}
