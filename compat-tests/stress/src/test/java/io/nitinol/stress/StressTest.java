// SPDX-License-Identifier: Apache-2.0
package io.nitinol.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** No stress test sees a forbidden outcome; {@code compat-tests/stress/run} is the long run. */
class StressTest {
  private static final String ALL = "Stress";

  /** Some of each protocol. */
  private static final String SOME =
      "PaddedCounterStress|SlotRingStress.Lent|AreaStress.LinePosted|OperationStress.Published"
          + "|SleeperStress.Nap|RequestStress.Announced|OutStreamStress.Assigned|DataStreamStress";

  static List<Arguments> modes() {
    return List.of(
        Arguments.of(StressRun.C2, SOME, 10, 1, 100),
        Arguments.of(StressRun.C2, ALL, 30, 1, 150),
        Arguments.of(StressRun.C1, ALL, 30, 1, 150));
  }

  @ParameterizedTest
  @QuickRows(1)
  @MethodSource("modes")
  @Timeout(1200)
  @Slow
  void nothingForbiddenIsSeen(String jvm, String tests, int number, int forks, int millis)
      throws Exception {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "two threads need two processors");
    List<String> arguments =
        List.of("-t", tests, "-f", "" + forks, "-fsm", "1", "-iters", "1", "-time", "" + millis);
    StressRun.Found found = StressRun.run(StressRun.classPath(), jvm, arguments);
    assertThat(found.failed()).as(found.told()).isEmpty();
    assertThat(found.status()).as(found.told()).isZero();
    assertThat(found.passed()).as(found.told()).isEqualTo(found.planned());
    assertThat(found.planned()).as(found.told()).isGreaterThanOrEqualTo(number);
  }
}
