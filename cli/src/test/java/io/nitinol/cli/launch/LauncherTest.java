// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.cli.command.CommandFailure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** With ranks that are shell scripts. */
class LauncherTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private final List<String> failures = new ArrayList<>();
  private final List<Integer> ended = new ArrayList<>();

  @Test
  void tellsOnceWhichRankFailedFirst() {
    assertThat(run(2, "[ $NITINOL_RANK = 1 ] && kill -9 $$; sleep 0.5; exit 3", 15)).isEqualTo(4);
    assertThat(failures).hasSize(1);
    assertThat(failures.getFirst())
        .matches(
            "rank 1 \\(pid \\d+\\) was killed by signal 9 .SIGKILL. before all ranks had come");
  }

  @Test
  void tellsEachRankItsNumber() {
    assertThat(run(3, "echo $NITINOL_RANK of $NITINOL_SIZE at $NITINOL_LOCAL_RANK, $X >&2", 15))
        .isZero();
    assertThat(lines(err))
        .containsExactlyInAnyOrder(
            "[0] 0 of 3 at 0, x0", "[1] 1 of 3 at 1, x1", "[2] 2 of 3 at 2, x2");
  }

  /** Which PSM and PSM2 would take from the JVM where libfabric loads them. */
  @Test
  void keepsTheSignalsOfItsRanks() {
    assertThat(run(1, "echo $IPATH_NO_BACKTRACE$HFI_NO_BACKTRACE >&2", 15)).isZero();
    assertThat(lines(err)).containsExactly("[0] 11");
  }

  @Test
  void forwardsWhatOtherRanksPrint() {
    assertThat(run(3, "[ $NITINOL_RANK = 0 ] || echo hello", 15)).isZero();
    assertThat(lines(out)).containsExactlyInAnyOrder("[1] hello", "[2] hello");
  }

  @Test
  void letsTheOthersEndByThemselves() {
    int status = run(2, "[ $NITINOL_RANK = 0 ] && exit 7; sleep 0.2; echo ended >&2; exit 4", 60);
    assertThat(status).isEqualTo(7);
    assertThat(lines(err).toString())
        .containsPattern(
            "\\[\\[1\\] ended, test: rank 0 \\(pid \\d+\\) ended with exit status 7\\]");
  }

  @Test
  void asksBeforeItKills() {
    String waits =
        "trap 'echo asked >&2; exit 0' TERM; echo ready >&2; while :; do sleep 0.05; done";
    int status = run(2, "[ $NITINOL_RANK = 0 ] && exit 7; " + waits, 2);
    assertThat(status).isEqualTo(7);
    assertThat(lines(err))
        .contains("[1] asked", "test: rank 1 did not notice within 2 s and was killed");
  }

  @Test
  void killsWhatDoesNotEnd() {
    int status =
        run(
            3,
            "[ $NITINOL_RANK = 1 ] && kill -9 $$; trap '' TERM; while :; do sleep 0.05; done",
            1);
    assertThat(status).isEqualTo(4);
    assertThat(String.join("\n", lines(err)))
        .containsPattern("test: rank 1 \\(pid \\d+\\) was killed by signal 9 \\(SIGKILL\\)")
        .contains("test: ranks 0, 2 did not notice within 1 s and were killed");
  }

  @Test
  void takesNoGraceThatIsNoNumberOfSeconds() {
    assertThat(Launcher.grace(null)).isEqualTo(Duration.ofSeconds(15));
    assertThat(Launcher.grace("600")).isEqualTo(Duration.ofMinutes(10));
    for (String wrong : List.of("", "10s", "-1", "0x10", "1e3", "9999999999")) {
      assertThatThrownBy(() -> Launcher.grace(wrong))
          .isInstanceOf(CommandFailure.class)
          .hasMessage("-Dnitinol.grace=" + wrong + ": expected a whole number of seconds");
    }
  }

  @Test
  void saysWhatCannotBeStarted() {
    assertThatThrownBy(() -> launcher(1, List.of("/no/such/program"), 1).run())
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("cannot start /no/such/program: ");
  }

  @Test
  void showsAFailureRecordOnce() {
    String record = new FailureRecord(3, -1, "no network").line().encode();
    assertThat(run(2, "echo '" + record + "' >&2; exit 3", 15)).isEqualTo(3);
    assertThat(lines(err)).containsExactly("test: no network");
  }

  @Test
  void believesAReportAndNoExitStatus() {
    assertThat(report(2, "[ $NITINOL_RANK = 1 ] || " + status(0) + "; exit 0")).isEqualTo(4);
    assertThat(lines(err))
        .singleElement()
        .asString()
        .matches(
            "test: rank 1 \\(pid \\d+\\) ended with exit status 0 before it reported, as by a call"
                + " of exit");
    assertThat(failures).singleElement().asString().contains("rank 1 (pid ");
  }

  @Test
  void takesTheStatusThatIsReported() {
    assertThat(report(2, status(0))).isZero();
    assertThat(report(2, "printf 'no line end' >&2; " + status(0))).isZero();
    assertThat(lines(err)).containsExactlyInAnyOrder("[0] no line end", "[1] no line end");
    assertThat(report(2, status(1) + "; exit 0")).isEqualTo(1);
    assertThat(report(1, "exit 1")).as("of a JVM that cannot start").isEqualTo(4);
    assertThat(report(1, status(0) + "; exit 9")).as("spoilt at the end").isEqualTo(4);
    assertThat(report(1, status(0) + "; kill -9 $$")).isEqualTo(4);
    assertThat(report(1, status(3) + "; exit 3")).isEqualTo(3);
  }

  @Test
  void namesThePluginThatWasCalledAndTheCodeThatCalledExit() {
    String plugin = new ReportLine(ReportLine.Kind.PLUGIN, "init of My from my.jar").encode();
    String exit = new ReportLine(ReportLine.Kind.EXIT, "My.init").encode();
    assertThat(report(1, "echo '" + plugin + "' >&2; echo '" + exit + "' >&2")).isEqualTo(4);
    assertThat(lines(err))
        .singleElement()
        .asString()
        .endsWith(
            " ended with exit status 0 before it reported, by a call of exit in My.init, during"
                + " init of My from my.jar");
  }

  /** A JVM reports a signal that asks it to end, and a plugin may call exit with any status. */
  @Test
  void takesNoStatusForASignal() {
    String asked = new ReportLine(ReportLine.Kind.SIGNAL, "").encode();
    assertThat(report(1, "echo '" + asked + "' >&2; exit 143")).isEqualTo(4);
    assertThat(report(1, "exit 130")).isEqualTo(4);
    assertThat(report(1, "kill -9 $$")).isEqualTo(4);
    assertThat(lines(err))
        .extracting(line -> line.replaceFirst("pid \\d+", "pid"))
        .containsExactly(
            "test: rank 0 (pid) was killed by signal 15 (SIGTERM)",
            "test: rank 0 (pid) ended with exit status 130 before it reported, as by a call of exit",
            "test: rank 0 (pid) was killed by signal 9 (SIGKILL)");
  }

  @Test
  void leavesOutWhatTheJvmReportsOfItself() {
    String noise = "Runtime.exit(143) logging failed: Cannot invoke java.lang.Module.x()";
    assertThat(run(1, "echo '" + noise + "' >&2; echo 'Runtime.exit(1) it is' >&2", 15)).isZero();
    assertThat(lines(err)).containsExactly("[0] Runtime.exit(1) it is");
  }

  @Test
  void aReaderThatHasLeftIsNoFailure() {
    String waits = "[ $NITINOL_RANK = 0 ] || exec sleep 100; ";
    assertThat(report(2, waits + status(141) + "; exit 141")).isEqualTo(141);
    assertThat(run(2, waits + "kill -PIPE $$", 15)).isEqualTo(141);
    assertThat(lines(err)).isEmpty();
  }

  @Test
  void tellsWhichRankEndedWithSuccess() {
    assertThat(run(2, "exit 0", 15)).isZero();
    assertThat(ended).containsExactlyInAnyOrder(0, 1);
    assertThat(failures).isEmpty();
  }

  private static String status(int status) {
    String line = new ReportLine(ReportLine.Kind.STATUS, Integer.toString(status)).encode();
    return "echo '" + line + "' >&2";
  }

  private int report(int ranks, String script) {
    return launcher(ranks, List.of("/bin/sh", "-c", script), 15, Launcher.Success.REPORT).run();
  }

  private int run(int ranks, String script, int graceSeconds) {
    return launcher(ranks, List.of("/bin/sh", "-c", script), graceSeconds).run();
  }

  private Launcher launcher(int ranks, List<String> command, int graceSeconds) {
    return launcher(ranks, command, graceSeconds, Launcher.Success.EXIT_STATUS);
  }

  private Launcher launcher(
      int ranks, List<String> command, int graceSeconds, Launcher.Success success) {
    return new Launcher(
        "test",
        command,
        Launcher.Share.all(ranks),
        rank -> Map.of("X", "x" + rank),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        null,
        Duration.ofSeconds(graceSeconds),
        success,
        new Launcher.Listener() {
          @Override
          public void failed(String how) {
            failures.add(how);
          }

          @Override
          public void ended(int rank, String how) {
            ended.add(rank);
          }
        });
  }

  private static List<String> lines(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
