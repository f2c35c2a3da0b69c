// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.failure;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
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
        isEnd(suspected.error()),
        null,
        ErrorText.of(
            "rank %s lost its connection with %s: %s",
            rank,
            suspected.peer() < 0 ? "the collective network" : "rank " + suspected.peer(),
            suspected.error().getMessage()));
  }

  /**
   * Returns whether a plugin reports no more than that the connection has ended. Then its innermost
   * I/O exception is one that the system's calls end with; what the peer sent wrongly, and what TLS
   * does not accept, have other classes or none.
   */
  private static boolean isEnd(NetException error) {
    IOException innermost = null;
    for (Throwable each = error; each != null; each = each.getCause()) {
      innermost = each instanceof IOException e ? e : innermost;
    }
    return innermost != null
        && (innermost.getClass().equals(IOException.class)
            || innermost instanceof EOFException
            || innermost instanceof SocketException
            || innermost instanceof ClosedChannelException);
  }
}
