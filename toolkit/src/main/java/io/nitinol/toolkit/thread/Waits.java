// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.thread;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What waits of any kind have in common. */
@AnyThread
public final class Waits {
  /** Longer than anybody waits, and far from where a deadline would overflow. */
  private static final long MOST_NANOS = Long.MAX_VALUE / 2;

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
}
