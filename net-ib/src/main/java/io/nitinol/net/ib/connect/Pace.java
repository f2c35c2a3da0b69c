// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import java.util.concurrent.TimeUnit;

/**
 * How long one call may go on with steps that a driver takes milliseconds for, such as making a
 * queue pair: with many of them, or many connections at once, the rest is left to the next call.
 * Used by one thread at a time.
 */
final class Pace {
  /** Well below the bound CALL, since the last step may take its time, too. */
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private long began;
  private boolean fresh;

  /** A call begins. */
  void begin() {
    began = System.nanoTime();
    fresh = true;
  }

  /** Returns whether there is time for one more step; there is for the first of each call. */
  boolean hasTime() {
    if (fresh) {
      fresh = false;
      return true;
    }
    return System.nanoTime() - began < NANOS;
  }
}
