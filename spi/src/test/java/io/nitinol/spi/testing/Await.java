// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Polls until something has happened. The time limit of the test bounds it, by an interrupt, and
 * the failure then names what was waited for. A slow machine alone is no failure.
 */
public final class Await {
  /** Of a thread that no test interrupts any more. */
  private static final Duration LIMIT = Duration.ofMinutes(20);

  /** After these a poll comes by a timer: what it waits for may need the processor. */
  private static final int YIELDS = 1000;

  private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private Await() {}

  public static <T> T nonNull(String what, Supplier<@Nullable T> call) {
    long start = System.nanoTime();
    for (int turn = 0; ; turn++) {
      T value = call.get();
      if (value != null) {
        return value;
      }
      check(start, what);
      idle(turn);
    }
  }

  /** Lets time pass that is itself the matter of a test. */
  public static void pause(String what, long nanos) {
    long start = System.nanoTime();
    until(what, () -> System.nanoTime() - start > nanos);
  }

  public static void until(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    for (int turn = 0; !condition.getAsBoolean(); turn++) {
      check(start, what);
      idle(turn);
    }
  }

  private static void idle(int turn) {
    if (turn < YIELDS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(NAP_NANOS);
    }
  }

  private static void check(long start, String what) {
    if (Thread.currentThread().isInterrupted() || System.nanoTime() - start > LIMIT.toNanos()) {
      throw new AssertionError("not within the test's time: " + what);
    }
  }
}
