// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.chaos.WorkerProcess.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the workers of three ranks report, of which rank 1 is the victim. */
class RoundVerdictTest {
  private static final long HAPPENED = 1_000_000_000L;

  private static RoundPlan plan(Fault fault) {
    RoundCarrier carrier = fault == Fault.CABLE_OUT ? RoundCarrier.CABLE : RoundCarrier.TCP;
    return new RoundPlan(1, carrier, 3, fault, 1, false, 10, 0);
  }

  /** Lines such as {@code FAILED 1 it died}, with {@code LEFT []} and {@code DONE} behind them. */
  private static List<Line> lines(double seconds, String... said) {
    List<Line> lines = new ArrayList<>();
    for (String each : said) {
      String[] words = each.split(" ", 2);
      lines.add(
          new Line(
              0,
              Report.valueOf(words[0]),
              words.length > 1 ? words[1] : "",
              HAPPENED + (long) (seconds * TimeUnit.SECONDS.toNanos(1))));
    }
    return lines;
  }

  private static List<Line> survivor(double seconds) {
    return lines(seconds, "RUNNING", "FAILED 1 rank 1 failed", "SHRUNK 2", "LEFT []", "DONE");
  }

  private static List<String> violations(
      Fault fault, List<Line> zero, List<Line> one, List<Line> two) {
    return new RoundVerdict(plan(fault), List.of(zero, one, two), HAPPENED, ChaosPace.USUAL)
        .violations();
  }

