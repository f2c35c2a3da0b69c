// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.progress.IdleStrategy;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Drives one connection of a rail, {@code <label>-rail-<n>}, so that two processors copy between
 * slots and sockets. While chunks are under way it waits as the communicator's {@code IdleStrategy}
 * has it; else it looks for a while, and sleeps.
 */
final class RailThread implements Runnable {
  /** How long it looks without a chunk: until the next operation of a stream that is busy comes. */
  private static final long LOOK_NANOS = 500_000;

  private final DirectRail rail;
  private final IdleStrategy idle;
  private final BooleanSupplier stopped;
  private final Consumer<Throwable> failed;
  private final Thread thread;
  private final Doorbell bell;
  private final BooleanSupplier nothing;
  private volatile boolean ended;

  /** Whether a chunk is about to come. */
  private volatile boolean expects;

  /**
   * Creates the thread.
   *
   * @param stopped whether the team has failed; the thread ends then
   * @param failed is told by this thread what it has ended for, if that is no failure of the rail
   */
  RailThread(
      String name,
      DirectRail rail,
      IdleStrategy idle,
      BooleanSupplier stopped,
      Consumer<Throwable> failed) {
    this.rail = rail;
    this.idle = idle;
    this.stopped = stopped;
    this.failed = failed;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
    this.bell = new Doorbell(thread);
    this.nothing = () -> !rail.isUnderWay() && !expects && !isOver();
  }

  void start() {
    thread.start();
  }

  /** Makes the thread look for a while, since the rail is about to begin with a chunk. */
  @AnyThread
  void expect() {
    if (!expects) {
      expects = true;
      bell.ring();
    }
  }

  /** Makes the thread look, after the rail has begun with a chunk. */
  @AnyThread
  void wake() {
    bell.ring();
  }

  /** Lets the thread end. */
  @AnyThread
  void end() {
    ended = true;
    bell.ring();
  }

  /** Waits for its end; returns whether it is gone. */
  @AnyThread
  boolean awaitEnd(long deadline) {
    return bell.awaitEnd(deadline);
  }

  private boolean isOver() {
    return ended || stopped.getAsBoolean();
  }

  @Override
  public void run() {
    try {
      work();
    } catch (Throwable e) {
      failed.accept(e); // the bridge thread would wait without end for the chunks of this one
    }
  }

  @OnlyThread("driving thread")
  private void work() {
    int times = 0;
    long lastUsed = System.nanoTime();
    while (!isOver()) {
      if (rail.progress()) {
        times = 0;
      } else if (rail.isUnderWay()) {
        times = idle.idle(times);
        rail.watch();
        lastUsed = System.nanoTime();
      } else if (System.nanoTime() - lastUsed < LOOK_NANOS) {
        Thread.onSpinWait();
      } else {
        bell.sleep(nothing);
        lastUsed = expects || rail.isUnderWay() ? System.nanoTime() : lastUsed;
        expects = false;
      }
    }
  }
}
