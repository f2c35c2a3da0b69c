// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import io.nitinol.toolkit.thread.Waits;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Lets one thread sleep until another one has something for it to do. */
final class Doorbell {
  /** How long the thread sleeps at most, so that it notices a failure without a call. */
  private static final long SLEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Thread sleeper;
  private volatile boolean asleep;

  /**
   * Creates a bell.
   *
   * @param sleeper the thread that calls {@link #sleep}
   */
  Doorbell(Thread sleeper) {
    this.sleeper = sleeper;
  }

  /** Wakes the thread, after the caller has written what it is to see. */
  @AnyThread
  void ring() {
    if (asleep) {
      LockSupport.unpark(sleeper);
    }
  }

  /**
   * Sleeps until the bell rings, a second at most.
   *
   * @param idle whether there is nothing to do, asked once more before the thread sleeps
   */
  @OnlyThread("the sleeping thread")
  void sleep(BooleanSupplier idle) {
    asleep = true; // before the look; a thread that writes something looks here behind it
    VarHandle.fullFence(); // the look need not be a volatile one, and could come before the store
    if (idle.getAsBoolean()) {
      LockSupport.parkNanos(this, SLEEP_NANOS);
    }
    asleep = false;
  }

  /**
   * Waits for the end of the thread, which is to notice that it shall; returns whether it has.
   *
   * @param deadline of {@link System#nanoTime}
   */
  @AnyThread
  boolean awaitEnd(long deadline) {
    return Waits.wakeAndJoin(sleeper, deadline);
  }
}
