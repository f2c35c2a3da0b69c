// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import java.util.concurrent.locks.LockSupport;

/** Waits with a bound for what the driver can only be asked. */
interface Waiting {
  /** For so long a waiting thread spins; most collectives are shorter. */
  long SPIN_NANOS = 50_000;

  /** For so long it then sleeps between two questions. */
  long PARK_NANOS = 50_000;

  /** {@return whether it is done} */
  boolean query();

  /**
   * Asks until it is done.
   *
   * @param timeoutNanos how long at the most; 0 or less asks once
   * @return true if it is done; false after that time, or when the thread is interrupted
   */
  static boolean await(Waiting awaited, long timeoutNanos) {
    if (awaited.query()) {
      return true;
    }
    long start = System.nanoTime();
    while (true) {
      long waited = System.nanoTime() - start;
      if (waited >= timeoutNanos || Thread.currentThread().isInterrupted()) {
        return false;
      }
      if (waited < SPIN_NANOS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(awaited, Math.min(PARK_NANOS, timeoutNanos - waited));
      }
      if (awaited.query()) {
        return true;
      }
    }
  }
}
