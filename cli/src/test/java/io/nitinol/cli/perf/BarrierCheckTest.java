// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BarrierCheckTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 31, 32, 33, 40, 64, 65, 100})
  void eachRankIsLateOnceInARunAndTheLastOneInSomeRun(int ranks) {
    int calls = BarrierCheck.calls(ranks);
    assertThat(calls).isBetween(1, 32);
    int runs = (ranks + calls - 1) / calls;
    Set<Integer> last = new TreeSet<>();
    for (int run = 0; run < runs; run++) {
      int[] late = new int[ranks];
      for (int call = 0; call < calls; call++) {
        int most = 0;
        for (int rank = 0; rank < ranks; rank++) {
          int lateness = BarrierCheck.lateness(rank, ranks, run, call);
          late[rank] += lateness > 0 ? 1 : 0;
          if (lateness == 2) {
            most++;
            last.add(rank);
          }
        }
        assertThat(most).as("ranks that come last in call %d", call).isEqualTo(1);
      }
      assertThat(late).as("how often each rank is late in run %d", run).containsOnly(1);
    }
    assertThat(last).containsExactlyElementsOf(IntStream.range(0, ranks).boxed().toList());
  }

  @Test
  void onlyProcessesOfOneBootReadTheSameClock() {
    assertThat(BarrierCheck.clock("a")).isEqualTo(BarrierCheck.clock("a"));
    assertThat(BarrierCheck.clock("a")).isNotEqualTo(BarrierCheck.clock("b"));
    assertThat(BarrierCheck.clock(null)).isNotEqualTo(BarrierCheck.clock(null));
    assertThat(BarrierCheck.clock("")).as("hidden").isNotEqualTo(BarrierCheck.clock(""));
  }
}
