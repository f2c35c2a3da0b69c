// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.core.transport.PaddedCounter;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that makes the connections and teams of one rank, all that are under way side by side.
 * It is started by the first question and sleeps while there is nothing to do; while something is
 * under way it looks at growing intervals, since many ranks may live in one process.
 */
final class ConnectThread {
  private static final long SHORTEST_NANOS = 20_000;
  private static final long LONGEST_NANOS = 1_000_000;

  /** While nothing but other ranks can bring the connections forward, which is heard at once. */
  private static final long WAITING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How long the thread, and those that may wait in the plugin, get to come back. */
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long LEAVE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Finds out what a notice is about. */
  @FunctionalInterface
  interface Addressees {
    PendingSetup of(int peer, ConnectNotice notice);
  }

  private final ConnectContext here;
  private final Addressees addressees;
  private final int channels;
  private final Thread thread;
  private final ConcurrentLinkedQueue<PendingSetup> questions = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Runnable> messages = new ConcurrentLinkedQueue<>();
  private final PaddedCounter moves = new PaddedCounter();
  private volatile boolean ending;
  private boolean started; // guarded by this

  // The thread's own, and once it has ended the closing thread's.
  private final List<PendingSetup> underWay = new ArrayList<>();
  private final List<PendingSetup> abandoned = new ArrayList<>();
  private boolean gaveUp;
  private long reviewed;

  /** Creates the thread, which the first question starts. */
  ConnectThread(ConnectContext here, int channels, Addressees addressees) {
    this.here = here;
    this.channels = channels;
    this.addressees = addressees;
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name("nitinol-" + here.rank() + "-connect")
            .unstarted(this::run);
  }

  /** Has a connection made. */
  @AnyThread
  void begin(PendingSetup connection) {
    questions.add(connection);
    synchronized (this) {
      if (!started && !ending) {
        started = true;
        thread.start();
      }
    }
    LockSupport.unpark(thread);
  }

  /** Takes a notice of another rank. */
  @AnyThread
  void deliver(int peer, byte[] message) {
    messages.add(() -> hear(peer, message));
    LockSupport.unpark(thread);
  }

  /** Returns in how many passes something has come forward. */
  @AnyThread
  long moves() {
    return moves.get();
  }

  private void run() {
    long interval = SHORTEST_NANOS;
    while (!ending) {
      boolean moved;
      try {
        moved = pass();
      } catch (Throwable e) {
        moved = false;
        here.failures()
            .report(
                new FailureReport(
                    here.rank(),
                    ResultCode.INTERNAL_ERROR,
                    here.rank(),
                    "rank " + here.rank() + " failed in making connections: " + e),
                e);
      }
      if (moved) {
        moves.set(moves.own() + 1);
        interval = SHORTEST_NANOS;
      } else {
        interval = Math.min(2 * interval, LONGEST_NANOS);
      }
      rest(interval);
    }
    giveUp();
  }

  private void rest(long interval) {
    if (ending || !questions.isEmpty() || !messages.isEmpty()) {
      return; // a thread that adds something does so before it unparks
    }
    if (underWay.isEmpty()) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, isActive() ? interval : WAITING_NANOS);
    }
  }

  private boolean isActive() {
    for (int i = 0; i < underWay.size(); i++) {
      if (underWay.get(i).isActive()) {
        return true;
      }
    }
    return false;
  }

  /** Moves everything once; returns whether anything happened. */
  private boolean pass() {
    boolean moved = false;
    if (here.failures().get() != null) {
      giveUp();
    }
    for (PendingSetup next = questions.poll(); next != null; next = questions.poll()) {
      moved = true;
      if (!gaveUp) {
        underWay.add(next);
        try {
          next.begin();
        } catch (Throwable e) {
          next.troubled(e);
        }
      }
    }
    for (Runnable next = messages.poll(); next != null; next = messages.poll()) {
      moved = true;
      if (!gaveUp) {
        next.run();
      }
    }
    for (int i = underWay.size() - 1; i >= 0; i--) {
      PendingSetup connection = underWay.get(i);
      moved |= connection.poll();
      if (connection.isOver()) {
        underWay.set(i, underWay.getLast());
        underWay.removeLast();
        if (connection.isLost()) {
          abandoned.add(connection);
        }
      }
    }
    review();
    return moved;
  }

  private void hear(int peer, byte[] message) {
    PendingSetup connection = null;
    try {
      ConnectNotice notice = ConnectNotice.of(message, channels);
      connection = addressees.of(peer, notice);
      connection.heard(notice);
    } catch (Throwable e) {
      if (connection == null) {
        throw e;
      }
      connection.troubled(e);
    }
  }

  private void review() {
    long now = System.nanoTime();
    if (now - reviewed < WAITING_NANOS) {
      return;
    }
    reviewed = now;
    for (int i = 0; i < underWay.size(); i++) {
      underWay.get(i).review();
    }
  }

  /** Lets go of everything that is under way, but for what threads in the plugin still hold. */
  private void giveUp() {
    gaveUp = true;
    for (PendingSetup connection : underWay) {
      connection.abandon();
      abandoned.add(connection);
    }
    underWay.clear();
  }

  /**
   * Ends the thread and gives up what is under way. To be called once.
   *
   * @param errors gets an exception that names the threads that are still inside the plugin
   */
  void end(List<Throwable> errors) {
    synchronized (this) {
      ending = true;
      if (!started) {
        return;
      }
    }
    LockSupport.unpark(thread);
    List<String> stuck = new ArrayList<>();
    if (Waits.join(thread, System.nanoTime() + END_NANOS)) {
      long until = System.nanoTime() + LEAVE_NANOS;
      for (PendingSetup connection : abandoned) {
        String name = connection.stuck(until);
        if (name != null) {
          stuck.add(name);
        }
      }
    } else {
      here.memory().keep("thread " + thread.getName() + " is inside the network plugin");
      stuck.add(thread.getName());
    }
    if (!stuck.isEmpty()) {
      errors.add(
          new CommException(
              ResultCode.SYSTEM_ERROR,
              here.rank(),
              "still connecting inside the network plugin, and left behind: thread "
                  + String.join(", ", stuck),
              null));
    }
  }
}
