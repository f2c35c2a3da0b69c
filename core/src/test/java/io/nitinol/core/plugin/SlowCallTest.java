// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlowCallTest {
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  @Test
  void aCallThatDoesNotReturnIsToldOfOnce() throws InterruptedException {
    try (SlowCall _ = SlowCall.watch(() -> "init of Foo", Duration.ZERO, lines::add)) {
      assertThat(lines.poll(30, TimeUnit.SECONDS))
          .isEqualTo(
              "still waiting for init of Foo, after 0 s; nothing but the plugin ends this wait");
    }
    assertThat(lines).isEmpty();
  }

  @Test
  void aCallThatHasReturnedIsNot() throws InterruptedException {
    SlowCall.watch(() -> "init of Foo", Duration.ofMillis(1), _ -> lines.add("late")).close();
    try (SlowCall _ = SlowCall.watch(() -> "next", Duration.ofMillis(2), lines::add)) {
      assertThat(lines.poll(30, TimeUnit.SECONDS)).as("the one that is left").contains("next");
    }
  }
}
