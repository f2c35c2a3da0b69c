// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.failure;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The first connection of a rank that broke, which waits for the bootstrap's notice: the peer may
 * have closed it because a third rank died.
 */
@AnyThread
final class Suspicions {
  /** How long a broken connection waits for news. */
  static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record Suspicion(int peer, NetException error, long deadline) {}

  private final int rank;
  private final AtomicReference<@Nullable Suspicion> first = new AtomicReference<>();
  private volatile IntSupplier leaver = () -> -1;

  Suspicions(int rank) {
    this.rank = rank;
  }

  /** Sets {@link CommFailures#blameOfNetwork}. */
  void blameOfNetwork(IntSupplier source) {
    leaver = source;
  }

  /**
   * Notes that a call about the connection with {@code peer} has failed, or about a collective
   * network where it is -1.
   */
  void add(int peer, NetException error, long now) {
    first.compareAndSet(null, new Suspicion(peer, error, now + GRACE_NANOS));
  }

  /** Returns what this rank sees, or null. */
  @Nullable FailureReport report() {
    Suspicion suspected = first.get();
    return suspected == null ? null : lost(suspected);
  }

  /** Returns whether no news can be expected any more. */
  boolean isDue(long now) {
    Suspicion suspected = first.get();
    return suspected != null && now - suspected.deadline() >= 0;
  }

  private FailureReport lost(Suspicion suspected) {
    return new FailureReport(
        rank,
        suspected.error().result() == ResultCode.TIMEOUT
            ? ResultCode.REMOTE_ERROR // the plugin's own limit: not a wait that others can explain
            : suspected.error().result(),
        suspected.peer() < 0 ? leaver.getAsInt() : suspected.peer(),
        FailureReport.isEnd(suspected.error()),
        null,
        ErrorText.of(
            "rank %s lost its connection with %s: %s",
            rank,
            suspected.peer() < 0 ? "the collective network" : "rank " + suspected.peer(),
            suspected.error().getMessage()));
  }
}
