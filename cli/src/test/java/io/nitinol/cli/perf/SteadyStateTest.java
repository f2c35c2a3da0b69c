// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SteadyStateTest {

  private static List<Boolean> verdicts(double... times) {
    SteadyState state = new SteadyState();
    List<Boolean> all = new ArrayList<>();
    for (double time : times) {
      all.add(state.add(time));
    }
    return all;
  }

  @Test
  void fiveInARowThatAreNoFasterAreSteady() {
    assertThat(verdicts(10, 10, 10.5, 9.8, 10, 11))
        .containsExactly(false, false, false, false, false, true);
  }

  @Test
  void laterStageOfTheCompilerBeginsAnew() {
    assertThat(verdicts(100, 10, 10, 10, 10, 2, 2, 2, 2, 2, 2))
        .containsExactly(
            false, false, false, false, false, false, false, false, false, false, true);
  }

  @Test
  void slowlyGettingFasterIsNotSteadyForEver() {
    SteadyState state = new SteadyState();
    double time = 100;
    int pieces = 0;
    while (!state.add(time) && pieces < 100) {
      time *= 0.98; // each less than noise
      pieces++;
    }
    assertThat(pieces).isLessThan(10);
  }
}
