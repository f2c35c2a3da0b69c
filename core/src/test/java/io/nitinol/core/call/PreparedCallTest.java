// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.Engine;
import io.nitinol.spi.ResultCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Starts of one call that meet each other or its close; submissions are the test's own. */
@Timeout(240)
class PreparedCallTest {
  /** Enough for the threads to meet at each instruction that a fault could lie between. */
  private static final int ROUNDS = 20_000;

  private static PreparedCall of(LongSupplier submission) {
    Engine none = null; // asked only after a first operation
    return new PreparedCall(none, "all_reduce", submission);
  }

  private static CompletableFuture<Void> inThread(Runnable body) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            body.run();
            future.complete(null);
          } catch (Throwable e) {
            future.completeExceptionally(e);
          }
        });
    return future;
  }

  private static String refusal(PreparedCall call) {
    CommException thrown = catchThrowableOfType(CommException.class, call::start);
    assertThat(thrown).isNotNull();
    assertThat(thrown.result()).isEqualTo(ResultCode.INVALID_USAGE);
    return thrown.getMessage();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(240, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aStartWhileAnotherThreadStartsIsRefused() throws Exception {
    CountDownLatch within = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    PreparedCall call =
        of(() -> {
          within.countDown();
          await(goOn);
          return 7;
        });
    CompletableFuture<Void> first = inThread(call::start);
    await(within);
    assertThat(refusal(call))
        .isEqualTo(
            "all_reduce: two threads start the same persistent call at once; expected one start at"
                + " a time");
    goOn.countDown();
    first.get(240, TimeUnit.SECONDS);
    assertThat(call.sequence()).isEqualTo(7);
  }

  @Test
  void closeWaitsForTheStartOfAnotherThread() throws Exception {
    CountDownLatch within = new CountDownLatch(1);
    CountDownLatch closes = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    AtomicBoolean early = new AtomicBoolean(true);
    PreparedCall call =
        of(() -> {
          within.countDown();
          await(closes);
          try {
            early.set(closed.await(200, TimeUnit.MILLISECONDS)); // never, however long
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return 1;
        });
    CompletableFuture<Void> start = inThread(call::start);
    await(within);
    CompletableFuture<Void> close =
        inThread(() -> {
          closes.countDown();
          call.close();
          closed.countDown();
        });
    start.get(240, TimeUnit.SECONDS);
    close.get(240, TimeUnit.SECONDS);
    assertThat(early).isFalse();
    assertThat(call.sequence()).isOne();
    assertThat(refusal(call)).contains("the persistent call is closed");
  }

  @Test
  void noBuffersAreSubmittedOnceCloseHasReturned() throws Exception {
    AtomicInteger starters = new AtomicInteger();
    AtomicInteger closers = new AtomicInteger();
    AtomicReference<PreparedCall> next = new AtomicReference<>();
    AtomicBoolean freed = new AtomicBoolean();
    AtomicBoolean late = new AtomicBoolean();
    LongSupplier submission =
        () -> {
          for (int i = 0; i < 500; i++) {
            Thread.onSpinWait();
          }
          late.compareAndSet(false, freed.get());
          return 1;
        };
    CompletableFuture<Void> starter =
        inThread(() -> {
          for (int round = 0; round < ROUNDS; round++) {
            meet(starters, closers);
            try {
              next.get().start();
            } catch (CommException e) {
              assertThat(e).hasMessageContaining("the persistent call is closed");
            }
            meet(starters, closers);
          }
        });
    for (int round = 0; round < ROUNDS; round++) {
      PreparedCall call = of(submission);
      next.set(call);
      freed.set(false);
      meet(closers, starters);
      for (int i = 0; i < round % 500; i++) {
        Thread.onSpinWait();
      }
      call.close();
      freed.set(true);
      meet(closers, starters);
    }
    starter.get(240, TimeUnit.SECONDS);
    assertThat(late).isFalse();
  }

  /** Returns once both threads have come here equally often; neither sleeps, so both go at once. */
  private static void meet(AtomicInteger own, AtomicInteger others) {
    int count = own.incrementAndGet();
    for (int i = 1; others.get() < count; i++) {
      if (i % 1000 == 0) {
        Thread.yield();
      }
    }
  }

  @Test
  void theThreadThatStartsMayCloseWithinIt() {
    AtomicReference<PreparedCall> self = new AtomicReference<>();
    PreparedCall call =
        of(() -> {
          self.get().close();
          return 3;
        });
    self.set(call);
    call.start();
    assertThat(call.sequence()).isEqualTo(3);
    assertThat(refusal(call)).contains("the persistent call is closed");
  }
}
