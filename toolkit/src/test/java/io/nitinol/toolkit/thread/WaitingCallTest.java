// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.testing.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who gets the result of a call that may wait, and who disposes of it. */
class WaitingCallTest {
  private final List<String> disposed = new CopyOnWriteArrayList<>();
  private final CountDownLatch goesOn = new CountDownLatch(1);
  private final AtomicInteger calls = new AtomicInteger();

  private WaitingCall<String> call() {
    return new WaitingCall<>("test-call", this::made, this::dispose);
  }

  private void dispose(@Nullable String made) {
    disposed.add(String.valueOf(made));
  }

  /** Returns null at first, then waits. */
  private @Nullable String made() {
    if (calls.incrementAndGet() == 1) {
      return null;
    }
    try {
      assertThat(goesOn.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return "made";
  }

  @Test
  void aCallIsMadeAgainUntilItHasAResultWhichIsTheCallers() {
    WaitingCall<String> call = call();
    call.start();
    Await.until("the second call", () -> calls.get() == 2);
    assertThat(call.poll()).isNull();
    goesOn.countDown();
    assertThat(Await.nonNull("result", call::poll)).isEqualTo("made");
    assertThat(call.abandon()).as("disposed of by the thread").isFalse();
    assertThat(call.result()).isEqualTo("made");
    assertThat(disposed).isEmpty();
  }

  @Test
  void theThreadDisposesOfWhatAnAbandonedCallMakes() {
    WaitingCall<String> call = call();
    call.start();
    Await.until("the second call", () -> calls.get() == 2);
    assertThat(call.abandon()).isTrue();
    goesOn.countDown();
    Await.until("disposal", () -> !disposed.isEmpty());
    assertThat(call.join(System.nanoTime() + TimeUnit.SECONDS.toNanos(20))).isTrue();
    assertThat(disposed).containsExactly("made");
  }

  @Test
  void aCallThatWasNeverStartedLeavesNothingToDisposeOf() {
    WaitingCall<String> call = call();
    assertThat(call.abandon()).isFalse();
    assertThat(call.result()).isNull();
    assertThat(disposed).isEmpty();
  }

  @Test
  void whatTheCallThrowsIsThrownByPoll() {
    WaitingCall<String> call =
        new WaitingCall<>(
            "test-call",
            () -> {
              throw new IllegalStateException("of the test");
            },
            this::dispose);
    call.start();
    assertThat(call.join(System.nanoTime() + TimeUnit.SECONDS.toNanos(20))).isTrue();
    assertThatThrownBy(call::poll).hasMessage("of the test");
    assertThat(call.abandon()).isFalse();
    assertThat(disposed).isEmpty();
  }
}
