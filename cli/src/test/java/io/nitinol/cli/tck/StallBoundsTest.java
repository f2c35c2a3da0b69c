// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.tck.StallBounds.GivenUp;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a run whose processes do not get on comes to its end. */
class StallBoundsTest {
  private static final Duration LIMIT = Duration.ofMinutes(20);

  private final StallBounds bounds = new StallBounds();

  private @Nullable GivenUp after(int times, String lane) {
    for (int i = 1; i < times; i++) {
      assertThat(bounds.killed(lane, Duration.ZERO, LIMIT)).as("time %d", i).isNull();
    }
    return bounds.killed(lane, Duration.ZERO, LIMIT);
  }

  @Test
  void aLaneIsGivenUpAndTheOthersGoOn() {
    assertThat(after(4, "net v6"))
        .isEqualTo(
            new GivenUp(
                "net v6",
                "not run: 4 processes did not get on and were killed on this lane, the most of a"
                    + " lane"));
    assertThat(bounds.killed("net v7", Duration.ZERO, LIMIT)).isNull();
  }

  @Test
  void aRunOfManyLanesIsGivenUp() {
    after(4, "net v6");
    after(4, "net v7");
    assertThat(after(4, "net v8"))
        .isEqualTo(
            new GivenUp(
                null, "not run: 12 processes did not get on and were killed, the most of a run"));
  }

  @Test
  void aRunPastItsTimeIsGivenUpAndTheBoundNamed() {
    assertThat(bounds.killed("net v6", LIMIT, LIMIT)).as("not past it").isNull();
    assertThat(bounds.killed("net v6", Duration.ofMinutes(21), LIMIT))
        .isEqualTo(
            new GivenUp(
                null,
                "not run: 2 processes did not get on and were killed, and the run has taken 1260 s,"
                    + " more than its bound of 1200 s"));
  }
}
