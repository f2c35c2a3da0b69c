// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.task.ActiveConnectors;
import io.nitinol.core.progress.task.HelperWork;
import io.nitinol.core.progress.task.StepHelpers;
import io.nitinol.core.progress.task.Task;
import io.nitinol.core.transport.PaddedCounter;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Has a thread of {@link StepHelpers} send, while the driving thread receives and calculates. A
 * system call that sends 64 KiB over TCP takes as long as the one that receives them and the
 * reduction together; with adapters that move the bytes themselves it takes no time at all. So the
 * time that a message takes tells whether help is worth it: the driving thread sends by itself
 * until messages were costly, offers the next ones to a helper that is free, and goes on by itself
 * until that one has come. The helper sends until there was nothing to send for a while.
 *
 * <p>A short message of a collective takes its time in the system, whichever thread sends it, and
 * the next one waits for what comes back: then a helper overlaps with nothing, and the way to it is
 * added. So only long messages are offered, and none of an operation that sends one by one. A
 * helper leaves when others come.
 *
 * <p>A helper that loses its processor keeps the messages with it. One that has seen that withdraws
 * for a time, the longer the more often that happens.
 */
final class SendHelp implements HelperWork {
  /** The driving thread sends, and nobody else may. */
  private static final int HERE = 0;

  /** The driving thread sends no more before it has taken {@link #BUSY}; a helper may begin. */
  private static final int OFFERED = 1;

  /** The driving thread is in a turn, and the offer still stands. */
  private static final int BUSY = 2;

  /** A helper sends. */
  private static final int HELPED = 3;

  private static final int CLOSED = 4;

  /** Messages that take longer on average are worth a helper's time. */
  private static final long COSTLY_NANOS = TimeUnit.MICROSECONDS.toNanos(5);

  /** A helper leaves messages that take less on average to the driving thread. */
  private static final long CHEAP_NANOS = COSTLY_NANOS / 2;

  /** Shorter messages are not worth a helper's way. */
  private static final int LONG_BYTES = 16 << 10;

  /** The share of one message in the average, and the most that one counts for. */
  private static final int SHARE = 8;

  private static final int OUTLIER = 4;

  /** A call that sends only a message or two is over before a helper has come, or has left. */
  private static final int STREAK = 3;

