// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.launch.RankFailureReport.Rank;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureReportTest {
  private static final int SIGKILL = 137;
  private static final Duration GRACE = Duration.ofSeconds(15);

  @Test
  void saysOnceWhatAllSay() {
    RankFailureReport report =
        new RankFailureReport(
            List.of(failed(1, 3, "no network"), failed(0, 3, "no network")),
            List.of(),
            List.of(),
            2,
            GRACE);
    assertThat(report.lines()).containsExactly("no network");
    assertThat(report.status()).isEqualTo(3);
  }

  @Test
  void namesTheRanksThatSayDifferentThings() {
    RankFailureReport report =
        new RankFailureReport(
            List.of(failed(2, 4, "rank 1 died"), failed(0, 4, "rank 1 died"), failed(1, 3, "no")),
            List.of(),
            List.of(),
            3,
            GRACE);
    assertThat(report.lines()).containsExactly("ranks 0, 2: rank 1 died", "rank 1: no");
    assertThat(report.status()).as("the rank that blames no other").isEqualTo(3);
  }

  @Test
  void saysOnceWhomTheRanksBlame() {
    RankFailureReport report =
        new RankFailureReport(
            List.of(
                ended(2, 102, 4, new FailureRecord(4, 1, "rank 1 left, as rank 2 saw")),
                ended(0, 100, 4, new FailureRecord(4, 1, "rank 1 left, as rank 0 saw")),
                ended(1, 101, 3, new FailureRecord(3, 1, "no memory"))),
            List.of(),
            List.of(),
            3,
            GRACE);
    assertThat(report.lines())
        .containsExactly("ranks 0, 2: rank 1 left, as rank 2 saw", "rank 1: no memory");
    assertThat(report.status()).isEqualTo(3);
  }

  @Test
  void saysOnceWhatOthersQuote() {
    String why = "cannot get 2379776 bytes of shared memory in /dev/shm: it cannot be written";
    RankFailureReport report =
        new RankFailureReport(
            List.of(
                ended(1, 101, 4, new FailureRecord(4, 0, "rank 0 gave up: " + why)),
                ended(0, 100, 3, new FailureRecord(3, -1, why))),
            List.of(),
            List.of(),
            2,
            GRACE);
    assertThat(report.lines())
        .containsExactly("rank 0: " + why, "rank 1: rank 0 gave up: as above");
  }

  @Test
  void leavesOutWhatRanksTellEachOther() {
    String why = "the connection to it was closed by the peer";
    RankFailureReport report =
        new RankFailureReport(
            List.of(
                failed(0, 3, "told: [REMOTE_ERROR about no single rank] " + why),
                failed(1, 3, "[REMOTE_ERROR about rank 0, an end in all_reduce] it is gone")),
            List.of(),
            List.of(),
            2,
            GRACE);
    assertThat(report.lines()).containsExactly("rank 0: told: " + why, "rank 1: it is gone");
  }

  @Test
  void saysHowARankWasKilled() {
    RankFailureReport report =
        new RankFailureReport(
            List.of(failed(0, 4, "rank 1 died"), ended(1, 4711, SIGKILL, null)),
            List.of(),
            List.of(),
            2,
            GRACE);
    assertThat(report.lines())
        .containsExactly(
            "rank 0: rank 1 died", "rank 1 (pid 4711) was killed by signal 9 (SIGKILL)");
    assertThat(report.status()).isEqualTo(4);
  }

  @Test
  void saysWhoDidNotEnd() {
    RankFailureReport report =
        new RankFailureReport(List.of(ended(1, 9, 7, null)), List.of(3, 0), List.of(), 4, GRACE);
    assertThat(report.lines())
        .containsExactly(
            "rank 1 (pid 9) ended with exit status 7",
            "ranks 0, 3 did not notice within 15 s and were killed");
    assertThat(report.status()).isEqualTo(7);
  }

  @Test
  void namesProcessesWhereTheyHaveSeveralRanks() {
    RankFailureReport report =
        new RankFailureReport(
            "process",
            List.of(
                failed(0, 4, "rank 3 died"),
                failed(2, 4, "rank 3 died"),
                ended(1, 4711, SIGKILL, null)),
            List.of(3),
            List.of(),
            4,
            GRACE);
    assertThat(report.lines())
        .containsExactly(
            "processes 0, 2: rank 3 died",
            "process 1 (pid 4711) was killed by signal 9 (SIGKILL)",
            "process 3 did not notice within 15 s and was killed");
  }

  @Test
  void namesTheRankThatEndedWellBeforeItReported() {
    RankFailureReport report =
        new RankFailureReport(
            List.of(
                failed(0, 4, "rank 1 left"),
                new Rank(1, 9, 4, null, true, "ended with exit status 0 before it reported")),
            List.of(),
            List.of(3, 2),
            4,
            GRACE);
    assertThat(report.lines())
        .containsExactly(
            "rank 0: rank 1 left",
            "rank 1 (pid 9) ended with exit status 0 before it reported",
            "ranks 2, 3 were still starting 15 s later and were killed");
    assertThat(report.status()).isEqualTo(4);
  }

  @Test
  void leavesWrongResultsToTheTable() {
    RankFailureReport report =
        new RankFailureReport(List.of(ended(0, 9, 1, null)), List.of(), List.of(), 1, GRACE);
    assertThat(report.lines()).isEmpty();
    assertThat(report.status()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "two\nlines", "back\\slash \\n and\r", "", "\u00e9\u4e2d"})
  void carriesAnyMessageOverALine(String message) {
    FailureRecord record = new FailureRecord(3, -1, message);
    String line = record.line().encode();
    assertThat(line).doesNotContain("\n", "\r");
    assertThat(record(line)).isEqualTo(record);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nitinol-failure 3 0 x",
        "\u001enitinol-failure ",
        "\u001enitinol-failure x y z"
      })
  void leavesOtherLinesAlone(String line) {
    assertThat(record(line)).isNull();
  }

  private static @Nullable FailureRecord record(String line) {
    ReportLine report = ReportLine.decode(line);
    return report == null ? null : FailureRecord.of(report);
  }

  private static Rank failed(int rank, int status, String message) {
    return ended(rank, 100 + rank, status, new FailureRecord(status, -1, message));
  }

  private static Rank ended(int rank, long pid, int status, @Nullable FailureRecord record) {
    boolean died = ExitReason.isSignal(status);
    return new Rank(rank, pid, status, record, died, ExitReason.describe(status));
  }
}
