// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.tck.session.Session;
import java.util.concurrent.TimeUnit;

/** Measures calls that never wait against the bound CALL. */
final class PromptCalls {
  /** The bound of the contract, in nanoseconds. */
  static final long CALL = TimeUnit.MILLISECONDS.toNanos(100);

  /** A machine that is busy makes a call slow once, a plugin that waits each time. */
  private static final int TRIES = 3;

  private PromptCalls() {}

  /**
   * Says that the rule under test is broken when the call is slow in each of three tries.
   *
   * @param what the call in words, for the report
   */
  static void check(Session session, String what, Runnable call) {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < TRIES && best > CALL; i++) {
      long start = System.nanoTime();
      call.run();
      best = Math.min(best, System.nanoTime() - start);
    }
    session.check(
        best <= CALL,
        "%s took %d ms and more in each of %d tries, expected at most %d ms",
        what,
        TimeUnit.NANOSECONDS.toMillis(best),
        TRIES,
        TimeUnit.NANOSECONDS.toMillis(CALL));
  }
}
