// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeakRulesTest {
  private static final long TIME = TimeUnit.SECONDS.toNanos(45);

  @Test
  void aPluginWhoseConnectionsTakeLongGetsFewerOfThem() {
    assertThat(LeakRules.affordable(0, TIME)).isEqualTo(1000);
    assertThat(LeakRules.affordable(TimeUnit.MILLISECONDS.toNanos(45), TIME)).isEqualTo(1000);
    assertThat(LeakRules.affordable(TimeUnit.MILLISECONDS.toNanos(250), TIME)).isEqualTo(180);
    assertThat(LeakRules.affordable(TimeUnit.SECONDS.toNanos(20), TIME))
        .as("ten times the first ones, or a leak would not show")
        .isEqualTo(100);
  }
}
