// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.device;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.TeamExchange;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.TestSession;
import io.nitinol.toolkit.ErrorText;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Carries bytes among ranks in one process, and notes how a provider calls it (DEVTEAM-04). Any
 * thread.
 */
public final class RankExchange {
  /** What a test makes of a rank's bytes on their way to all. */
  @FunctionalInterface
  public interface Tap {
    /** Is told that a rank's bytes arrive; may throw in place of the exchange. */
    void arriving(int rank, byte[] bytes);
  }

  private static final long LIMIT = TimeUnit.SECONDS.toNanos(30);

  private final Tap tap;
  private final int ranks;
  private final int[] calls;

  /** The threads that call the provider now, by rank; null where none does. */
  private final @Nullable Thread[] callers;

  private byte[][] collected;
  private int arrived;
  private final long limit;
  private int round;
  private @Nullable String failure;
  private @Nullable RuleViolation seen;

  /** An exchange among so many ranks. */
  public RankExchange(TestSession session, int ranks) {
    this(session, ranks, (rank, bytes) -> {});
  }

  /** The same, with a listener. */
  public RankExchange(TestSession session, int ranks, Tap tap) {
    this.limit = session.patient(LIMIT);
    this.tap = tap;
    this.ranks = ranks;
    this.calls = new int[ranks];
    this.callers = new Thread[ranks];
    this.collected = new byte[ranks][];
  }

  /** Returns the exchange of one rank. */
  public TeamExchange of(int rank) {
    return mine -> exchange(rank, mine);
  }

  /** Notes that this thread calls the provider for a rank from now on. */
  synchronized void entering(int rank) {
    callers[rank] = Thread.currentThread();
  }

  /** Notes that the call has returned; one that failed keeps nobody waiting. */
  synchronized void leaving(int rank, @Nullable Throwable thrown) {
    callers[rank] = null;
    if (thrown != null && failure == null) {
      failure = "rank " + rank + " failed with " + thrown;
      notifyAll();
    }
  }

  /** Forgets a failure, so that the ranks may begin again. */
  synchronized void restart() {
    failure = null;
    arrived = 0;
    round++;
    collected = new byte[ranks][];
    Arrays.fill(calls, 0);
  }

  /** Returns how often each rank has called since the start. */
  public synchronized int[] calls() {
    return calls.clone();
  }

  /** Throws what a provider did wrong so far. */
  synchronized void check() {
    if (seen != null) {
      throw seen;
    }
  }

  private byte[][] exchange(int rank, byte[] mine) {
    tap.arriving(rank, mine);
    synchronized (this) {
      look(rank, mine);
      calls[rank]++;
      collected[rank] = mine.clone();
      arrived++;
      int own = round;
      byte[][] all = collected;
      if (arrived == ranks) {
        arrived = 0;
        round++;
        collected = new byte[ranks][];
        notifyAll();
      }
      long end = System.nanoTime() + limit;
      while (round == own) {
        await(rank, end);
      }
      byte[][] copy = new byte[ranks][];
      for (int i = 0; i < ranks; i++) {
        copy[i] = all[i].clone();
      }
      return copy;
    }
  }

  private void await(int rank, long end) {
    long left = end - System.nanoTime();
    if (failure != null || left <= 0) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          failure != null ? failure : "rank " + rank + " waited in vain for the others");
    }
    try {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NetException(ResultCode.REMOTE_ERROR, "the test was interrupted", e);
    }
  }

  private void look(int rank, byte[] mine) {
    if (!Thread.currentThread().equals(callers[rank])) {
      note(
          ErrorText.of(
              "the exchange of rank %d was called on %s, and not on the thread that called the"
                  + " provider, within that call",
              rank, Thread.currentThread().getName()));
    }
    if (mine.length > TeamExchange.MAX_SIZE) {
      note(ErrorText.of("rank %d exchanges %d bytes at once", rank, mine.length));
    }
    for (byte[] other : collected) {
      if (other != null && other.length != mine.length) {
        note(
            ErrorText.of(
                "rank %d exchanges %d bytes, another rank %d in the same round",
                rank, mine.length, other.length));
      }
    }
  }

  private void note(String what) {
    if (seen == null) {
      seen = new RuleViolation("DEVTEAM-04", what);
    }
  }
}
