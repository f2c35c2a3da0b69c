// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaitsTest {
  @Test
  void aLimitOfAnyLengthMakesADeadline() {
    assertThat(Waits.nanos(Duration.ofNanos(Long.MAX_VALUE).plusNanos(1)))
        .isEqualTo(Waits.nanos(Duration.ofSeconds(Long.MAX_VALUE)))
        .isEqualTo(Waits.nanos(Duration.ofNanos(Long.MAX_VALUE)))
        .isEqualTo(Long.MAX_VALUE / 2);
    assertThat(Waits.nanos(Duration.ofSeconds(Long.MIN_VALUE))).isZero();
    assertThat(Waits.nanos(Duration.ofNanos(-1))).isZero();
    assertThat(Waits.nanos(Duration.ofMillis(3))).isEqualTo(3_000_000);
  }
}
