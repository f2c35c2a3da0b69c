// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachinePaceTest {
  @ParameterizedTest(name = "{0} times as long")
  @CsvSource({"0.5, 20", "1.4, 20", "1.5, 30", "4, 80", "12, 240", "1000, 240"})
  void aLimitIsLongerOnASlowMachineButHasABound(double factor, int seconds) {
    Duration usual = Duration.ofSeconds(20);
    assertThat(new MachinePace(factor).of(usual)).isEqualTo(Duration.ofSeconds(seconds));
    assertThat(MachinePace.most(usual)).isEqualTo(Duration.ofSeconds(240));
  }

  @Test
  void patienceIsInWholeSeconds() {
    assertThat(new MachinePace(1).patience()).isEqualTo(Duration.ofSeconds(10));
    assertThat(new MachinePace(2.51).patience()).isEqualTo(Duration.ofSeconds(26));
  }
}
