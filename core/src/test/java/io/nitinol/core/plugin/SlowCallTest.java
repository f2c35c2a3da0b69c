// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SlowCallTest {
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  @Test
  void aCallThatDoesNotReturnIsToldOfOnce() throws InterruptedException {
    try (SlowCall _ = SlowCall.watch(() -> "init of Foo", Duration.ZERO, lines::add)) {
      assertThat(lines.poll(240, TimeUnit.SECONDS))
          .isEqualTo(
              "still waiting for init of Foo, after 0 s; nothing but the plugin ends this wait");
    }
    assertThat(lines).isEmpty();
  }

  @Test
  void aCallThatHasReturnedIsNot() throws InterruptedException {
    CountDownLatch returned = new CountDownLatch(1);
    Consumer<String> busy = _ -> awaitLatch(returned);
    try (SlowCall _ = SlowCall.watch(() -> "what keeps the telling thread", Duration.ZERO, busy)) {
      SlowCall.watch(() -> "init of Foo", Duration.ZERO, lines::add).close();
      try (SlowCall _ = SlowCall.watch(() -> "next", Duration.ZERO, lines::add)) {
        returned.countDown();
        assertThat(lines.poll(240, TimeUnit.SECONDS)).as("the one that is left").contains("next");
      }
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
