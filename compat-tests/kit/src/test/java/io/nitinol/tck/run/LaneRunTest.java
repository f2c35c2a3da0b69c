// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.wrong.ThrowsFromListen;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LaneRunTest {
  private static final long LATE = TimeUnit.MINUTES.toNanos(6);

  private static LaneRun lane(boolean full, int patience) {
    PluginUnderTest plugin = PluginUnderTest.of(ThrowsFromListen.class);
    return new LaneRun(plugin, plugin.lanes().getFirst(), full, Duration.ofSeconds(patience));
  }

  private static CaseResult result(String rule, @Nullable String broken) {
    Outcome outcome = broken == null ? Outcome.PASSED : Outcome.FAILED;
    return new CaseResult(rule, "x", "net v6", outcome, Duration.ZERO, broken, "", List.of(), 1);
  }

  @Test
  void aLaneWhoseCallsWaitIsGivenUpWhenItHasTakenTooLong() {
    LaneRun lane = lane(false, 10);
    CaseResult waits = result("NET-TEST-01", "NET-TEST-01");
    lane.judged(waits);
    lane.judged(result("NET-SEND-01", "NET-SEND-01"));
    assertThat(lane.slow(TimeUnit.MINUTES.toNanos(4))).isNull();
    assertThat(lane.slow(LATE)).isEqualTo(waits);
  }

  @Test
  void aLaneThatOnlyTakesLongGoesOn() {
    LaneRun lane = lane(false, 10);
    lane.judged(result("NET-TEST-01", null));
    lane.judged(result("NET-SEND-01", "NET-SEND-08"));
    lane.judged(result("NET-RECV-04", "NET-RECV-04"));
    assertThat(lane.slow(LATE)).isNull();
  }

  @Test
  void aLongRunAndASlowMachineHaveMoreTime() {
    for (LaneRun lane : List.of(lane(true, 10), lane(false, 40))) {
      lane.judged(result("NET-TEST-01", "NET-TEST-01"));
      assertThat(lane.slow(LATE)).isNull();
    }
  }
}
