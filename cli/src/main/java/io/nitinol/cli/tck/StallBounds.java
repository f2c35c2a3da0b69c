// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many processes of a run may be killed since they did not get on, which costs a minute and
 * more each. Past that the tests that are left are not run: they are inconclusive.
 *
 * <p>Example: a plugin that stops its JVM in {@code listen} costs a lane 4 processes, that is two
 * tests with two attempts each, and a run of many lanes 12.
 */
@OneThread
final class StallBounds {
  /** On one lane. */
  static final int MOST_OF_A_LANE = 4;

  /** On all lanes. */
  static final int MOST = 12;

  private final Map<String, Integer> byLane = new HashMap<>();
  private int all;

  /**
   * Which tests are given up.
   *
   * @param lane the only lane that they are of; null where they are all that are left
   * @param why of one line, which names the bound
   */
  record GivenUp(@Nullable String lane, String why) {}

  /**
   * Counts a process that was killed.
   *
   * @param lane the lane of its test
   * @param elapsed how long the run has taken
   * @param limit past which a run is not taken up any more
   * @return what is given up; null if the run goes on as before
   */
  @Nullable GivenUp killed(String lane, Duration elapsed, Duration limit) {
    all++;
    int own = byLane.merge(lane, 1, Integer::sum);
    if (all >= MOST) {
      return new GivenUp(null, why(all, ", the most of a run"));
    }
    if (elapsed.compareTo(limit) > 0) {
      return new GivenUp(
          null,
          why(
              all,
              ErrorText.of(
                  ", and the run has taken %s s, more than its bound of %s s",
                  elapsed.toSeconds(), limit.toSeconds())));
    }
    return own >= MOST_OF_A_LANE
        ? new GivenUp(lane, why(own, " on this lane, the most of a lane"))
        : null;
  }

  private static String why(int times, String bound) {
    return ErrorText.of(
        "not run: %s %s not get on and %s killed%s",
        times, times == 1 ? "process did" : "processes did", times == 1 ? "was" : "were", bound);
  }
}
