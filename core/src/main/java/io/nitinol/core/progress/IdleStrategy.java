// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * What a thread does that has found nothing to do: look again at once for a while, then let others
 * run, then sleep for short times. A look costs a system call with most networks, so the spinning
 * needs no pause of its own. Immutable.
 */
public final class IdleStrategy {
  /**
   * Few: on a busy machine a spinning rank keeps the very rank that it waits for from running (four
   * ranks on four processors shared with others: 400 spins took ten times as long as 16), and where
   * nobody else wants to run a yield costs less than a look at the network.
   */
  private static final int SPINS = 16;

  private static final int YIELDS = 2000;
  private static final long PARK_NANOS = 50_000;

  private final int spins;
  private final int lastYield;

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
  int idle(int times) {
    if (times < spins) {
      return Math.min(times + 1, Integer.MAX_VALUE - 1);
    }
    if (times < lastYield) {
      Thread.yield();
      return Math.min(times + 1, Integer.MAX_VALUE - 1);
    }
    LockSupport.parkNanos(this, PARK_NANOS);
    return times;
  }
}
