// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.thread;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What waits of any kind have in common, and those that an interrupt does not end: it stays set for
 * what the caller does next.
 */
@AnyThread
public final class Waits {
  /** Longer than anybody waits, and far from where a deadline would overflow. */
  private static final long MOST_NANOS = Long.MAX_VALUE / 2;

  /** How often a thread is woken that is to end: it may have looked just before it was told. */
  private static final long WAKE_MILLIS = 10;

  /**
   * A wait that an interrupt ends.
   *
   * @param <T> what it gives
   * @param <X> what it may throw besides
   */
  @FunctionalInterface
  public interface Interruptible<T, X extends Exception> {
    /**
     * Waits.
     *
     * @return the result
     * @throws InterruptedException if the calling thread was interrupted
     * @throws X what else may happen
     */
    T await() throws InterruptedException, X;
  }

  private Waits() {}

  /**
   * Returns a limit that a caller chose.
   *
   * @param limit how long, of any length
   * @return the same in nanoseconds, 0 for a negative one; 146 years at most, so that a deadline
   *     can be made of it
   */
  public static long nanos(Duration limit) {
    return Math.clamp(TimeUnit.NANOSECONDS.convert(limit), 0, MOST_NANOS);
  }

  /**
   * Waits, again where an interrupt ends the wait.
   *
   * @param wait may be called several times; one with a limit has to count it from the first
   * @param <T> what it gives
   * @param <X> what it may throw besides
   * @return its result
   * @throws X what it has thrown
   */
  public static <T, X extends Exception> T uninterrupted(Interruptible<T, X> wait) throws X {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return wait.await();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Waits for the end of a thread.
   *
   * @param thread may have ended, or never have been started
   * @param deadline until when, of {@link System#nanoTime}
   * @return whether it has ended
   */
  public static boolean join(Thread thread, long deadline) {
    return uninterrupted(() -> {
      long left = deadline - System.nanoTime();
      while (thread.isAlive() && left > 0) {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        left = deadline - System.nanoTime();
      }
      return !thread.isAlive();
    });
  }

  /**
   * Waits for the end of a thread that parks, and has been told to end.
   *
   * @param thread is woken as often as it takes
   * @param deadline until when, of {@link System#nanoTime}
   * @return whether it has ended
   */
  public static boolean wakeAndJoin(Thread thread, long deadline) {
    return uninterrupted(() -> {
      while (thread.isAlive() && System.nanoTime() - deadline < 0) {
        LockSupport.unpark(thread);
        thread.join(WAKE_MILLIS);
      }
      return !thread.isAlive();
    });
  }
}
