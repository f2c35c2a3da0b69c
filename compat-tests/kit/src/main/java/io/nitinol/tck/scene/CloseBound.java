// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.tck.session.KitPatience;
import io.nitinol.tck.session.RunDelay;
import io.nitinol.tck.session.TestSession;
import java.util.concurrent.TimeUnit;

/**
 * Measures a close against the bound CLOSE. The work in a close takes milliseconds, even on a slow
 * machine, so the bound grows far less with the kit's patience than the time for that work: a close
 * that waits for a peer that does nothing waits by the clock, and that goes as fast everywhere.
 */
public final class CloseBound {
  private static final long CLOSE = TimeUnit.SECONDS.toNanos(5);

  /** What a slow machine may add, without the time in which the thread waited for a core. */
  private static final long MORE = CLOSE / 2;

  private CloseBound() {}

  /**
   * Makes a call that ends within the bound; otherwise the rule under test is broken. A failure is
   * the call's own to judge.
   *
   * @param what the call in words, for the report
   */
  public static void check(TestSession session, String what, Runnable close) {
    RunDelay delay = RunDelay.ofThisThread();
    long before = delay.nanos();
    long start = System.nanoTime();
    close.run();
    long nanos = System.nanoTime() - start - Math.max(0, delay.nanos() - before);
    long limit = limit(session.terms().patience());
    session.check(
        nanos <= limit,
        "%s took %d ms, expected %d at most",
        what,
        TimeUnit.NANOSECONDS.toMillis(nanos),
        TimeUnit.NANOSECONDS.toMillis(limit));
  }

  /** Returns the bound on this machine, in nanoseconds. */
  static long limit(KitPatience patience) {
    return Math.min(patience.scaled(CLOSE), CLOSE + MORE);
  }
}
