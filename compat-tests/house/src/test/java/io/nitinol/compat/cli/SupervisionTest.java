// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.Slow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No rank is left behind, and the rank that died is named. */
class SupervisionTest {
  private static final String[] ENDLESS = {
    "perf", "all_reduce", "-n", "4", "-b", "64K", "-e", "64K", "--iters", "100000000", "-c", "0"
  };
  private static final String SLEEPING_TREE = "sleep 1000 & sleep 1000; wait";

  @Test
  void aKilledRankIsNamedAndTheOthersEnd() throws Exception {
    try (CommandProcess perf = CommandProcess.start(ENDLESS)) {
      List<ProcessHandle> ranks = running(perf);
      ProcessHandle victim = ranks.get(2);
      victim.destroyForcibly();
      assertThat(perf.exit()).as("%s", perf).isEqualTo(4);
      assertThat(perf.err())
          .containsPattern(
              ("nitinol perf: ranks \\d, \\d, \\d: rank \\d failed.*\nnitinol perf: rank"
                      + " \\d \\(pid %s\\) was killed by signal 9 \\(SIGKILL\\)\n")
                  .formatted(victim.pid()))
          .doesNotContain("did not notice");
      perf.awaitEnd(ranks);
    }
  }

  @Test
  @Slow
  void aRankThatDiesBeforeItHasComeIsNamedToTheOthers() throws Exception {
    List<String> words = perfOfThree("[ $NITINOL_RANK = 1 ] && kill -9 $$; exec \"$@\"");
    try (CommandProcess run = CommandProcess.start(words.toArray(String[]::new))) {
      assertThat(run.exit()).as("%s", run).isEqualTo(4);
      assertThat(run.err())
          .containsPattern("\\[0\\] nitinol perf: .*rank 1 \\(pid \\d+\\) was killed by signal 9")
          .containsPattern("\\[2\\] nitinol perf: .*rank 1 \\(pid \\d+\\) was killed by signal 9")
          .doesNotContain("did not notice");
    }
  }

  @Test
  void aRankThatEndsWellBeforeItHasComeIsNamedToTheOthers() throws Exception {
    List<String> words = perfOfThree("[ $NITINOL_RANK = 1 ] && exit 0; exec \"$@\"");
    try (CommandProcess run = CommandProcess.start(words.toArray(String[]::new))) {
      assertThat(run.exit()).as("%s", run).isNotZero();
      String how = "rank 1 \\(pid \\d+\\) ended with exit status 0 before all ranks had come";
      assertThat(run.err())
          .containsPattern("\\[0\\] nitinol perf: .*" + how)
          .containsPattern("\\[2\\] nitinol perf: .*" + how)
          .doesNotContain("did not notice");
    }
  }

  /** Returns a command that runs {@code script} with perf as its arguments. */
  private static List<String> perfOfThree(String script) throws IOException {
    List<String> words = new ArrayList<>(List.of("run", "-n", "3", "--", "sh", "-c", script));
    words.add("sh");
    words.addAll(CommandProcess.command(List.of("perf", "all_reduce", "-b", "8", "-e", "8")));
    return words;
  }

  @Test
  void ranksThatNeverMeetMayEndAtDifferentTimes() throws Exception {
    try (CommandProcess run =
        CommandProcess.start("run", "-n", "3", "sh", "-c", "sleep 0.$NITINOL_RANK; echo over")) {
      assertThat(run.exit()).as("%s", run).isZero();
      assertThat(run.out().lines()).containsExactlyInAnyOrder("over", "[1] over", "[2] over");
      assertThat(run.err()).isEmpty();
    }
  }

  @Test
  @Slow
  void aTerminatedLauncherTakesItsRanksAlong() throws Exception {
    try (CommandProcess perf = CommandProcess.start(ENDLESS)) {
      List<ProcessHandle> ranks = running(perf);
      perf.terminate();
      assertThat(perf.exit()).as("%s", perf).isEqualTo(143);
      assertThat(ranks).noneMatch(ProcessHandle::isAlive);
      assertThat(perf.err()).as("no complaints about what was asked for").isEmpty();
    }
  }

  @Test
  @Slow
  void aKilledLauncherLeavesNoRanks() throws Exception {
    try (CommandProcess perf = CommandProcess.start(ENDLESS)) {
      List<ProcessHandle> ranks = running(perf);
      perf.kill();
      perf.exit();
      perf.awaitEnd(ranks);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @FirstRows(1)
  void runLeavesNoProgramsBehind(boolean kill) throws Exception {
    try (CommandProcess run =
        CommandProcess.start("run", "-n", "2", "--", "sh", "-c", "echo up; " + SLEEPING_TREE)) {
      run.awaitLine("^up$");
      run.awaitLine("^\\[1\\] up$");
      run.awaitChildren(3); // two ranks and their guard
      List<ProcessHandle> all = new ArrayList<>(run.awaitDescendants(2 * 3 + 1));
      if (kill) {
        run.kill();
      } else {
        run.terminate();
      }
      assertThat(run.exit()).isEqualTo(kill ? 137 : 143);
      run.awaitEnd(all);
    }
  }

  @Test
  void runTellsProgramsWhoTheyAre() throws Exception {
    try (CommandProcess run =
        CommandProcess.start(
            "run",
            "-n",
            "2",
            "sh",
            "-c",
            "echo $NITINOL_RANK/$NITINOL_SIZE/$NITINOL_LOCAL_RANK $RANK/$WORLD_SIZE/$LOCAL_RANK"
                + " ${NITINOL_UNIQUE_ID%-*} \"$@\"",
            "sh",
            "--help",
            "-n")) {
      assertThat(run.exit()).as("%s", run).isZero();
      assertThat(run.out().lines())
          .containsExactlyInAnyOrder(
              "0/2/0 0/2/0 nitinol1 --help -n", "[1] 1/2/1 1/2/1 nitinol1 --help -n");
    }
  }

  @Test
  void runIsOneRankWhereALauncherSaysSo() throws Exception {
    try (CommandProcess run =
        CommandProcess.start(
            Map.of("OMPI_COMM_WORLD_RANK", "3", "OMPI_COMM_WORLD_SIZE", "8"),
            "run",
            "sh",
            "-c",
            "echo $NITINOL_RANK/$NITINOL_SIZE; echo oops >&2; exit 9")) {
      assertThat(run.exit()).as("%s", run).isEqualTo(9);
      assertThat(run.out()).isEqualTo("3/8\n");
      assertThat(run.err())
          .matches("\\[3\\] oops\nnitinol run: rank 3 \\(pid \\d+\\) ended with exit status 9\n");
    }
  }

  @Test
  void runRunsTheCommandItself() throws Exception {
    List<String> words = new ArrayList<>(List.of("run", "-n", "2", "--"));
    List<String> perf =
        List.of("perf", "all_reduce", "-b", "8", "-e", "8K", "-f", "32", "--iters", "2");
    words.addAll(CommandProcess.command(perf));
    try (CommandProcess run = CommandProcess.start(words.toArray(String[]::new))) {
      assertThat(run.exit()).as("%s", run).isZero();
      assertThat(run.rows()).hasSize(3);
    }
  }

  /** Returns the ranks, once they are in the middle of it. */
  private static List<ProcessHandle> running(CommandProcess perf) {
    perf.awaitLine("\\(elements\\)");
    return perf.awaitChildren(4);
  }
}
