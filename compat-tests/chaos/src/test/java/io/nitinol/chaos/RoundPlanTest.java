// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoundPlanTest {
  private static final List<RoundCarrier> CARRIERS = List.of(RoundCarrier.values());
  private static final List<Fault> FAULTS = List.of(Fault.values());

  @Test
  void everyFaultMeetsEveryCarrierThatItCan() {
    Set<Fault> drawn = EnumSet.noneOf(Fault.class);
    for (long seed = 0; seed < 3000; seed++) {
      RoundPlan plan = RoundPlan.of(seed, CARRIERS, FAULTS);
      assertThat(plan).isEqualTo(RoundPlan.of(seed, CARRIERS, FAULTS));
      assertThat(plan.carrier().faults()).contains(plan.fault());
      assertThat(plan.victim()).isBetween(0, plan.ranks() - 1);
      assertThat(plan.isNear(0)).isTrue();
      assertThat(plan.isNear(plan.ranks() - 1)).isFalse();
      drawn.add(plan.fault());
    }
    assertThat(drawn).containsExactlyInAnyOrder(Fault.values());
    assertThat(
            Arrays.stream(RoundCarrier.values())
                .flatMap(carrier -> carrier.faults().stream())
                .toList())
        .contains(Fault.values());
  }

  @Test
  void aFaultThatCannotHappenIsRefused() {
    assertThatThrownBy(() -> RoundPlan.of(1, List.of(RoundCarrier.SHM), List.of(Fault.SWITCH)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("SWITCH")
        .hasMessageContaining("SHM");
  }
}