  @Test
  void survivorsThatNameTheVictimAndGoOnAreAsTheyShouldBe() {
    RoundVerdict verdict =
        new RoundVerdict(
            plan(Fault.KILL),
            List.of(survivor(0.5), lines(0, "RUNNING"), survivor(2.5)),
            HAPPENED,
            ChaosPace.USUAL);
    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict.failed()).isEqualTo(2);
    assertThat(verdict.longestNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(2500));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        "RUNNING,FAILED 2 rank 2 failed,SHRUNK 2,LEFT [],DONE; names another",
        "RUNNING,FAILED 1 rank 1 failed,LEFT [],DONE; has not gone on",
        "RUNNING,FAILED 1 rank 1 failed,SHRUNK 1,LEFT [],DONE; has not gone on",
        "RUNNING,FAILED 1 rank 1 failed,ALONE why,LEFT [],DONE; has not gone on",
        "RUNNING,FAILED 1 rank 1 failed,SHRUNK 2,LEFT [thread x],DONE; has left behind [thread x]",
        "RUNNING,FAILED 1 rank 1 failed,SHRUNK 2,LEFT []; has not ended its round",
        "RUNNING,RIGHT,LEFT [],DONE; has not failed",
        "RUNNING; has not failed",
        "WRONG element 3,LEFT [],DONE; WRONG element 3",
        "BROKEN java.lang.Error oops,LEFT [],DONE; BROKEN java.lang.Error oops"
      })
  void aSurvivorThatBreaksARuleIsFound(String said, String violation) {
    assertThat(violations(Fault.KILL, lines(1, said.split(",")), lines(0, "RUNNING"), survivor(1)))
        .anyMatch(each -> each.startsWith("rank 0 " + violation));
  }

  @Test
  void anErrorThatComesLateIsFound() {
    assertThat(violations(Fault.KILL, survivor(10.5), lines(0, "RUNNING"), survivor(1)))
        .singleElement()
        .asString()
        .startsWith("rank 0 failed after 10.5 s only");
    List<Line> stopped = lines(15, "RUNNING", "FAILED -1 alone", "ALONE why", "LEFT []", "DONE");
    assertThat(violations(Fault.STOP, survivor(14), stopped, survivor(14))).isEmpty();
    assertThat(violations(Fault.STOP, survivor(30.5), stopped, survivor(14))).hasSize(1);
  }

  /** Each is a fault, whether it is early, its carrier, and the seconds that it may take. */
  @ParameterizedTest
  @CsvSource({
    "KILL, false, TCP, 10",
    "KILL, true, TCP, 30",
    "KILL, false, BAD_LINK, 30",
    "STOP, false, SWITCHED, 30",
    "STOP, true, SWITCHED, 30",
    "MEMORY, false, SHM, 10",
    "DESCRIPTORS, false, TLS, 30"
  })
  void onlySilenceTakesLonger(Fault fault, boolean early, RoundCarrier carrier, int seconds) {
    RoundPlan plan = new RoundPlan(1, carrier, 2, fault, 1, early, 10, 0);
    assertThat(RoundVerdict.limit(plan, ChaosPace.USUAL)).isEqualTo(seconds);
    assertThat(2 * RoundCarrier.MEETING).isLessThan(RoundVerdict.SILENT_LIMIT);
  }

  @Test
  void aPauseMustNotBeNoticed() {
    List<Line> right = lines(1, "RUNNING", "RIGHT", "LEFT []", "DONE");
    assertThat(violations(Fault.PAUSE, right, right, right)).isEmpty();
    assertThat(violations(Fault.PAUSE, survivor(1), right, survivor(1)))
        .hasSize(2)
        .allMatch(each -> each.contains(" has no right results"));
  }

  @Test
  void ranksThatAreCutOffNameTheOtherHost() {
    // Of three ranks the first is on one host and the others on the other.
    List<Line> near = lines(5, "RUNNING", "FAILED 2 rank 2 is silent", "LEFT []", "DONE");
    List<Line> far = lines(5, "RUNNING", "FAILED 0 rank 0 is silent", "LEFT []", "DONE");
    assertThat(violations(Fault.CABLE_OUT, near, far, far)).isEmpty();
    assertThat(violations(Fault.CABLE_OUT, near, near, far))
        .containsExactly("rank 1 names another: 2 rank 2 is silent");
  }

  @Test
  void aShortageEndsWellForAllOrForNone() {
    List<Line> right = lines(1, "RUNNING", "RIGHT", "LEFT []", "DONE");
    List<Line> failed = lines(1, "FAILED 1 rank 1 could not open", "LEFT []", "DONE");
    assertThat(violations(Fault.DESCRIPTORS, right, right, right)).isEmpty();
    assertThat(violations(Fault.DESCRIPTORS, failed, failed, failed)).isEmpty();
    assertThat(violations(Fault.DESCRIPTORS, right, failed, failed))
        .containsExactly("1 ranks are right and 2 have failed");
  }

  @Test
  void noOtherRankIsBlamedForOneWithoutDescriptors() {
    List<Line> victim = lines(1, "FAILED 1 rank 1 could not open", "LEFT []", "DONE");
    List<Line> nobody = lines(1, "FAILED -1 a class is missing", "LEFT []", "DONE");
    List<Line> another = lines(1, "FAILED 2 rank 2 is silent", "LEFT []", "DONE");
    assertThat(violations(Fault.DESCRIPTORS, victim, nobody, victim)).isEmpty();
    assertThat(violations(Fault.DESCRIPTORS, victim, victim, another))
        .containsExactly("rank 2 names another: 2 rank 2 is silent");
  }

  @Test
  void aRankWithoutSharedMemorySaysSo() {
    List<Line> failed = lines(1, "FAILED 0 no shared memory in /x", "LEFT []", "DONE");
    List<Line> unclear = lines(1, "FAILED 0 rank 0 is silent, it seems", "LEFT []", "DONE");
    assertThat(violations(Fault.MEMORY, failed, failed, failed)).isEmpty();
    assertThat(violations(Fault.MEMORY, failed, unclear, failed))
        .containsExactly("rank 1 does not tell what is short: 0 rank 0 is silent, it seems");
  }

  @Test
  void overIbALostCableIsAnErrorEverywhere() {
    RoundPlan plan = new RoundPlan(1, RoundCarrier.IB, 2, Fault.CABLE_OUT, 1, false, 10, 0);
    List<Line> nobody =
        lines(20, "RUNNING", "FAILED -1 no single one is to blame", "LEFT []", "DONE");
    List<Line> other =
        lines(20, "RUNNING", "FAILED 1 rank 0 lost its connection", "LEFT []", "DONE");
    List<Line> right = lines(1, "RUNNING", "RIGHT", "LEFT []", "DONE");
    assertThat(
            new RoundVerdict(plan, List.of(nobody, nobody), HAPPENED, ChaosPace.USUAL).violations())
        .isEmpty();
    assertThat(
            new RoundVerdict(plan, List.of(nobody, other), HAPPENED, ChaosPace.USUAL).violations())
        .containsExactly("the ranks name different ones: [-1, 1]");
    assertThat(
            new RoundVerdict(plan, List.of(nobody, right), HAPPENED, ChaosPace.USUAL).violations())
        .anyMatch(each -> each.startsWith("rank 1 has not failed"));
  }

  @Test
  void aSlowMachineHasLongerLimits() {
    RoundPlan plan = plan(Fault.KILL);
    List<List<Line>> lines = List.of(survivor(30), lines(0, "RUNNING"), survivor(30));
    assertThat(new RoundVerdict(plan, lines, HAPPENED, ChaosPace.of(2900, 1000)).violations())
        .hasSize(2);
    assertThat(new RoundVerdict(plan, lines, HAPPENED, ChaosPace.of(3000, 1000)).violations())
        .isEmpty();
    assertThat(ChaosPace.of(500, 1000)).isEqualTo(ChaosPace.USUAL);
  }
}
