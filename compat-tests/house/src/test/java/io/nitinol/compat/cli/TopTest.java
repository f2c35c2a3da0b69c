// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.compat.comm.RankProcesses;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.log.Log;
import io.nitinol.netns.Unavailable;
import io.nitinol.netns.Veth;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code nitinol top} tells of jobs of real processes, with and without a flight recorder. */
class TopTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** Where the sockets of this test are, and no others. */
  @TempDir private Path runtime;

  private Map<String, String> variables(String... more) {
    Map<String, String> variables = new HashMap<>();
    variables.put("XDG_RUNTIME_DIR", runtime.toString());
    variables.put("NCCL_SHM_DISABLE", "1");
    variables.put("NITINOL_TIMEOUT", "0");
    for (int i = 0; i < more.length; i += 2) {
      variables.put(more[i], more[i + 1]);
    }
    return variables;
  }

  private RankProcesses start(Map<String, String> variables, String... task) throws IOException {
    return RankProcesses.of(DiagnosedRank.class, 2, rank -> variables, task);
  }

  private CommandProcess command(String... options) throws IOException {
    List<String> words = new ArrayList<>(List.of("top"));
    words.addAll(List.of(options));
    // Also the other directory, or what other tests leave there would be seen.
    return CommandProcess.start(
        Map.of("XDG_RUNTIME_DIR", runtime.toString(), "JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=/proc"),
        words.toArray(String[]::new));
  }

  private String top(String... options) throws Exception {
    try (CommandProcess top = command(options)) {
      assertThat(top.exit()).as("%s", top).isZero();
      return top.out();
    }
  }

  /** Looks again until {@code part} is told: a rank stands still only after a second. */
  private String await(String part) throws Exception {
    while (true) { // each test has a limit
      String said = top("--once", "--interval", "0.2");
      if (said.contains(part)) {
        return said;
      }
    }
  }

  private static void tellBoth(RankProcesses ranks) throws Exception {
    for (int rank = 0; rank < 2; rank++) {
      ranks.await(rank, "ready");
      ranks.tell(rank);
    }
  }

  private List<Path> sockets() throws IOException {
    Path directory = runtime.resolve("nitinol");
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(directory)) {
      return found.toList();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @QuickRows(2)
  @Slow
  void aRankThatNeverCallsIsBehind(boolean records) throws Exception {
    Map<String, String> variables =
        records
            ? variables("NITINOL_FLIGHT_RECORDER_FILE", runtime.resolve("flight").toString())
            : variables();
    try (RankProcesses ranks = start(variables, "absent")) {
      ranks.await(0, "ready");
      ranks.await(1, "ready");
      ranks.tell(0);
      String said = await("is behind");
      TopSentences.requireBehind(said);
      assertThat(said)
          .containsPattern(
              "\n  0 +\\S+ +"
                  + ranks.pid(0)
                  + " +1 .* all_reduce of 16 float sum +[\\d.]+ s  rank 1")
          .containsPattern("\n  1 +\\S+ +" + ranks.pid(1) + " +1 +0.0 +0.000 +- +- +-\n");
      String json = top("--once", "--json", "--interval", "0.1");
      assertThat(SchemaCheck.mistakes("top", json)).as("%s", json).isEmpty();
      assertThat(json).contains("\"pid\":" + ranks.pid(1) + ",\"done\":1,\"bytes\":64,");
    }
  }

  @ParameterizedTest
  @CsvSource({TopSentences.OTHER_COUNT, TopSentences.OTHER_COLLECTIVE})
  @QuickRows(1)
  @Slow
  void aRankThatCallsSomethingElseIsNamedWithBothCalls(String deed, String call) throws Exception {
    try (RankProcesses ranks = start(variables(), deed, "keep")) {
      tellBoth(ranks);
      ranks.await(0, "keeps");
      ranks.await(1, "keeps");
      TopSentences.requireDisagreement(await("disagree"), call);
    }
  }

  /** With no variable set. */
  @Test
  @Slow
  void whatTheRanksKeepIsWrittenOnRequest() throws Exception {
    Path into = runtime.resolve("seen");
    try (RankProcesses ranks = start(variables(), "absent")) {
      ranks.await(0, "ready");
      ranks.await(1, "ready");
      ranks.tell(0);
      String _ = await("is behind");
      assertThat(top("--once", "--interval", "0.1", "--save", into.toString()))
          .contains("2 file(s) for nitinol diagnose are in " + into);
      List<String> words = new ArrayList<>(List.of("diagnose"));
      try (Stream<Path> files = Files.list(into)) {
        files.map(Path::toString).sorted().forEach(words::add);
      }
      assertThat(words).hasSize(3).element(1).asString().contains("/rank-0.");
      try (CommandProcess diagnose = CommandProcess.start(words.toArray(String[]::new))) {
        assertThat(diagnose.exit()).as("%s", diagnose).isZero();
        TopSentences.requireBehind(diagnose.out());
      }
      ranks.signal(1, "STOP");
      assertThat(top("--once", "--interval", "0.1", "--save", into.toString()))
          .contains("process " + ranks.pid(1) + " has not answered within 2 s")
          .contains("1 file(s) for nitinol diagnose are in ");
    }
  }

  @Test
  @Slow
  void aStoppedRankIsNamedWithItsProcess() throws Exception {
    try (RankProcesses ranks = start(variables(), "same")) {
      ranks.await(0, "ready");
      ranks.await(1, "ready");
      ranks.signal(1, "STOP");
      ranks.tell(0);
      String stopped =
          "rocess " + ranks.pid(1) + " is stopped (SIGSTOP or a debugger); kill -CONT ";
      assertThat(await("waits for it"))
          .contains("P" + stopped)
          .contains("Rank 1 does not answer, and rank 0 waits for it: p" + stopped)
          .contains("Rank 0 waits for rank 1 over NET/Socket: ");
    }
  }

  @Test
  @Slow
  void aLinkThatLosesEverythingIsNamedByItsEnds() throws Exception {
    try (Veth cable = Veth.open()) {
      Map<String, String> variables =
          variables(
              "NCCL_SOCKET_IFNAME",
              "=" + Veth.DEVICE,
              "NCCL_COMM_ID",
              cable.address(cable.near()) + ":4711");
      try (RankProcesses ranks =
          RankProcesses.of(
              DiagnosedRank.class,
              2,
              UniqueId.create(Settings.of(variables), Log.process()),
              (rank, command) -> (rank == 0 ? cable.near() : cable.far()).command(command),
              rank -> {
                Map<String, String> own = new HashMap<>(variables);
                own.put("NCCL_HOSTID", "host" + rank);
                return own;
              },
              "same")) {
        ranks.await(0, "ready");
        ranks.await(1, "ready");
        cable.near().run("ip link set eth0 down");
        ranks.tell(0);
        ranks.tell(1);
        TopSentences.requireLostLink(await("made the same calls"));
      }
    } catch (Unavailable e) {
      System.err.println("TopTest: no cable to pull out: " + e.getMessage());
      abort(e.getMessage());
    }
  }

  @Test
  void operationsOfARunningJobAreCounted() throws Exception {
    try (RankProcesses ranks = start(variables(), "steady")) {
      tellBoth(ranks);
      List<JsonNode> looks = new ArrayList<>();
      for (String line : top("--json", "--count", "3", "--interval", "0.2").lines().toList()) {
        assertThat(SchemaCheck.mistakes("top", line)).as("%s", line).isEmpty();
        looks.add(MAPPER.readTree(line).path("communicators").path(0));
      }
      assertThat(looks).hasSize(3);
      for (int rank = 0; rank < 2; rank++) {
        JsonNode before = looks.get(1).path("ranks").path(rank);
        JsonNode after = looks.get(2).path("ranks").path(rank);
        long done = after.path("done").asLong();
        assertThat(done).isGreaterThan(before.path("done").asLong());
        assertThat(after.path("bytes").asLong()).as("of 16 floats each").isEqualTo(done * 64);
        assertThat(after.path("operations_per_s").asDouble()).isPositive();
        assertThat(after.path("bytes_per_s").asDouble()).isPositive();
        assertThat(after.path("pid").asLong()).isEqualTo(ranks.pid(rank));
      }
      while (top("--once", "--interval", "0.2").contains("Rank ")) {
        // On a machine that is this busy, a rank has waited for a second. Each test has a limit.
      }
    }
  }

  @Test
  void aProcessThatIsNotToBeSeenIsNot() throws Exception {
    Map<String, String> hidden = variables("NITINOL_TOP", "0");
    try (RankProcesses ranks =
        RankProcesses.of(
            DiagnosedRank.class, 2, rank -> rank == 1 ? hidden : variables(), "same")) {
      ranks.await(0, "ready");
      ranks.await(1, "ready");
      assertThat(sockets()).hasSize(1);
      assertThat(top("--once"))
          .contains("1 communicator(s) in 1 process(es)")
          .contains("Rank 1 does not answer: its process has ended or closed the communicator, or");
    }
  }

  @Test
  void aDirectoryThatOthersCanEnterIsRefusedByBothSides() throws Exception {
    Path open = Files.createDirectory(runtime.resolve("nitinol"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    Map<String, String> variables =
        variables("NCCL_DEBUG", "INFO", "JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=/proc");
    try (RankProcesses ranks = start(variables, "same")) {
      assertThat(ranks.awaitWithin(0, "nitinol top cannot see this process"))
          .contains(open + " has mode 0755");
      ranks.await(0, "ready");
      ranks.await(1, "ready");
      assertThat(sockets()).isEmpty();
      assertThat(top("--once", "--interval", "0.1")).contains(open + " has mode 0755");
    }
  }

  @Test
  @Slow
  void theSocketOfAKilledProcessIsRemoved() throws Exception {
    try (RankProcesses ranks = start(variables(), "absent")) {
      ranks.await(0, "ready");
      ranks.await(1, "ready");
      assertThat(sockets()).hasSize(2);
      ranks.kill(0);
      ranks.exit(0);
      assertThat(sockets()).as("it could not do so itself").hasSize(2);
      top("--once", "--interval", "0.1");
      assertThat(sockets())
          .hasSize(1)
          .allMatch(left -> left.getFileName().toString().contains("-" + ranks.pid(1) + "-"));
    }
  }

  /**
   * The process makes and closes communicators as fast as it can, opening and closing its socket
   * each time, and then ends.
   */
  @Test
  @Slow
  void manyThatAskAProcessThatClosesAndEndsAreNoProblem() throws Exception {
    List<CommandProcess> crowd = new ArrayList<>();
    try (RankProcesses ranks =
        RankProcesses.of(ClosingRank.class, 1, rank -> variables(), "rounds")) {
      ranks.await(0, "ready");
      for (int i = 0; i < 4; i++) {
        crowd.add(command("--json", "--interval", "0.1"));
      }
      for (CommandProcess each : crowd) {
        each.awaitLine("\"communicators\"");
      }
      ranks.await(0, "round 50"); // while they ask
      ranks.tell(0);
      ranks.await(0, "end");
      assertThat(ranks.exit(0)).isZero();
      assertThat(sockets()).isEmpty();
      int seen = 0;
      for (CommandProcess each : crowd) {
        assertThat(each.handle().isAlive()).as("%s", each).isTrue();
        each.handle().destroy();
        each.exit();
        assertThat(each.err()).doesNotContain("xception");
        for (String line : each.out().lines().toList()) {
          JsonNode look = MAPPER.readTree(line);
          assertThat(look.path("problems").toString()).isEqualTo("[]");
          for (JsonNode silent : look.path("silent")) { // on a loaded machine
            assertThat(silent.path("why").asString()).isEqualTo("has not answered within 2 s");
          }
          seen += look.path("communicators").size();
        }
      }
      assertThat(seen).as("looks that saw the communicator").isPositive();
    } finally {
      for (CommandProcess each : crowd) {
        each.close();
      }
    }
  }

  @Test
  void anEndlessViewEndsWhenItsReaderLeaves() throws Exception {
    try (CommandProcess top = CommandProcess.startUnread("top", "--interval", "0.1")) {
      assertThat(top.exit()).as("%s", top).isEqualTo(141);
      assertThat(top.err()).isEmpty();
    }
  }

  /** By SIGTERM: a shell lets what it starts in the background ignore SIGINT, tests included. */
  @Test
  void aSignalEndsIt() throws Exception {
    try (CommandProcess top = command("--interval", "0.1")) {
      top.awaitLine("0 communicator\\(s\\) in 0 process\\(es\\)");
      assertThat(top.handle().destroy()).isTrue();
      assertThat(top.exit()).isEqualTo(143);
      assertThat(top.err()).doesNotContain("xception");
      assertThat(top.out())
          .as("no control characters where this is no terminal")
          .doesNotContain("\033");
    }
  }

  @Test
  void anIntervalThatIsNoneIsRefused() throws Exception {
    try (CommandProcess top = command("--interval", "0")) {
      assertThat(top.exit()).isEqualTo(2);
      assertThat(top.err()).contains("--interval is 0.0; expected 0.1 to 86400 seconds");
    }
  }
}
