// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

/** How long one bounded wait may still take. */
final class CpuDeadline {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long start = System.nanoTime();
  private final long timeoutNanos;

  CpuDeadline(long timeoutNanos) {
    this.timeoutNanos = timeoutNanos;
  }

  /**
   * Waits for a notification; the caller holds the monitor.
   *
   * @return false when the time is over or the thread is interrupted, whose status stays
   */
  @SuppressWarnings("WaitNotInLoop") // the caller has the loop
  boolean waitOn(Object monitor) {
    long left = timeoutNanos - (System.nanoTime() - start);
    if (left <= 0 || Thread.currentThread().isInterrupted()) {
      return false;
    }
    try {
      monitor.wait(left / NANOS_PER_MILLI, (int) (left % NANOS_PER_MILLI));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
