// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.core.transport.PaddedCounter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/**
 * Measures what this machine takes, within a second: a JVM that has just started compiles
 * meanwhile, and vector kernels crawl until it has, so what is measured goes on until it has
 * stopped getting faster for a while, and the fastest moments count.
 */
final class MachineProbe {
  private static final int BLOCK = 64 << 10;
  private static final long RATE_LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(60);
  private static final long RATE_MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long STEADY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long SIGNAL_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

  /** Below the resolution of the clock a time says nothing. */
  private static final int BATCH = 8;

  private MachineProbe() {}

  /** Adds what is at the start of one block to another. */
  @FunctionalInterface
  interface Reduction {
    void reduce(MemorySegment into, MemorySegment from, long bytes);
  }

  static MachineCosts measure(Reduction reduction) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocate(BLOCK, 4096);
      MemorySegment b = arena.allocate(BLOCK, 4096);
      double copy = rate(() -> MemorySegment.copy(a, 0, b, 0, BLOCK));
      double reduce = rate(() -> reduction.reduce(a, b, BLOCK));
      return new MachineCosts(copy, reduce, signal());
    }
  }

  private static double rate(Runnable work) {
    long begin = System.nanoTime();
    long best = Long.MAX_VALUE;
    long before = begin;
    long improved = begin;
    while (before - begin < RATE_MOST_NANOS
        && (before - begin < RATE_LEAST_NANOS || before - improved < STEADY_NANOS)) {
      for (int i = 0; i < BATCH; i++) {
        work.run();
      }
      long after = System.nanoTime();
      if (after - before < best * 0.9) {
        improved = after;
      }
      best = Math.min(best, after - before);
      before = after;
    }
    return best <= 0 ? 0 : (double) BLOCK * BATCH * 1000 / best;
  }

  /** Half of the time that a counter takes to another thread and one takes back. */
  private static double signal() {
    PaddedCounter there = new PaddedCounter();
    PaddedCounter back = new PaddedCounter();
    long end = System.nanoTime() + SIGNAL_NANOS;
    Thread other =
        Thread.ofPlatform()
            .daemon()
            .name("nitinol-probe")
            .unstarted(() -> {
              long seen = 0;
              while (seen >= 0 && System.nanoTime() - end < 0) {
                long value = there.get();
                if (value != seen) {
                  seen = value;
                  back.set(value);
                }
              }
            });
    other.start();
    long best = Long.MAX_VALUE;
    long round = 0;
    long now = System.nanoTime();
    while (now - end < 0) {
      long before = now;
      for (int i = 0; i < BATCH && now - end < 0; i++) {
        there.set(++round);
        while (back.get() != round && (now = System.nanoTime()) - end < 0) {
          Thread.onSpinWait();
        }
      }
      now = System.nanoTime();
      if (now - end < 0) {
        best = Math.min(best, now - before);
      }
    }
    return best == Long.MAX_VALUE ? 0 : best / 1000.0 / BATCH / 2;
  }
}
