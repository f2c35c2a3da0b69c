// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.command;

import io.nitinol.toolkit.ErrorText;
import java.time.Duration;

/** Times of long work as people read them. */
public final class TimeText {
  private TimeText() {}

  /** Returns a time as minutes and seconds, such as {@code 1:15}. */
  public static String of(long nanos) {
    long seconds = Duration.ofNanos(nanos).toSeconds();
    return ErrorText.of("%d:%02d", seconds / 60, seconds % 60);
  }

  /**
   * Returns how long the rest takes where it goes on as it has begun, such as {@code about 1:15
   * left}.
   *
   * @param nanos what has been spent
   * @param done how much is done
   * @param all how much there is to do, in the same unit
   * @return empty where nothing is done yet
   */
  public static String left(long nanos, double done, double all) {
    return done <= 0 ? "" : left((long) (nanos * Math.max(0, all - done) / done));
  }

  /** Returns how long the rest takes, where that is known. */
  public static String left(long nanos) {
    return ErrorText.of("about %s left", of(nanos));
  }
}
