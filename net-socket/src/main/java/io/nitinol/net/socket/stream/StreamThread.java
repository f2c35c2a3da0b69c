// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.Waits;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that helps the threads that drive comms with their data streams. It looks at its streams
 * again and again for a while, since a thread that is woken comes tens of microseconds late. Then
 * it rests until a driving thread wakes it. While it rests, the driving threads work its streams,
 * so nothing depends on how soon it comes.
 *
 * <p>Where the processors are taken, help does harm: a stream waits for a thread that waits for a
 * processor. A thread that was away in the midst of its looks withdraws for a time, the longer the
 * more often that happens.
 */
final class StreamThread implements Runnable {
  /** How many rounds without bytes there are for one offer of the processor to others. */
  private static final int LOOKS = 16;

  /** A round takes a few calls; one that takes so much longer than its bytes was interrupted. */
  private static final long AWAY_NANOS = TimeUnit.MICROSECONDS.toNanos(700);

  private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What the thread does, for the threads that it helps. */
  private enum Stage {
    AWAKE,
    RESTING,
    WITHDRAWN
  }

  private final Thread thread;
  private final long spinNanos;
  private volatile DataStream[] streams = {};
  private volatile Stage stage = Stage.RESTING;
  private volatile boolean ended;

  /** How long it withdraws the next time. */
  private long withdrawal = SHORTEST_NANOS;

  /**
   * Creates a thread, which does nothing before {@link #start}.
   *
   * @param spinNanos how long it spins before it rests, in nanoseconds
   */
  StreamThread(String name, long spinNanos) {
    this.spinNanos = spinNanos;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
  }

  void start() {
    thread.start();
  }

  @Override
  public void run() {
    try {
      while (!ended) {
        LockSupport.park(this);
        stage = Stage.AWAKE;
        help();
      }
    } finally {
      stage = Stage.WITHDRAWN; // whatever ended it, the driving threads do not wait for it
    }
  }

  /** Moves bytes until there have been none for a while. */
  private void help() {
    long before = System.nanoTime();
    long busyAt = before;
    int looks = 0;
    while (!ended) {
      long moved = 0;
      for (DataStream stream : streams) {
        moved += stream.help();
      }
      long now = System.nanoTime();
      if (now - before - moved > AWAY_NANOS) { // a nanosecond for a byte is plenty
        withdraw(now);
        return;
      }
      before = now;
      if (moved > 0) {
        busyAt = now;
      } else if (now - busyAt >= spinNanos) {
        withdrawal = Math.max(SHORTEST_NANOS, withdrawal >> 1);
        stage = Stage.RESTING;
        return;
      } else if (++looks % LOOKS == 0) {
        Thread.yield(); // where processors are few, to the thread that this one waits for
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private void withdraw(long now) {
    stage = Stage.WITHDRAWN;
    long end = now + withdrawal;
    withdrawal = Math.min(LONGEST_NANOS, withdrawal << 1);
    for (long left = end - now; left > 0 && !ended; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
    stage = Stage.RESTING;
  }

  /** Returns whether the thread looks after its streams by itself. */
  @AnyThread
  boolean isAwake() {
    return stage == Stage.AWAKE;
  }

  /** Asks a resting thread for help. */
  @AnyThread
  void wake() {
    if (stage == Stage.RESTING) {
      LockSupport.unpark(thread);
    }
  }

  /** Returns how many streams it has. */
  int load() {
    return streams.length;
  }

  /** Adds a stream; callers hold the lock of {@link StreamThreads}. */
  void add(DataStream stream) {
    DataStream[] all = Arrays.copyOf(streams, streams.length + 1);
    all[streams.length] = stream;
    streams = all;
  }

  /** Removes a stream, at which the thread may be looking for the last time; callers as above. */
  void remove(DataStream stream) {
    streams = Arrays.stream(streams).filter(each -> each != stream).toArray(DataStream[]::new);
  }

  /** Tells the thread to end. */
  void end() {
    ended = true;
    LockSupport.unpark(thread);
  }

  /** Waits until the thread is gone, but not longer than so many nanoseconds. */
  boolean join(long nanos) {
    return Waits.join(thread, System.nanoTime() + nanos);
  }
}
