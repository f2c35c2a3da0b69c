// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.setup.SetupAbort;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.Waits;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A communicator that is being made in the background, on a thread of its own; mirrors {@code
 * ncclCommInitRankConfig} with {@code blocking = 0}.
 *
 * <p>Making it ends by itself within the limits of the bootstrap ({@code
 * NITINOL_BOOTSTRAP_TIMEOUT}). The code that takes the communicator closes it; {@link #abort}
 * closes one that nobody takes.
 */
@AnyThread
public final class PendingCommunicator {
  /** Makes the communicator, and gives up on an abort. */
  @FunctionalInterface
  interface Maker {
    Communicator make(SetupAbort abort);
  }

  /** How it ended: one of the two. */
  private record Outcome(@Nullable Communicator made, @Nullable CommException failure) {}

  private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();

  /**
   * Released when there is an outcome; waiting threads must not depend on the dependents' thread.
   */
  private final CountDownLatch settled = new CountDownLatch(1);

  /**
   * For dependents only: completed a little after the outcome is there, by the thread that made the
   * communicator, which has nothing else to do then.
   */
  private final CompletableFuture<Communicator> future = new CompletableFuture<>();

  private final SetupAbort abort = new SetupAbort();
  private final int rank;

  private PendingCommunicator(int rank) {
    this.rank = rank;
  }

  static PendingCommunicator start(String thread, int rank, Maker maker) {
    PendingCommunicator pending = new PendingCommunicator(rank);
    try {
      Thread.ofPlatform().daemon().name(thread).start(() -> pending.run(maker));
    } catch (OutOfMemoryError e) {
      throw new CommException(
          ResultCode.SYSTEM_ERROR,
          rank,
          ErrorText.of(
              "initAsync: cannot start the thread %s: %s", thread, String.valueOf(e.getMessage())),
          e);
    }
    return pending;
  }

  private void run(Maker maker) {
    Communicator made = make(maker);
    Outcome known = Objects.requireNonNull(outcome.get()); // of this thread, or of an abort
    CommException failure = known.failure();
    if (failure == null) {
      future.complete(known.made());
      return;
    }
    try {
      if (made != null) {
        made.close(); // an abort came first: nobody takes it
      }
    } catch (CommException e) {
      failure.addSuppressed(e);
    } finally {
      future.completeExceptionally(failure);
    }
  }

  /** Makes the communicator and an outcome; returns it even if an abort was faster. */
  private @Nullable Communicator make(Maker maker) {
    Communicator made;
    try {
      made = maker.make(abort);
    } catch (CommException e) {
      settle(null, abort.isAborted() ? SetupAbort.failure(rank, e) : e);
      return null;
    } catch (Throwable e) {
      settle(
          null,
          new CommException(
              ResultCode.INTERNAL_ERROR,
              rank,
              ErrorText.of("rank %d could not start: %s", rank, e),
              e));
      return null;
    }
    // From here on an abort goes to the communicator itself.
    abort.onAbort(() -> {
      made.abort();
      settle(null, SetupAbort.failure(rank, null));
    });
    settle(made, null);
    return made;
  }

  /** Makes the outcome known, unless there is one. */
  private void settle(@Nullable Communicator made, @Nullable CommException failure) {
    if (outcome.compareAndSet(null, new Outcome(made, failure))) {
      settled.countDown();
    }
  }

  /**
   * Returns the communicator, or null while it is being made. Never waits.
   *
   * @throws CommException why it could not be made, as {@link Communicator#init(UniqueId, int, int,
   *     CommConfig)}; INVALID_USAGE after {@link #abort}
   */
  public @Nullable Communicator poll() {
    Outcome known = outcome.get();
    if (known == null) {
      return null;
    }
    CommException cause = known.failure();
    if (cause != null) {
      throw new CommException(
          cause.result(), cause.failedRank(), String.valueOf(cause.getMessage()), cause);
    }
    return known.made();
  }

  /**
   * Waits for the communicator, but no longer than {@code limit}.
   *
   * @return the communicator, or null where it is still being made
   * @throws CommException as {@link #poll}; SYSTEM_ERROR when this thread is interrupted, which
   *     changes nothing for the communicator
   */
  public @Nullable Communicator await(Duration limit) {
    try {
      return settled.await(Waits.nanos(limit), TimeUnit.NANOSECONDS) ? poll() : null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommException(
          ResultCode.SYSTEM_ERROR,
          rank,
          ErrorText.of("rank %d was interrupted while it waited for its communicator", rank),
          e);
    }
  }

  /**
   * Returns a stage that is completed with the communicator, or with the {@link CommException} that
   * {@link #poll} throws. What depends on it runs in the thread that made the communicator, a
   * daemon, and may take its time; it may run a little after {@link #poll} has returned the
   * communicator.
   */
  public CompletionStage<Communicator> completion() {
    return future.minimalCompletionStage();
  }

  /**
   * Gives up making the communicator and notifies the other ranks, as {@link Communicator#abort}.
   * May be called at any moment; returns within a second at the latest, what was begun is closed in
   * the background. A communicator that is there already is aborted, and still has to be taken and
   * closed.
   */
  public void abort() {
    abort.abort();
  }
}