  /** How long a helper looks for the next message. */
  private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** How long a helper waits for a turn of the driving thread to end. */
  private static final long TURN_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** A helper that comes back so late from a look at nothing has lost its processor. */
  private static final long AWAY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** The same of a turn that sent something, which may be a few MiB on several connections. */
  private static final long LONG_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How much longer than a withdrawal help has to go well before the next one is shorter. */
  private static final int TRUST = 16;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(SendHelp.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final StepHelpers pool;
  private final ActiveConnectors connectors;
  private final CommFailures failures;

  /** How many things a helper has done. */
  private final PaddedCounter moves = new PaddedCounter();

  @SuppressWarnings("UnusedVariable") // by STATE
  private int state;

  // Of the thread that sends: what a message takes on average, and the next has taken so far; for
  // how long a helper withdraws the next time, when and for how long one has; and for how long help
  // has gone well.
  private long cost;
  private long spent;
  private long withdrawal = SHORTEST_NANOS;

  private long withdrawnAt = System.nanoTime() - LONGEST_NANOS;
  private long withdrawnFor;
  private long undisturbed;

  /** How many turns with long messages the driving thread has had since it began to drive. */
  private int streak;

  /**
   * Whether the operation at hand may have several messages under way. The driving thread writes
   * it. A helper may see it late: it would only leave later.
   */
  private boolean streams;

  /** The thread that helped last. For messages, so plain. */
  private @Nullable Thread helper;

  SendHelp(StepHelpers pool, ActiveConnectors connectors, CommFailures failures) {
    this.pool = pool;
    this.connectors = connectors;
    this.failures = failures;
  }

  /**
   * Sends what a helper does not.
   *
   * @param mayStream whether the operation at hand may have several messages under way
   * @return how many things happened
   */
  @OnlyThread("driving thread")
  int send(boolean mayStream) {
    streams = mayStream;
    int seen = (int) STATE.getAcquire(this);
    if (seen == OFFERED && !STATE.compareAndSet(this, OFFERED, BUSY)) {
      seen = HELPED;
    }
    if (seen == HELPED || seen == CLOSED) {
      return turn(false, true);
    }
    int pending = pendingBytes();
    long begin = pending > 0 ? System.nanoTime() : 0;
    int work = turn(true, true);
    long now = pending > 0 ? System.nanoTime() : 0;
    if (pending > 0) {
      note(work, now - begin);
    }
    if (seen == OFFERED) {
      STATE.compareAndSet(this, BUSY, OFFERED); // unless the helper has given up
    } else if (mayStream
        && pending >= LONG_BYTES
        && work > 0
        && ++streak >= STREAK
        && cost > COSTLY_NANOS
        && now - withdrawnAt >= withdrawnFor) {
      offer();
    }
    return work;
  }

  /** Begins to count anew how many turns are worth waking a helper: the caller drives no longer. */
  @OnlyThread("driving thread")
  void leave() {
    streak = 0;
  }

  /** Returns how long the longest message is that is next on a connection that moves apart. */
  private int pendingBytes() {
    int longest = 0;
    for (SendConnector send : connectors.sends()) {
      if (send.movesApart()) {
        longest = Math.max(longest, send.oldestBytes());
      }
    }
    return longest;
  }

  /**
   * Counts a turn with something to send. The turns in which a message is pushed on are counted to
   * the one in which it is done, and an interrupted one no more than the others of its kind.
   */
  private void note(int work, long nanos) {
    spent += nanos;
    if (work > 0) {
      cost += (Math.min(spent, OUTLIER * COSTLY_NANOS) - cost) / SHARE;
      spent = 0;
    }
  }

  private void offer() {
    offered();
    if (!pool.offer(this)) {
      STATE.setOpaque(this, HERE);
    }
  }

  /** Lets a helper begin that is about to be told. */
  void offered() {
    STATE.setRelease(this, OFFERED);
  }

  private int turn(boolean apart, boolean others) {
    return turn(connectors, failures, apart, others);
  }

  /**
   * Lets the network take what is there.
   *
   * @param apart whether connections that move apart have their turn
   * @param others whether the others have
   * @return how many things happened
   */
  static int turn(
      ActiveConnectors connectors, CommFailures failures, boolean apart, boolean others) {
    int work = 0;
    for (SendConnector send : connectors.sends()) {
      if (send.movesApart() ? apart : others) {
        try {
          work += send.progress();
        } catch (NetException e) {
          failures.suspect(send.isNetwork() ? Task.NOBODY : send.peer(), e);
          return work;
        }
      }
    }
    return work;
  }

  @Override
  public void work(MemorySegment scratch) {
    if (!begin()) {
      return;
    }
    helper = Thread.currentThread();
    try {
      help();
    } catch (Throwable e) {
      // Whatever it is, the operation cannot go on and a thread waits for it.
      failures.failHere(e, "a call of the network plugin");
    } finally {
      STATE.setRelease(this, HERE);
    }
  }

  /** Takes over from the driving thread; returns whether that was possible. */
  private boolean begin() {
    long begin = System.nanoTime();
    while (!STATE.compareAndSet(this, OFFERED, HELPED)) {
      if ((int) STATE.getOpaque(this) == CLOSED) {
        return false;
      }
      if (System.nanoTime() - begin >= TURN_NANOS && STATE.compareAndSet(this, BUSY, HERE)) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  private void help() {
    long begun = System.nanoTime();
    long before = begun;
    long busyAt = begun;
    int inARow = 0; // short messages, or such as go one by one
    while (!failures.isStopped()) {
      int pending = pendingBytes();
      int work = turn(true, false);
      long now = System.nanoTime();
      if (pending > 0) {
        note(work, now - before);
      }
      if (work > 0) {
        moves.set(moves.own() + work);
        busyAt = now;
      }
      if (pending >= LONG_BYTES && streams) {
        inARow = 0;
      } else if (pending > 0 && work > 0) { // 0: it has come since
        inARow++;
      }
      if (now - before > (work > 0 ? LONG_TURN_NANOS : AWAY_NANOS)) {
        withdraw(now);
        return;
      }
      if (now - busyAt >= SPIN_NANOS || cost < CHEAP_NANOS || inARow >= STREAK) {
        stayed(now - begun);
        return;
      }
      before = now;
      if (work == 0) {
        Thread.onSpinWait();
      }
    }
  }

  private void withdraw(long now) {
    withdrawnAt = now;
    withdrawnFor = withdrawal;
    withdrawal = Math.min(LONGEST_NANOS, withdrawal << 1);
    undisturbed = 0;
  }

  /** Trusts the machine again once help has gone well for much longer than it was withdrawn. */
  private void stayed(long nanos) {
    undisturbed += nanos;
    if (undisturbed > TRUST * withdrawal) {
      withdrawal = Math.max(SHORTEST_NANOS, withdrawal >> 1);
      undisturbed = 0;
    }
  }

  /** Returns whether a helper sends now. */
  @AnyThread
  boolean isHelped() {
    return (int) STATE.getOpaque(this) == HELPED;
  }

  /** Returns the name of the thread that helps, or helped last. */
  String helper() {
    Thread thread = helper;
    return thread == null ? "unknown" : thread.getName();
  }

  /** Returns how many things helpers have done. */
  @AnyThread
  long moves() {
    return moves.get();
  }

  /**
   * Lets no helper begin any more. No thread drives.
   *
   * @return whether none is at work
   */
  boolean tryClose() {
    int seen = (int) STATE.getVolatile(this);
    return seen == CLOSED || (seen != HELPED && STATE.compareAndSet(this, seen, CLOSED));
  }
}
