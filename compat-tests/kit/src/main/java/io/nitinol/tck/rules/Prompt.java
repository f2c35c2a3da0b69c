// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.tck.session.Session;
import java.util.concurrent.TimeUnit;

/** The bound CALL: a call is late only when it is so each time, since machines are busy. */
final class Prompt {
  private static final long CALL = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int ATTEMPTS = 3;

  private Prompt() {}

  /** Says that the rule under test is broken where a call is late three times out of three. */
  static void check(Session session, String what, Runnable call) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ATTEMPTS && least > CALL; i++) {
      long start = System.nanoTime();
      session.run(session.terms().rule(), what, call);
      least = Math.min(least, System.nanoTime() - start);
    }
    session.check(
        least <= CALL,
        "%s took %d ms at best of %d times, expected 100 at most",
        what,
        TimeUnit.NANOSECONDS.toMillis(least),
        ATTEMPTS);
  }
}
