// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.thread;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A plugin's call that may wait, made on a thread of its own and again until it has a result. The
 * thread cannot be stopped from outside: plugins are not interrupted, and nothing of what a call
 * uses may be closed under it. So a caller that gives up abandons the call, and its thread,
 * whenever it comes back, disposes of the result itself.
 *
 * @param <T> what the call returns in the end
 */
public final class WaitingCall<T> {
  private static final long AGAIN_NANOS = 100_000;

  private final Supplier<@Nullable T> call;
  private final Consumer<@Nullable T> disposal;
  private final Thread thread;
  private @Nullable T result;
  private @Nullable Throwable error;
  private boolean over;
  private boolean abandoned;

  /**
   * Creates a call that {@link #start} begins.
   *
   * @param name the thread's name
   * @param call the call; null means that it is to be made again
   * @param disposal gets the result of an abandoned call, or null where it had none; on that thread
   */
  public WaitingCall(String name, Supplier<@Nullable T> call, Consumer<@Nullable T> disposal) {
    this.call = call;
    this.disposal = disposal;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /**
   * Returns the thread's name.
   *
   * @return the name
   */
  public String name() {
    return thread.getName();
  }

  private void run() {
    T found = null;
    Throwable thrown = null;
    try {
      while (found == null && !isAbandoned()) {
        found = call.get();
        if (found == null) {
          LockSupport.parkNanos(this, AGAIN_NANOS);
        }
      }
    } catch (Throwable e) {
      thrown = e;
    }
    if (!end(found, thrown)) {
      disposal.accept(found);
    }
  }

  private synchronized boolean isAbandoned() {
    return abandoned;
  }

  /** Hands over how it ended; returns false where the caller has given up. */
  private synchronized boolean end(@Nullable T found, @Nullable Throwable thrown) {
    over = true;
    result = found;
    error = thrown;
    return !abandoned;
  }

  /**
   * Returns the result, or null while there is none. Never waits.
   *
   * @return what the call returned in the end
   * @throws RuntimeException or an Error, what the call threw
   */
  public synchronized @Nullable T poll() {
    if (error instanceof RuntimeException e) {
      throw e;
    }
    if (error instanceof Error e) {
      throw e;
    }
    if (error != null) {
      throw new IllegalStateException(error);
    }
    return result;
  }

  /**
   * Gives up.
   *
   * @return whether the thread disposes of everything, and drops what the call throws; false when
   *     the call was over before, so that {@link #result} is the caller's, or was never started, so
   *     that there is nothing to dispose of
   */
  public synchronized boolean abandon() {
    abandoned = true;
    return !over && thread.getState() != Thread.State.NEW;
  }

  /**
   * Returns the result of a call that is over.
   *
   * @return what it returned; null where it failed
   */
  public synchronized @Nullable T result() {
    return result;
  }

  /**
   * Waits for the thread's end.
   *
   * @param deadline until when, in the time of {@link System#nanoTime}
   * @return whether it has ended
   */
  public boolean join(long deadline) {
    return Waits.join(thread, deadline);
  }
}
