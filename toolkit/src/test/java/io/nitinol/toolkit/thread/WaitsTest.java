// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @Test
  void anInterruptIsKeptForTheCallerAndEndsNoWait() {
    List<Integer> calls = new ArrayList<>();
    Thread.currentThread().interrupt();
    String result =
        Waits.uninterrupted(() -> {
          calls.add(calls.size());
          Thread.sleep(1); // throws at the first call, and takes the interrupt back
          return "done";
        });
    assertThat(result).isEqualTo("done");
    assertThat(calls).hasSize(2);
    assertThat(Thread.interrupted()).isTrue();
    assertThatThrownBy(() ->
            Waits.uninterrupted(() -> {
              throw new IOException("of the wait");
            }))
        .isInstanceOf(IOException.class)
        .hasMessage("of the wait");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aThreadIsWaitedForUntilTheDeadline(boolean wakes) {
    AtomicBoolean told = new AtomicBoolean();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .unstarted(() -> {
              while (!told.get()) {
                LockSupport.park();
              }
            });
    assertThat(join(thread, wakes, 0)).as("one that was not started").isTrue();
    thread.start();
    Thread.currentThread().interrupt();
    assertThat(join(thread, wakes, 20)).isFalse();
    assertThat(Thread.interrupted()).isTrue();
    told.set(true);
    if (!wakes) {
      LockSupport.unpark(thread);
    }
    Thread.currentThread().interrupt();
    assertThat(join(thread, wakes, 240_000)).isTrue();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(join(thread, wakes, -1)).as("after the deadline").isTrue();
  }

  private static boolean join(Thread thread, boolean wakes, long millis) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    return wakes ? Waits.wakeAndJoin(thread, deadline) : Waits.join(thread, deadline);
  }
}
