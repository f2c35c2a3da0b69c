// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.spi.DebugLogger;
import io.nitinol.toolkit.thread.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread that moves and reduces the data of its groups, which it polls in turn. Everything else
 * that happens to a group is a task of the same thread. With nothing to move it spins, then yields,
 * then sleeps for moments: at least as long as it takes to poll all groups, so that waiting costs
 * half a processor at the most, and at most a millisecond.
 */
final class SwitchWorker {
  private static final int SPINS = 64;
  private static final int YIELDS = 256;
  private static final long TICK_NANOS = 100_000_000;

  /** For so long after the last movement the next is expected soon. */
  private static final long LIVELY_NANOS = 2_000_000_000;

  private static final long SHORT_SLEEP_NANOS = 50_000;
  private static final long LONG_SLEEP_NANOS = 1_000_000;

  /** What the thread polls, in Aeron's word: here a group. The thread alone calls it. */
  interface Agent {
    /**
     * Does what can be done now.
     *
     * @return whether anything moved
     */
    boolean poll(long now);

    /** Returns whether it has ended, and is to be polled no more. */
    boolean isOver();

    /** Ends it because of a defect; nothing about it can be relied on. */
    void abort(Throwable cause);
  }

  private final DebugLogger logger;
  private final Thread thread;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final List<Agent> agents = new ArrayList<>(); // of the thread
  private volatile int load;
  private volatile boolean stopping;
  private int emptyRounds;
  private final LongConsumer clock;
  private long ticked;
  private long movedNanos;

  /**
   * Makes the thread.
   *
   * @param clock called with the time about every 100 ms
   */
  SwitchWorker(String name, LongConsumer clock, DebugLogger logger) {
    this.logger = logger;
    this.clock = clock;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Runs a task on the thread, behind those posted before. */
  void post(Runnable task) {
    tasks.add(task);
    LockSupport.unpark(thread);
  }

  /** Runs a task on the thread; if it throws, the group that it is about ends. */
  void post(Agent agent, Runnable task) {
    post(() -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        abort(agent, e);
      }
    });
  }

  /** Polls a group from now on, until it has ended. */
  void adopt(Agent agent) {
    post(() -> {
      agents.add(agent);
      load = agents.size();
    });
  }

  /** Returns how many groups there are. */
  int load() {
    return load;
  }

  /** Ends the thread; the groups that are left stay as they are. */
  void stop() {
    stopping = true;
    LockSupport.unpark(thread);
  }

  /** Waits for the end of the thread; returns whether it has come. */
  boolean join(long nanos) {
    return Waits.join(thread, System.nanoTime() + nanos);
  }

  private void run() {
    while (!stopping) {
      boolean moved = false;
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        attempt(null, task);
        moved = true;
      }
      long now = System.nanoTime();
      for (int i = agents.size() - 1; i >= 0; i--) { // those that are over go
        moved |= poll(agents.get(i), now);
      }
      if (now - ticked > TICK_NANOS) {
        ticked = now;
        tick(now);
      }
      if (moved) {
        emptyRounds = 0;
        movedNanos = now;
      } else {
        rest(now);
      }
    }
  }

  private void tick(long now) {
    try {
      clock.accept(now);
    } catch (RuntimeException | Error e) {
      report(null, e);
    }
  }

  private boolean poll(Agent agent, long now) {
    boolean moved;
    try {
      moved = agent.poll(now);
    } catch (RuntimeException | Error e) {
      abort(agent, e);
      moved = true;
    }
    if (agent.isOver()) {
      agents.remove(agent);
      load = agents.size();
    }
    return moved;
  }

  /** Ends a group because of a defect, here or in the network plugin. */
  private void abort(Agent agent, Throwable defect) {
    report(agent, defect);
    attempt(agent, () -> agent.abort(defect));
  }

  /** Runs a task; its failure, an Error too, does not end the thread, which has other groups. */
  private void attempt(@Nullable Agent agent, Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      report(agent, e);
    }
  }

  private void report(@Nullable Agent agent, Throwable e) {
    try {
      logger.warn(
          "SwitchWorker",
          "switch: " + (agent == null ? "a task" : agent.toString()) + " failed: " + e);
    } catch (RuntimeException | Error alsoFailed) {
      e.addSuppressed(alsoFailed); // it cannot be reported, and the groups go on
    }
  }

  private void rest(long roundBegan) {
    emptyRounds++;
    if (agents.isEmpty()) {
      if (tasks.isEmpty()) {
        LockSupport.parkNanos(this, TICK_NANOS);
      }
    } else if (emptyRounds < SPINS) {
      Thread.onSpinWait();
    } else if (emptyRounds < YIELDS) {
      Thread.yield();
    } else {
      long now = System.nanoTime();
      long sleep = now - movedNanos < LIVELY_NANOS ? SHORT_SLEEP_NANOS : LONG_SLEEP_NANOS;
      LockSupport.parkNanos(this, Math.clamp(now - roundBegan, sleep, LONG_SLEEP_NANOS));
    }
  }
}
