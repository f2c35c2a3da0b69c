// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Polls with a bound that names what was waited for. */
public final class Await {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Await() {}

  public static <T> T nonNull(String what, Supplier<@Nullable T> call) {
    long start = System.nanoTime();
    for (; ; ) {
      T value = call.get();
      if (value != null) {
        return value;
      }
      check(start, what);
      Thread.yield();
    }
  }

  /** Lets time pass that is itself the matter of a test. */
  public static void pause(String what, long nanos) {
    long start = System.nanoTime();
    until(what, () -> System.nanoTime() - start > nanos);
  }

  public static void until(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      check(start, what);
      Thread.yield();
    }
  }

  private static void check(long start, String what) {
    if (System.nanoTime() - start > LIMIT.toNanos()) {
      throw new AssertionError("not within " + LIMIT + ": " + what);
    }
  }
}
