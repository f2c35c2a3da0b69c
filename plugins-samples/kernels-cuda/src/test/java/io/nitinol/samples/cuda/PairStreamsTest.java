// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PairStreamsTest {

  @Test
  void aDeviceHasSoManyStreamsForAllTeams() {
    PairStreams.Budget budget = new PairStreams.Budget();
    assertThat(budget.take(15)).isTrue();
    assertThat(budget.take(15)).as("none rather than a part").isFalse();
    assertThat(budget.take(7)).isTrue();
    assertThat(budget.take(2)).isTrue();
    assertThat(budget.take(1)).isFalse();
    budget.giveBack(15);
    assertThat(budget.take(15)).isTrue();
  }
}
