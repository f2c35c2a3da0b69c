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
 *
 * <p>How long a yield takes where nobody wants to run differs between machines: in some guests all
 * yields were late by the measure of others, nobody ever looked again, and a message of 8 bytes
 * took a hundred times as long. So late is a multiple of the quickest yield so far. And where there
 * are twice as many processors as threads that want to run, a rank looks for about a millisecond
 * before it calls the system at all: nobody needs its processor.
 */
@AnyThread
public final class IdleStrategy {
  private static final int SPINS = 200;
  private static final int ROOMY_SPINS = 20_000;
  private static final int YIELDS = 2000;
  private static final long PARK_NANOS = 50_000;

  /** A yield that takes longer, and longer than the quickest by a factor, has let another run. */
  private static final long LATE_NANOS = 4_000;

  private static final long LATE_FACTOR = 8;

  /** How many yields that come back at once it takes to believe in a quiet machine again. */
  private static final int DISTRUST = 200;

  private final int spins;
  private final int lastYield;

  /** How often to look while the machine counts as busy. */
  private final int distrustingSpins;

  /** Yields still to come before the machine counts as quiet; plain, since it is a hint. */
  private int distrust;

  /** The quickest yield so far; plain, as {@link #distrust}. */
  private long quickestYield = Long.MAX_VALUE;

  private IdleStrategy(int spins, int lastYield, int distrustingSpins) {
    this.spins = spins;
    this.lastYield = lastYield;
    this.distrustingSpins = distrustingSpins;
  }

  /**
   * Returns a strategy.
   *
   * @param limit how far it may back off: {@code spin}, {@code yield} or {@code park}
   * @param crowded whether more threads want to run than there are processors; then it lets others
   *     run at once, since what it waits for may need its processor
   */
  public static IdleStrategy of(String limit, boolean crowded) {
    return of(limit, crowded, false);
  }

  /**
   * Returns a strategy, as the other {@code of}.
   *
   * @param roomy whether there are twice as many processors as threads that want to run, or more
   */
  public static IdleStrategy of(String limit, boolean crowded, boolean roomy) {
    int spins = crowded ? 1 : roomy ? ROOMY_SPINS : SPINS;
    int distrusting = roomy && !crowded ? SPINS : 1;
    return switch (limit.toLowerCase(Locale.ROOT)) {
      case "spin" -> new IdleStrategy(Integer.MAX_VALUE, Integer.MAX_VALUE, 1);
      case "yield" -> new IdleStrategy(spins, Integer.MAX_VALUE, distrusting);
      case "park" -> new IdleStrategy(spins, spins + YIELDS, distrusting);
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
    if (times < spins && (distrust == 0 || times < distrustingSpins)) {
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
    long took = System.nanoTime() - before;
    if (took < quickestYield) {
      quickestYield = took;
    }
    if (took > Math.max(LATE_NANOS, LATE_FACTOR * quickestYield)) {
      distrust = DISTRUST;
    } else if (distrust > 0) {
      distrust--;
    }
  }
}
