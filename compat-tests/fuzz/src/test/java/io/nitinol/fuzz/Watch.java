// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Prints the input that a target does not come back from, which no test could do afterwards. */
final class Watch implements AutoCloseable {
  private record Attempt(String target, byte[] input, Thread thread) {}

  private final Thread thread;
  private final long limitNanos;
  private final Runnable consequence;
  private volatile @Nullable Attempt current;

  /**
   * Begins to watch.
   *
   * @param seconds how long one input may take
   * @param consequence what follows once the input was printed
   */
  Watch(int seconds, Runnable consequence) {
    this.limitNanos = TimeUnit.SECONDS.toNanos(seconds);
    this.consequence = consequence;
    this.thread = Thread.ofPlatform().daemon().name("fuzz-watch").start(this::watch);
  }

  void begin(String target, byte[] input) {
    current = new Attempt(target, input, Thread.currentThread());
  }

  void end() {
    current = null;
  }

  private void watch() {
    Attempt last = null;
    long since = System.nanoTime();
    try {
      while (!Thread.currentThread().isInterrupted()) {
        TimeUnit.MILLISECONDS.sleep(500); // nothing tells that something does not end
        Attempt now = current;
        if (now != last || now == null) {
          last = now;
          since = System.nanoTime();
        } else if (System.nanoTime() - since > limitNanos) {
          tell(now);
          consequence.run();
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void tell(Attempt attempt) {
    System.err.printf(
        "%s does not end; repeat it: compat-tests/fuzz/run --target %s --replay %s%n",
        attempt.target(), attempt.target(), HexFormat.of().formatHex(attempt.input()));
    for (StackTraceElement frame : attempt.thread().getStackTrace()) {
      System.err.println("\tat " + frame);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
