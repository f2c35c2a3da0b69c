// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.wrong.ThrowsFromListen;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LaneRunTest {
  private static final Duration EARLY = Duration.ofMinutes(4);
  private static final Duration LATE = Duration.ofMinutes(6);

  private static LaneRun lane(boolean full, int patience) {
    PluginUnderTest plugin = PluginUnderTest.of(ThrowsFromListen.class);
    return new LaneRun(plugin, plugin.lanes().getFirst(), full, Duration.ofSeconds(patience));
  }

  private static CaseResult result(
      String rule, String test, @Nullable String broken, Duration time) {
    Outcome outcome = broken == null ? Outcome.PASSED : Outcome.FAILED;
    return new CaseResult(rule, test, "net v6", outcome, time, broken, "", List.of(), 1);
  }

  private static CaseResult result(String rule, @Nullable String broken) {
    return result(rule, "x", broken, Duration.ZERO);
  }

  private static void takes(LaneRun lane, Duration time) {
    lane.judged(result("NET-SEND-08", "x", null, time), false);
  }

  @Test
  void aLaneWhoseCallsWaitIsGivenUpWhenItHasTakenTooLong() {
    LaneRun lane = lane(false, 10);
    CaseResult waits = result("NET-TEST-01", "NET-TEST-01");
    lane.judged(waits, false);
    lane.judged(result("NET-SEND-01", "NET-SEND-01"), false);
    takes(lane, EARLY);
    assertThat(lane.slow()).isNull();
    takes(lane, LATE.minus(EARLY));
    assertThat(lane.slow()).isEqualTo(waits);
  }

  @Test
  void aLaneThatOnlyTakesLongGoesOn() {
    LaneRun lane = lane(false, 10);
    lane.judged(result("NET-TEST-01", null), false);
    lane.judged(result("NET-SEND-01", "NET-SEND-08"), false);
    lane.judged(result("NET-RECV-04", "NET-RECV-04"), false);
    takes(lane, LATE);
    assertThat(lane.slow()).isNull();
  }

  @Test
  void aLongRunAndASlowMachineHaveMoreTime() {
    for (LaneRun lane : List.of(lane(true, 10), lane(false, 40))) {
      lane.judged(result("NET-TEST-01", "NET-TEST-01"), false);
      takes(lane, LATE);
      assertThat(lane.slow()).isNull();
    }
  }

  @Test
  void whatRunsBesideOthersTakesNoTime() {
    LaneRun lane = lane(false, 10);
    lane.judged(result("NET-TEST-01", "NET-TEST-01"), false);
    lane.judged(result("NET-CONN-14", "x", null, LATE), true);
    assertThat(lane.slow()).isNull();
  }

  @Test
  void aReductionWhoseStartWaitsCountsAndOneForWhichThereIsNoRoomDoesNot() {
    LaneRun lane = lane(false, 10);
    lane.judged(result("COLL-11", "maxRequestsAreInFlight", "COLL-11", LATE), false);
    assertThat(lane.slow()).isNull();
    CaseResult waits = result("COLL-11", "startingNeverWaits", "COLL-11", Duration.ZERO);
    lane.judged(waits, false);
    assertThat(lane.slow()).isEqualTo(waits);
  }

  @Test
  void theTestsThatShowItExist() {
    assertThat(RuleCatalog.cases())
        .filteredOn(test -> LaneRun.isOfPromptness(test.rule(), test.name()))
        .extracting(RuleCase::rule)
        .contains("NET-SEND-01", "NET-RECV-01", "NET-TEST-01", "COLL-11");
  }

  /** The kit goes on in another process when a call never comes back. */
  @Test
  void theTimeOfEarlierProcessesCounts() {
    PluginUnderTest plugin = PluginUnderTest.of(ThrowsFromListen.class);
    String lane = plugin.lanes().getFirst().label();
    try (TestBench bench = new TestBench(plugin, false, 1, false, Duration.ofSeconds(10))) {
      CaseResult waits =
          new CaseResult(
              "NET-TEST-01", "x", lane, Outcome.FAILED, LATE, "NET-TEST-01", "", List.of(), 1);
      bench.known(waits, plugin.lanes());
      RuleCase test =
          RuleCatalog.cases().stream()
              .filter(known -> known.rule().equals("NET-DEV-04"))
              .findFirst()
              .orElseThrow();
      CaseResult next = bench.execute(test, plugin.lanes().getFirst(), () -> {});
      assertThat(next.outcome()).isEqualTo(Outcome.BLOCKED);
      assertThat(next.why()).contains("given up after 6 min");
    }
  }
}
