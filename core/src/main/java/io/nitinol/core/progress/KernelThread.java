// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import java.util.List;
import java.util.function.BooleanSupplier;

/** A thread that runs executors, so that reductions and the network go on side by side. */
final class KernelThread implements Runnable {
  /** Steps of one executor before the next gets its turn. */
  private static final int STEPS_PER_TURN = 4;

  private final Executor[] executors;
  private final Engine engine;
  private final Thread thread;
  private final Sleeper sleeper;

  /** Made once: a method reference at its place of use is a new object each time it is come to. */
  private final BooleanSupplier mustRun = this::mustRun;

  private volatile boolean ended;

  KernelThread(String name, List<Executor> executors, Engine engine) {
    this.executors = executors.toArray(new Executor[0]);
    this.engine = engine;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
    this.sleeper = new Sleeper(thread);
  }

  void start() {
    thread.start();
  }

  @Override
  public void run() {
    int idleRounds = 0;
    while (!ended) {
      try {
        idleRounds = turn(idleRounds);
      } catch (Throwable e) {
        // Whatever it is, the operation cannot go on and somebody waits for it.
        engine.failures().failHere(e, "a step");
      }
    }
  }

  private int turn(int idleRounds) {
    int work = 0;
    if (!engine.failures().isStopped()) {
      for (Executor executor : executors) {
        work += executor.run(STEPS_PER_TURN);
      }
    }
    if (work > 0) {
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

  /** Says that an operation was submitted. */
  void submitted() {
    sleeper.wake(true);
  }

  String name() {
    return thread.getName();
  }

  /** Ends the thread; returns whether it is gone. */
  boolean end(long deadline) {
    ended = true;
    return ProgressThread.join(thread, deadline);
  }
}
