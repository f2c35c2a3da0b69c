// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.tck.session.KitPatience;
import io.nitinol.tck.session.RunDelay;
import io.nitinol.tck.session.TestSession;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Measures closes against the bound CLOSE. A machine that halts for a moment makes one close slow,
 * a plugin that waits each of them: the rule is broken if a scene has a slow one in each of three
 * tries. The work in a close takes milliseconds, even on a slow machine, so the bound grows far
 * less with the kit's patience than the time for that work: a close that waits for a peer that does
 * nothing waits by the clock, and that goes as fast everywhere.
 */
public final class CloseBound {
  private static final long CLOSE = TimeUnit.SECONDS.toNanos(5);

  /** What a slow machine may add, without the time in which the thread waited for a core. */
  private static final long MORE = CLOSE / 2;

  /**
   * The most waiting for a core that is taken off. A close that polls a clock waits for a core each
   * time it wakes up, and what it waits for would end no later without.
   */
  private static final long MOST_DELAY = MORE + MORE / 2;

  private static final int TRIES = 3;

  private long slowest;
  private String what = "";

  private CloseBound() {}

  /**
   * Runs a scene whose closes have to end within the bound, anew if one has not.
   *
   * @param scene makes the closes by {@link #timed}
   */
  public static void check(TestSession session, Consumer<CloseBound> scene) {
    long limit = limit(session.terms().patience());
    CloseBound best = new CloseBound();
    for (int i = 0; i < TRIES && (i == 0 || best.slowest > limit); i++) {
      CloseBound watch = new CloseBound();
      scene.accept(watch);
      if (i == 0 || watch.slowest < best.slowest) {
        best = watch;
      }
    }
    session.check(
        best.slowest <= limit,
        "%s took %d ms or more in each of %d tries, expected %d at most",
        best.what,
        TimeUnit.NANOSECONDS.toMillis(best.slowest),
        TRIES,
        TimeUnit.NANOSECONDS.toMillis(limit));
  }

  /**
   * Makes a call and keeps its time if it is the longest. The time in which this thread waited for
   * a core is not the call's; a failure is the call's own to judge.
   *
   * @param name the call in words, for the report
   */
  public void timed(String name, Runnable close) {
    RunDelay delay = RunDelay.ofThisThread();
    long before = delay.nanos();
    long start = System.nanoTime();
    close.run();
    long nanos = System.nanoTime() - start;
    nanos -= Math.clamp(delay.nanos() - before, 0, MOST_DELAY);
    if (nanos > slowest) {
      slowest = nanos;
      what = name;
    }
  }

  /** Returns the bound on this machine, in nanoseconds. */
  static long limit(KitPatience patience) {
    return Math.min(patience.scaled(CLOSE), CLOSE + MORE);
  }
}
