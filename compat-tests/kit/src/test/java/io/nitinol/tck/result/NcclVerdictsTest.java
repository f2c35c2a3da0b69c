// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A vendor whose plugin is for one release of NCCL reads whether it works there. */
class NcclVerdictsTest {

  private static CaseResult result(
      String rule, String lane, Outcome outcome, @Nullable String broken) {
    return new CaseResult(rule, "t", lane, outcome, Duration.ZERO, broken, "because", List.of(), 1);
  }

  private static KitReport report(boolean library, List<String> lanes, CaseResult... results) {
    return new KitReport(
        "P", lanes, "quick", 1, Duration.ZERO, List.of(results), "P", "", results.length, library);
  }

  @Test
  void aRuleThatNcclDoesNotRelyOnIsNitinolsOwn() {
    KitReport report =
        report(
            true,
            List.of("net v6"),
            result("NET-CONN-09", "net v6", Outcome.PASSED, null),
            result("NET-TEST-02", "net v6", Outcome.FAILED, "NET-TEST-02"));
    assertThat(NcclVerdicts.lines(report))
        .containsExactly(
            "works under NCCL 2.17 (v6), as far as tested: keeps 1 rule that it relies on",
            "works under NCCL 2.30 (v6), as far as tested: keeps 1 rule that it relies on",
            "does not keep the whole contract; Nitinol alone relies on NET-TEST-02");
  }

  @Test
  void eachReleaseLooksAtTheVersionThatItLoads() {
    KitReport report =
        report(
            true,
            List.of("net v6", "net v12"),
            result("NET-CONN-09", "net v6", Outcome.PASSED, null),
            result("NET-RECV-05", "net v6", Outcome.FAILED, "NET-RECV-05"),
            result("NET-CONN-09", "net v12", Outcome.PASSED, null),
            result("NET-INIT-09", "net v12", Outcome.BLOCKED, "NET-ERR-02"),
            result("NET-SEND-08", "net v12", Outcome.INCONCLUSIVE, null));
    assertThat(NcclVerdicts.lines(report))
        .containsExactly(
            "breaks rules that NCCL 2.17 (v6) relies on: NET-RECV-05",
            "is not known to work under NCCL 2.30 (v12): keeps 1 rule that it relies on, but not"
                + " tested are NET-INIT-09, NET-SEND-08",
            "does not keep the whole contract; Nitinol alone relies on NET-ERR-02");
  }

  @Test
  void aTestOfWhatNcclDoesNotRelyOnSaysNothingAboutIt() {
    CaseResult kept = result("NET-CONN-09", "net v6", Outcome.PASSED, null);
    CaseResult dropped =
        new CaseResult(
            "NET-CLOSE-07",
            "whatIsHalfAcceptedIsDropped",
            "net v6",
            Outcome.FAILED,
            Duration.ZERO,
            "NET-CLOSE-07",
            "because",
            List.of(),
            1);
    assertThat(NcclVerdicts.lines(report(true, List.of("net v6"), kept, dropped)))
        .containsExactly(
            "works under NCCL 2.17 (v6), as far as tested: keeps 1 rule that it relies on",
            "works under NCCL 2.30 (v6), as far as tested: keeps 1 rule that it relies on",
            "does not keep the whole contract; Nitinol alone relies on NET-CLOSE-07");
    CaseResult lost = result("NET-CLOSE-07", "net v6", Outcome.FAILED, "NET-CLOSE-07");
    assertThat(NcclVerdicts.lines(report(true, List.of("net v6"), kept, dropped, lost)))
        .contains("breaks rules that NCCL 2.17 (v6) relies on: NET-CLOSE-07");
  }

  @Test
  void aLibraryOfNewVersionsIsNotLoadedByAnOldRelease() {
    CaseResult passed = result("NET-CONN-09", "net v12", Outcome.PASSED, null);
    assertThat(NcclVerdicts.lines(report(true, List.of("net v12"), passed)))
        .first()
        .isEqualTo("NCCL 2.17 loads none of these lanes: net v12");
    assertThat(NcclVerdicts.lines(report(false, List.of("net v12"), passed)))
        .as("in NCCL by Nitinol's library, which has every version")
        .contains("keeps the whole contract, as far as tested")
        .noneMatch(line -> line.contains("loads none"));
  }

  @Test
  void eachKindIsLoadedInItsOwnNewestVersion() {
    KitReport report =
        report(
            true,
            List.of("net v6", "collnet v8"),
            result("NET-RECV-05", "net v6", Outcome.FAILED, "NET-RECV-05"),
            result("NET-CONN-09", "collnet v8", Outcome.PASSED, null));
    assertThat(NcclVerdicts.lines(report))
        .contains("breaks rules that NCCL 2.30 (net v6, collnet v8) relies on: NET-RECV-05");
  }

  @Test
  void whatHasNoResultIsNoVerdict() {
    KitReport open =
        report(
            true,
            List.of("net v6"),
            result("NET-CONN-09", "net v6", Outcome.PASSED, null),
            result("NET-TEST-02", "net v6", Outcome.INCONCLUSIVE, null));
    assertThat(NcclVerdicts.lines(open))
        .last()
        .isEqualTo("is not known to keep the whole contract: tests without a result are left");
    KitReport without =
        report(true, List.of("net v6"), result("NET-TEST-02", "net v6", Outcome.PASSED, null));
    assertThat(NcclVerdicts.lines(without))
        .contains(
            "is not known to work under NCCL 2.30 (v6): only 0 rules that it relies on have been"
                + " tested");
  }

  @Test
  void aPluginWithoutDevicesHasNoVerdict() {
    List<CaseResult> results = new ArrayList<>();
    results.add(
        result("NET-INIT-04", "net v6", Outcome.PASSED, null)
            .noting(List.of(KitReport.NO_DEVICES)));
    results.add(
        new CaseResult(
            "NET-CONN-09",
            "t",
            "net v6",
            Outcome.SKIPPED,
            Duration.ZERO,
            null,
            KitReport.noDevices(""),
            List.of(),
            1));
    results.add(
        new CaseResult(
            "NET-CONN-01",
            "t",
            "net v6",
            Outcome.SKIPPED,
            Duration.ZERO,
            null,
            KitReport.noDevices("no card"),
            List.of(),
            1));
    KitReport report = report(true, List.of("net v6"), results.toArray(CaseResult[]::new));
    assertThat(report.nothingTested()).isTrue();
    assertThat(report.whyNothing()).isEqualTo(KitReport.NO_DEVICES + "; it says: no card");
    assertThat(NcclVerdicts.lines(report)).isEmpty();
    results.add(result("NET-INIT-03", "net v6", Outcome.FAILED, "NET-INIT-03"));
    assertThat(report(true, List.of("net v6"), results.toArray(CaseResult[]::new)).nothingTested())
        .isFalse();
  }
}
