// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * How a background thread rests without being woken for every operation, which would cost the
 * submitter a system call: first it naps, waking up by itself to look, and only after a long rest
 * does it sleep until {@link #wake}.
 */
final class Sleeper {
  private static final int AWAKE = 0;
  private static final int NAPPING = 1;
  private static final int SLEEPING = 2;

  private static final long NAP_NANOS = 1_000_000;
  private static final int NAPS = 50;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Sleeper.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Thread thread;

  @SuppressWarnings("UnusedVariable") // by STATE
  private int state;

  private int naps;

  Sleeper(Thread thread) {
    this.thread = thread;
  }

  /** Notes that there was something to do: rest starts with naps again. */
  @OnlyThread("the sleeping thread")
  void stir() {
    naps = 0;
  }

  /**
   * Rests once.
   *
   * @param reason asked after the thread has said that it rests; true means not to. A thread that
   *     gives a reason does so before it calls {@link #wake}, so that one of the two sees the other
   */
  @OnlyThread("the sleeping thread")
  void rest(BooleanSupplier reason) {
    if (naps < NAPS) {
      naps++;
      STATE.setVolatile(this, NAPPING);
      if (!reason.getAsBoolean()) {
        LockSupport.parkNanos(this, NAP_NANOS);
      }
    } else {
      STATE.setVolatile(this, SLEEPING);
      if (!reason.getAsBoolean()) {
        LockSupport.park(this);
      }
    }
    STATE.setVolatile(this, AWAKE);
  }

  /** Wakes the thread if it sleeps, and if it naps too where {@code now} is true. */
  @AnyThread
  void wake(boolean now) {
    int current = (int) STATE.getVolatile(this);
    if (current == SLEEPING || (now && current == NAPPING)) {
      LockSupport.unpark(thread);
    }
  }
}
