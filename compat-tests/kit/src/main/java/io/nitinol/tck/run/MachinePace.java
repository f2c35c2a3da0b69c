// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How much longer than on a usual machine everything takes on this one, as it is now: since its
 * cores are slower or emulated, or since others use them. Measured by a piece of work for each
 * core.
 *
 * @param factor 1 on a usual machine; below that on a fast one
 */
public record MachinePace(double factor) {
  /** What the work takes on one idle core of a usual machine. */
  private static final double USUAL_NANOS = 25e6;

  private static final int ROUNDS = 12_000_000;
  private static final int MOST_CORES = 8;
  private static final int TIMES = 3;

  /** What a right plugin does at once has this time on a usual machine. */
  private static final Duration USUAL_PATIENCE = Duration.ofSeconds(10);

  /** Beyond that, waiting longer helps nobody. */
  private static final int MOST = 12;

  /** Less than that is chance. */
  private static final double LEAST = 1.5;

  /** Keeps the compiler from leaving the work out. */
  @SuppressWarnings("unused")
  private static volatile long sink;

  /** Measures, in a tenth of a second on an idle machine. */
  public static MachinePace measure() {
    int cores = Math.min(MOST_CORES, Runtime.getRuntime().availableProcessors());
    sink = work(1, ROUNDS / 4); // compiles it
    long[] nanos = new long[cores];
    List<Thread> threads = new ArrayList<>();
    for (int core = 0; core < cores; core++) {
      int index = core;
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("tck-pace-" + core)
              .start(() -> {
                long start = System.nanoTime();
                for (int i = 0; i < TIMES; i++) {
                  sink = work(index + i + 1, ROUNDS);
                }
                nanos[index] = System.nanoTime() - start;
              }));
    }
    long all = 0;
    for (int core = 0; core < cores; core++) {
      try {
        threads.get(core).join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return new MachinePace(1);
      }
      all += nanos[core];
    }
    return new MachinePace((double) all / cores / TIMES / USUAL_NANOS);
  }

  private static long work(long seed, int rounds) {
    long x = seed;
    for (int i = 0; i < rounds; i++) {
      x ^= x << 13;
      x ^= x >>> 7;
      x ^= x << 17;
    }
    return x;
  }

  /** Returns how long to wait on such a machine for what a right plugin does at once. */
  public Duration patience() {
    return Duration.ofSeconds((long) Math.ceil(of(USUAL_PATIENCE).toMillis() / 1e3));
  }

  /**
   * Returns how long a limit is on such a machine.
   *
   * @param usual how long it is on a usual machine
   * @return at least that, and at most {@link #most}
   */
  public Duration of(Duration usual) {
    double times = factor < LEAST ? 1 : Math.min(factor, MOST);
    return Duration.ofMillis(Math.round(usual.toMillis() * times));
  }

  /** Returns how long a limit is on the slowest machine for which it is worth to wait. */
  public static Duration most(Duration usual) {
    return usual.multipliedBy(MOST);
  }
}
