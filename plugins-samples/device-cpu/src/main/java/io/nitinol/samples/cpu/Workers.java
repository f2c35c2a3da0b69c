// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that work off the queues of all streams of the process: a few, however many streams
 * there are. A queue in which nothing can go on is asked again after the others. While that holds
 * for all queues the threads rest between rounds, up to a millisecond.
 */
final class Workers {
  static final Workers INSTANCE = new Workers();

  private static final int MOST = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 4);
  private static final long LIFE_WITHOUT_WORK_MILLIS = 2_000;
  private static final long SHORTEST_REST_NANOS = 10_000;
  private static final int MOST_DOUBLINGS = 6; // to 640 µs

  private final ArrayDeque<StreamQueue> ready = new ArrayDeque<>();
  private int threads;
  private int idle;
  private int named;

  private Workers() {}

  /** Takes a queue that has work; it is here once at a time. */
  synchronized void take(StreamQueue queue) {
    ready.add(queue);
    if (idle > 0) {
      notify();
    } else if (threads < MOST) {
      threads++;
      Thread.ofPlatform().daemon().name("cpu-worker-" + named++ % MOST).start(this::run);
    }
  }

  private void run() {
    int blocked = 0;
    for (StreamQueue queue = next(); queue != null; queue = next()) {
      StreamWork.Progress progress = queue.advance();
      if (progress != StreamWork.Progress.DONE) {
        again(queue);
      }
      blocked = progress == StreamWork.Progress.BLOCKED ? blocked + 1 : 0;
      int rounds = blocked / (1 + waiting());
      if (rounds > 0) {
        // What the queues wait for may be in another process, so nothing here can wake us.
        LockSupport.parkNanos(SHORTEST_REST_NANOS << Math.min(rounds - 1, MOST_DOUBLINGS));
      }
    }
  }

  private synchronized void again(StreamQueue queue) {
    ready.add(queue);
  }

  private synchronized int waiting() {
    return ready.size();
  }

  /** Returns the next queue, or null for a thread that ends since there was no work for long. */
  private synchronized @Nullable StreamQueue next() {
    long end = System.nanoTime() + LIFE_WITHOUT_WORK_MILLIS * 1_000_000;
    while (ready.isEmpty()) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        threads--;
        return null;
      }
      idle++;
      try {
        wait(left);
      } catch (InterruptedException e) {
        // These threads are nobody's to interrupt; the work goes on.
      } finally {
        idle--;
      }
    }
    return ready.remove();
  }
}
