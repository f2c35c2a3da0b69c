// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final StringWriter text = new StringWriter();
  private long now = Duration.ofDays(1).toNanos();

  private Progress progress(boolean terminal, int columns) {
    return new Progress(new PrintWriter(text), terminal, columns, () -> now);
  }

  @Test
  void writesOverOneLineOfATerminalAndLeavesNothing() {
    Progress progress = progress(true, 30);
    progress.show(0, 2, "NET-CONN-01 listens");
    assertThat(text.toString()).isEqualTo("\r\u001b[K0:00  1/2  NET-CONN-01 listen");
    progress.finished(result(Outcome.FAILED), 0, 2);
    now += Duration.ofSeconds(75).toNanos();
    progress.show(1, 2, "x");
    assertThat(text.toString()).endsWith("\r\u001b[K1:15  2/2  1 failed  x");
    progress.finished(result(Outcome.BLOCKED), 1, 2);
    now += Duration.ofSeconds(1).toNanos();
    progress.tell();
    assertThat(text.toString()).endsWith("\r\u001b[K1:16  2/2  1 failed  x");
    progress.close();
    progress.tell();
    assertThat(text.toString()).endsWith("1 failed  x\r\u001b[K").doesNotContain("\n");
  }

  @Test
  void tellsHowLongTheRestTakesByWhatTestsUsuallyTake() {
    Duration second = Duration.ofSeconds(1);
    Progress progress =
        progress(true, 80).expect(List.of(second, second.multipliedBy(3), second), 10);
    progress.show(10, 13, "a");
    assertThat(text.toString()).endsWith("0:00  11/13  a");
    now += Duration.ofSeconds(2).toNanos();
    progress.show(11, 13, "b");
    assertThat(text.toString()).endsWith("0:02  12/13  about 0:08 left  b");
    now += Duration.ofSeconds(6).toNanos();
    progress.show(12, 13, "c");
    assertThat(text.toString()).endsWith("0:08  13/13  about 0:02 left  c");
  }

  @Test
  void writesALineNowAndThenElsewhere() {
    Progress progress = progress(false, 80);
    progress.show(0, 100, "a");
    now += Duration.ofSeconds(9).toNanos();
    progress.show(1, 100, "b");
    assertThat(text.toString()).isEmpty();
    now += Duration.ofSeconds(2).toNanos();
    progress.show(2, 100, "c");
    progress.show(3, 100, "d");
    progress.finished(result(Outcome.PASSED), 99, 100);
    assertThat(text.toString().lines()).containsExactly("0:11  3/100  c");
    now += Duration.ofSeconds(10).toNanos();
    progress.tell();
    progress.close();
    assertThat(text.toString().lines()).containsExactly("0:11  3/100  c", "0:21  4/100  d");
  }

  @Test
  void tellsOfEachBrokenRuleOnceWhenItIsFound() {
    Progress progress = progress(false, 80).after(List.of(broken("NET-CONN-03", "before")));
    progress.show(0, 9, "a");
    progress.finished(broken("NET-CONN-01", "hangs"), 0, 9);
    progress.finished(broken("NET-CONN-01", "hangs again"), 1, 9);
    progress.finished(broken("NET-CONN-03", "again"), 2, 9);
    progress.finished(result(Outcome.INCONCLUSIVE), 3, 9);
    assertThat(text.toString().lines())
        .containsExactly(
            "0:00  NET-CONN-01 is broken: hangs (t, net v6)",
            "0:00  NET-CONN-01 is inconclusive:  (t, net v6)");
  }

  private static CaseResult broken(String rule, String why) {
    return new CaseResult(
        rule, "t", "net v6", Outcome.FAILED, Duration.ZERO, rule, why, List.of(), 1);
  }

  private static CaseResult result(Outcome outcome) {
    return new CaseResult(
        "NET-CONN-01", "t", "net v6", outcome, Duration.ZERO, null, "", List.of(), 1);
  }
}
