// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Completes stages of operations. One daemon thread of the process looks after all of them and ends
 * some time after the last. Each completion, which may run code of the application, has a virtual
 * thread of its own, so that it holds up neither progress nor other completions. Where no virtual
 * thread gets to run it has a platform thread.
 */
@AnyThread
public final class CallCompletions {
  private static final long SHORTEST_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final String THREAD = "nitinol-completion";

  private static final CallCompletions PROCESS = new CallCompletions();

  /** How long a virtual thread may take to come: all that run them may be kept by others. */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** A stage and its operation; what ends the stage, and since when, once that is known. */
  private static final class Pending {
    final BooleanSupplier isDone;
    final CompletableFuture<Void> future;
    @Nullable Runnable end;
    long since;

    Pending(BooleanSupplier isDone, CompletableFuture<Void> future) {
      this.isDone = isDone;
      this.future = future;
    }
  }

  private final ArrayDeque<Pending> added = new ArrayDeque<>(); // guarded by this
  private @Nullable Thread thread; // guarded by this

  private CallCompletions() {}

  /**
   * Returns a new stage of one operation.
   *
   * @param isDone returns whether the operation is done, without waiting; what it throws ends the
   *     stage
   */
  public static CompletionStage<Void> of(BooleanSupplier isDone) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    PROCESS.add(new Pending(isDone, future));
    return future.minimalCompletionStage();
  }

  private synchronized void add(Pending pending) {
    added.add(pending);
    if (thread == null) {
      thread = Thread.ofPlatform().daemon().name("nitinol-completions").start(this::run);
    } else {
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    List<Pending> pending = new ArrayList<>();
    long pause = SHORTEST_NANOS;
    long idleSince = System.nanoTime();
    while (true) {
      boolean moved;
      try {
        moved = take(pending);
        moved |= pending.removeIf(CallCompletions::completed);
      } catch (OutOfMemoryError e) {
        // There may be memory in the next round: no other thread would complete them.
        LockSupport.parkNanos(this, LONGEST_NANOS);
        continue;
      }
      long now = System.nanoTime();
      if (moved) {
        pause = SHORTEST_NANOS;
        idleSince = now;
      } else if (!pending.isEmpty()) {
        LockSupport.parkNanos(this, pause);
        pause = Math.min(2 * pause, LONGEST_NANOS);
      } else if (now - idleSince >= KEEP_NANOS) {
        if (ended()) {
          return;
        }
      } else {
        LockSupport.parkNanos(this, KEEP_NANOS);
      }
    }
  }

  private synchronized boolean take(List<Pending> into) {
    boolean any = into.addAll(added);
    added.clear();
    return any;
  }

  /** Lets the thread end, unless something came. */
  private synchronized boolean ended() {
    if (added.isEmpty()) {
      thread = null;
      return true;
    }
    return false;
  }

  /** Returns whether the stage is completed; gives it a thread when its operation has ended. */
  private static boolean completed(Pending pending) {
    CompletableFuture<Void> future = pending.future;
    Runnable end = pending.end;
    if (end == null) {
      end = end(pending.isDone, future);
      if (end == null) {
        return false;
      }
      pending.end = end;
      pending.since = System.nanoTime();
      try {
        Thread.ofVirtual().name(THREAD).start(end);
      } catch (OutOfMemoryError e) {
        return false; // a platform thread is tried when this one is late
      }
    } else if (!future.isDone() && System.nanoTime() - pending.since >= LATE_NANOS) {
      try {
        Thread.ofPlatform().daemon().name(THREAD).start(end);
        return true;
      } catch (OutOfMemoryError e) {
        pending.since = System.nanoTime(); // no thread to be had now: one of either kind may come
      }
    }
    return future.isDone();
  }

  /** Returns what completes the stage of an operation, or null while that is not done. */
  private static @Nullable Runnable end(BooleanSupplier isDone, CompletableFuture<Void> future) {
    try {
      return isDone.getAsBoolean() ? () -> future.complete(null) : null;
    } catch (RuntimeException | Error e) {
      return () -> future.completeExceptionally(e);
    }
  }
}
