// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One of {@link StepHelpers}: takes the step that it was offered, works on it, and is free again.
 */
final class StepHelper implements Runnable {
  /** How long a helper looks for the next step; between those of one operation it never sleeps. */
  private static final long SPIN_NANOS = 50_000;

  private static final int LOOKS = 64;

  /** How often a thread looks whether a helper is done before it lets others run. */
  private static final int PATIENCE = 1000;

  private static final VarHandle OFFERED;
  private static final VarHandle BUSY;
  private static final VarHandle SLEEPS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      OFFERED = lookup.findVarHandle(StepHelper.class, "offered", HelperWork.class);
      BUSY = lookup.findVarHandle(StepHelper.class, "busy", HelperWork.class);
      SLEEPS = lookup.findVarHandle(StepHelper.class, "sleeps", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Thread thread;
  private final MemorySegment scratch;

  /** What nobody has begun yet; null while this helper is free, or busy. */
  @SuppressWarnings("UnusedVariable") // by OFFERED
  private @Nullable HelperWork offered;

  /** What it works on; set before it takes the offer, so that it is never in neither place. */
  @SuppressWarnings("UnusedVariable") // by BUSY
  private @Nullable HelperWork busy;

  @SuppressWarnings("UnusedVariable") // by SLEEPS
  private boolean sleeps;

  /**
   * Creates a helper, whose thread is not started.
   *
   * @param scratch {@link Fold#BLOCK_BYTES} bytes of its own
   */
  StepHelper(int number, MemorySegment scratch) {
    this.scratch = scratch;
    this.thread = Thread.ofPlatform().daemon().name("nitinol-helper-" + number).unstarted(this);
  }

  void start() {
    thread.start();
  }

  /** Offers a step; returns whether this helper was free. */
  @AnyThread
  @SuppressWarnings("ReferenceEquality") // is it the very one?
  boolean offer(HelperWork step) {
    if (BUSY.getVolatile(this) != null || !OFFERED.compareAndSet(this, null, step)) {
      return false;
    }
    if ((boolean) SLEEPS.getVolatile(this)) {
      LockSupport.unpark(thread);
    }
    // Behind other work that came in between it would wait, for as long as that takes.
    HelperWork now = (HelperWork) BUSY.getAcquire(this);
    return now == null || now == step || !OFFERED.compareAndSet(this, step, null);
  }

  /** Takes a step back, or waits until this helper has done its part of it. */
  @AnyThread
  @SuppressWarnings("ReferenceEquality") // is it the very one?
  void takeBack(HelperWork step) {
    if (OFFERED.compareAndSet(this, step, null)) {
      return;
    }
    for (int looks = 0; BUSY.getVolatile(this) == step; looks++) {
      if (looks < PATIENCE) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  @Override
  public void run() {
    long until = System.nanoTime() + SPIN_NANOS;
    while (true) {
      for (int i = 0; i < LOOKS; i++) {
        if (look()) {
          until = System.nanoTime() + SPIN_NANOS;
          break;
        }
        Thread.onSpinWait();
      }
      if (System.nanoTime() - until >= 0) {
        sleep();
        until = System.nanoTime() + SPIN_NANOS;
      }
    }
  }

  /** Works on what it was offered; returns whether that was something. */
  boolean look() {
    HelperWork step = (HelperWork) OFFERED.getVolatile(this);
    if (step == null) {
      return false;
    }
    BUSY.setVolatile(this, step);
    try {
      if (OFFERED.compareAndSet(this, step, null)) {
        step.work(scratch);
      }
    } finally {
      BUSY.setVolatile(this, null);
    }
    return true;
  }

  private void sleep() {
    SLEEPS.setVolatile(this, true);
    if (OFFERED.getVolatile(this) == null) {
      LockSupport.park(this);
    }
    SLEEPS.setVolatile(this, false);
  }
}
