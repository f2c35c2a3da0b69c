// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SleeperTest {
  @Test
  void asksBeforeEveryNapAndEverySleep() {
    Sleeper sleeper = new Sleeper(Thread.currentThread());
    AtomicInteger asked = new AtomicInteger();
    for (int i = 0; i < 100; i++) {
      sleeper.rest(() -> asked.incrementAndGet() > 0);
    }
    assertThat(asked).hasValue(100);
  }

  @Test
  void aWakeBetweenTheLastLookAndTheNapIsNotLost() {
    Sleeper sleeper = new Sleeper(Thread.currentThread());
    boolean[] reason = {false};
    // The thread has found nothing to do; now comes something, while it still counts as awake.
    reason[0] = true;
    sleeper.wake(true);
    boolean[] seen = {false};
    sleeper.rest(() -> {
      seen[0] = reason[0];
      return reason[0];
    });
    assertThat(seen[0]).isTrue();
  }
}
