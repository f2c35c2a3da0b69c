// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * What a thread does that has found nothing to do: look again at once for a while, then let others
 * run, then sleep for short times. A look costs a system call with most networks, so the spinning
 * needs no pause of its own.
 *
 * <p>On a busy machine a spinning rank keeps the very rank that it waits for from running: four
 * ranks on four processors that others use too took ten times as long with 400 looks as with 16. On
 * a quiet one a yield is slower than a look. So the time that a yield takes tells which it is: one
 * that comes back late has let somebody run, and for a while after it there is no spinning. What
 * its threads learn they share, as a hint.
 */
@AnyThread
public final class IdleStrategy {
  private static final int SPINS = 200;
  private static final int YIELDS = 2000;
  private static final long PARK_NANOS = 50_000;

  /** A yield that takes longer has let another thread run. */
  private static final long LATE_NANOS = 4_000;

  /** How many yields that come back at once it takes to believe in a quiet machine again. */
  private static final int DISTRUST = 200;

  private final int spins;
  private final int lastYield;

  /** Yields still to come before the machine counts as quiet; plain, since it is a hint. */
  private int distrust;

  private IdleStrategy(int spins, int lastYield) {
    this.spins = spins;
    this.lastYield = lastYield;
  }

  /**
   * Returns a strategy.
   *
   * @param limit how far it may back off: {@code spin}, {@code yield} or {@code park}
   * @param crowded whether more threads want to run than there are processors; then it lets others
   *     run at once, since what it waits for may need its processor
   */
  public static IdleStrategy of(String limit, boolean crowded) {
    int spins = crowded ? 1 : SPINS;
    return switch (limit.toLowerCase(Locale.ROOT)) {
      case "spin" -> new IdleStrategy(Integer.MAX_VALUE, Integer.MAX_VALUE);
      case "yield" -> new IdleStrategy(spins, Integer.MAX_VALUE);
      case "park" -> new IdleStrategy(spins, spins + YIELDS);
      default ->
          throw new IllegalArgumentException(
              "idle strategy " + limit + ": expected spin, yield or park");
    };
  }

  /**
   * Backs off a little.
   *
   * @param times how often this was called since there was last something to do
   * @return what to pass the next time
   */
  public int idle(int times) {
    if (times < spins && (distrust == 0 || times == 0)) {
      return Math.min(times + 1, Integer.MAX_VALUE - 1);
    }
    if (times < lastYield) {
      yieldAndLearn();
      return Math.min(times + 1, Integer.MAX_VALUE - 1);
    }
    LockSupport.parkNanos(this, PARK_NANOS);
    return times;
  }

  private void yieldAndLearn() {
    long before = System.nanoTime();
    Thread.yield();
    if (System.nanoTime() - before > LATE_NANOS) {
      distrust = DISTRUST;
    } else if (distrust > 0) {
      distrust--;
    }
  }
}
