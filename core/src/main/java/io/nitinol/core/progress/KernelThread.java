// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.Waits;
import java.util.function.BooleanSupplier;

/** A thread that runs an executor, so that reductions and the network go on side by side. */
final class KernelThread implements Runnable {
  private final Executor executor;
  private final Engine engine;
  private final Thread thread;
  private final Sleeper sleeper;

  /** Made once: a method reference at its place of use is a new object each time it is come to. */
  private final BooleanSupplier mustRun = this::mustRun;

  private volatile boolean ended;

  /**
   * Whether the thread has seen that nothing is to be done any more; it runs no step after that.
   */
  private volatile boolean halted;

  KernelThread(String name, Executor executor, Engine engine) {
    this.executor = executor;
    this.engine = engine;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
    this.sleeper = new Sleeper(thread);
  }

  void start() {
    thread.start();
  }

  boolean is(Thread other) {
    return thread.equals(other);
  }

  @Override
  public void run() {
    int idleRounds = 0;
    while (!ended) {
      try {
        idleRounds = turn(idleRounds);
      } catch (Throwable e) {
        // Whatever it is, the operation cannot go on and a thread waits for it.
        engine.failures().failHere(e, "a step");
      }
    }
  }

  private int turn(int idleRounds) {
    if (engine.failures().isStopped()) {
      halted = true;
    } else if (executor.run() > 0) {
      sleeper.stir();
      return 0;
    }
    if (mustRun()) {
      return engine.idle().idle(idleRounds);
    }
    sleeper.rest(mustRun);
    return 0;
  }

  private boolean mustRun() {
    return ended || engine.isPending();
  }

  /** Wakes the thread, since an operation was submitted. */
  void submitted() {
    sleeper.wake(true);
  }

  /** Returns whether no step is run any more; if not, makes the thread look. */
  @AnyThread
  boolean isHalted() {
    if (halted || !thread.isAlive()) {
      return true;
    }
    sleeper.wake(true);
    return false;
  }

  String name() {
    return thread.getName();
  }

  /** Ends the thread; returns whether it is gone. */
  boolean end(long deadline) {
    ended = true;
    return Waits.wakeAndJoin(thread, deadline);
  }
}
