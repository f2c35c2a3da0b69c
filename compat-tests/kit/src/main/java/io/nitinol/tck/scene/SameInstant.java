// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets threads go on at the same instant, again and again. No thread sleeps meanwhile, from which
 * each would wake at a time of its own, as at a {@link ThreadBarrier}.
 */
public final class SameInstant {
  /** So often a thread looks for the others before it lets them have its processor. */
  private static final int SPINS = 1_000;

  /** From the last arrival to the instant: longer than the news of it takes to every thread. */
  private static final long AHEAD_NANOS = 20_000;

  /** When the threads of a round go on, by {@link System#nanoTime}. */
  private record Start(int round, long nanos) {}

  private final int threads;
  private final AtomicInteger arrivals = new AtomicInteger();
  private final AtomicReference<@Nullable Start> start = new AtomicReference<>();

  /** For so many threads. */
  public SameInstant(int threads) {
    this.threads = threads;
  }

  /**
   * Waits for the instant.
   *
   * @param round how often this thread has been here before
   * @param over whether to wait no longer, since another thread will not come
   */
  public void meet(int round, BooleanSupplier over) {
    if (arrivals.incrementAndGet() == (round + 1) * threads) {
      start.set(new Start(round, System.nanoTime() + AHEAD_NANOS));
    }
    @Nullable Start next = start.get();
    for (int turn = 0; next == null || next.round() < round; turn++) {
      if (over.getAsBoolean()) {
        return;
      }
      if (turn < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
      next = start.get();
    }
    while (System.nanoTime() - next.nanos() < 0) {
      Thread.onSpinWait();
    }
  }
}
