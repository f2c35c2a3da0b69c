// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.CommException;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The one failure of a communicator. A connection that breaks is only a symptom: the peer may have
 * closed it because a third rank died. So a broken connection waits a moment for the bootstrap's
 * notice of who it was, and blames the peer only when none comes. Safe for any thread.
 */
public final class Failures {
  /** How long a broken connection waits for news. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Tells the other ranks. */
  @FunctionalInterface
  public interface Announcer {
    /** Tells all other ranks that {@code rank} is to blame. Must not wait. */
    void announce(int rank, String reason);
  }

  private record Suspicion(int peer, NetException error, long deadline) {}

  private final int rank;
  private final Announcer announcer;
  private final AtomicReference<@Nullable CommException> failure = new AtomicReference<>();
  private final AtomicReference<@Nullable Suspicion> suspicion = new AtomicReference<>();

  /**
   * Creates a record without failure.
   *
   * @param rank this rank
   * @param announcer told of failures that are found here
   */
  public Failures(int rank, Announcer announcer) {
    this.rank = rank;
    this.announcer = announcer;
  }

  /** Returns the failure, or null. */
  public @Nullable CommException get() {
    return failure.get();
  }

  /** Returns whether nothing should be moved any more: it has failed, or is about to. */
  boolean isStopped() {
    return suspicion.get() != null || failure.get() != null;
  }

  /** Throws the failure, if there is one, as an exception of the calling thread. */
  public void check() {
    CommException cause = failure.get();
    if (cause != null) {
      throw new CommException(
          cause.result(), cause.failedRank(), String.valueOf(cause.getMessage()), cause);
    }
  }

  /** Takes note of what the bootstrap has heard: {@code failedRank} is to blame. */
  public void notice(int failedRank, String reason) {
    failure.compareAndSet(
        null,
        new CommException(
            ResultCode.REMOTE_ERROR,
            failedRank,
            "rank " + failedRank + " failed, as rank " + rank + " was told: " + reason,
            null));
  }

  /** Fails the communicator and tells the others. */
  public void fail(CommException cause) {
    if (failure.compareAndSet(null, cause)) {
      int blamed = cause.failedRank() < 0 ? rank : cause.failedRank();
      announcer.announce(blamed, String.valueOf(cause.getMessage()));
    }
  }

  /** Fails the communicator for something that went wrong in this process. */
  void failHere(Throwable cause, String during) {
    if (cause instanceof CommException e) {
      fail(e);
      return;
    }
    fail(
        new CommException(
            ResultCode.INTERNAL_ERROR,
            rank,
            "rank "
                + rank
                + " failed in "
                + during
                + ": "
                + cause
                + " (was a buffer freed before its operation was done?)",
            cause));
  }

  /** Takes note that the connection with {@code peer} has broken. */
  void suspect(int peer, NetException error) {
    suspicion.compareAndSet(null, new Suspicion(peer, error, System.nanoTime() + GRACE_NANOS));
  }

  /** Blames the peer of the broken connection once no other news has come in time. */
  void settle() {
    Suspicion suspected = suspicion.get();
    if (suspected == null || failure.get() != null) {
      return;
    }
    if (System.nanoTime() - suspected.deadline() >= 0) {
      fail(
          new CommException(
              suspected.error().result(),
              suspected.peer(),
              "rank "
                  + rank
                  + " lost its connection with rank "
                  + suspected.peer()
                  + ": "
                  + suspected.error().getMessage(),
              suspected.error()));
    }
  }
}
