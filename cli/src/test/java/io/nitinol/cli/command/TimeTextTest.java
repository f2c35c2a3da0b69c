// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimeTextTest {
  @Test
  void whatIsLeftFollowsFromWhatIsDone() {
    long minute = Duration.ofMinutes(1).toNanos();
    assertThat(TimeText.of(minute + 15_900_000_000L)).isEqualTo("1:15");
    assertThat(TimeText.left(minute, 1, 4)).isEqualTo("about 3:00 left");
    assertThat(TimeText.left(minute, 5, 4)).isEqualTo("about 0:00 left");
    assertThat(TimeText.left(minute, 0, 4)).isEmpty();
  }
}
