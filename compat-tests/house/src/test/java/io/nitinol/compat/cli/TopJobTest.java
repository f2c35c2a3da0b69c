// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.compat.comm.RankProcesses;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.log.Log;
import io.nitinol.netns.Cabling;
import io.nitinol.netns.Namespace;
import io.nitinol.netns.Unavailable;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code nitinol top --job}, asked on the host of rank 0, tells of rank 1 on another one: a process
 * that keeps its socket elsewhere and takes its host for another, or a host of its own where the
 * kernel permits that.
 */
class TopJobTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  @TempDir private Path runtime;

  private Map<String, String> variables(int rank, String... more) throws IOException {
    Map<String, String> variables = new HashMap<>();
    variables.put("XDG_RUNTIME_DIR", host(rank).toString());
    variables.put("NCCL_HOSTID", "host" + rank);
    variables.put("NITINOL_TIMEOUT", "0");
    for (int i = 0; i < more.length; i += 2) {
      variables.put(more[i], more[i + 1]);
    }
    return variables;
  }

  /** Returns the directory that the processes of a rank's host see, and those of others do not. */
  private Path host(int rank) throws IOException {
    return Files.createDirectories(runtime.resolve("host" + rank));
  }

  private RankProcesses start(String... task) throws IOException {
    List<Map<String, String>> variables = List.of(variables(0), variables(1));
    return RankProcesses.of(DiagnosedRank.class, 2, variables::get, task);
  }

  private String top(UnaryOperator<List<String>> around, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("top"));
    words.addAll(List.of(options));
    Map<String, String> variables =
        Map.of("XDG_RUNTIME_DIR", host(0).toString(), "JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=/proc");
    try (CommandProcess top = CommandProcess.startBy(around, variables, words)) {
      assertThat(top.exit()).as("%s", top).isZero();
      return top.out();
    }
  }

  private String await(UnaryOperator<List<String>> around, String part) throws Exception {
    while (true) { // each test has a limit
      String said = top(around, "--job", "--once", "--interval", "0.2");
      if (said.contains(part)) {
        return said;
      }
    }
  }

  private String await(String part) throws Exception {
    return await(UnaryOperator.identity(), part);
  }

  private static void awaitBoth(RankProcesses ranks, String start) throws Exception {
    ranks.await(0, start);
    ranks.await(1, start);
  }

  @Test
  void aRankElsewhereThatNeverCallsIsBehind() throws Exception {
    try (RankProcesses ranks = start("absent")) {
      awaitBoth(ranks, "ready");
      ranks.tell(0);
      String said = await("is behind");
      TopSentences.requireBehind(said);
      assertThat(said)
          .contains("nitinol top --job, ", "1 communicator(s) in 2 process(es) on 1 host(s)")
          .containsPattern("\n  0 +\\S+ +" + ranks.pid(0) + " +1 ")
          .containsPattern("\n  1 +\\S+ +" + ranks.pid(1) + " +1 +(0.0 +0.000|- +-) +- +- +-\n");
      assertThat(top(UnaryOperator.identity(), "--once", "--interval", "0.2"))
          .as("without --job")
          .contains("1 communicator(s) in 1 process(es)\n")
          .doesNotContain(" " + ranks.pid(1) + " ");
    }
  }

  @ParameterizedTest
  @CsvSource({TopSentences.OTHER_COUNT, TopSentences.OTHER_COLLECTIVE})
  @QuickRows(2)
  @Slow
  void aRankElsewhereThatCallsSomethingElseIsNamedWithBothCalls(String deed, String call)
      throws Exception {
    try (RankProcesses ranks = start(deed, "keep")) {
      awaitBoth(ranks, "ready");
      ranks.tell(0);
      ranks.tell(1);
      awaitBoth(ranks, "keeps");
      TopSentences.requireDisagreement(await("disagree"), call);
    }
  }

  @Test
  @Slow
  void aStoppedRankElsewhereIsNamedWithItsPlace() throws Exception {
    try (RankProcesses ranks = start("same")) {
      awaitBoth(ranks, "ready");
      ranks.signal(1, "STOP");
      ranks.tell(0);
      String stopped =
          "he process of rank 1 of communicator [0-9a-f]+, on 127\\.0\\.0\\.1:\\d+, does not answer,"
              + " and its host does: it is stopped \\(SIGSTOP or a debugger\\)";
      assertThat(await("waits for it"))
          .containsPattern("\nT" + stopped)
          .containsPattern("Rank 1 does not answer, and rank 0 waits for it: t" + stopped)
          .contains("Rank 0 waits for rank 1 over NET/Socket: ");
      JsonNode look =
          MAPPER.readTree(
              top(UnaryOperator.identity(), "--job", "--once", "--json", "--interval", "0.1"));
      JsonNode silent = look.path("silent").path(0);
      assertThat(silent.path("ranks").toString()).isEqualTo("[1]");
      assertThat(silent.path("place").asString()).startsWith("127.0.0.1:");
      assertThat(silent.path("communicator")).isEqualTo(communicator(look).path("communicator"));
      assertThat(silent.path("why").asString()).contains("it is stopped");
      assertThat(communicator(look).path("missing").toString()).isEqualTo("[1]");
      ranks.signal(1, "CONT");
      assertThat(await("in 2 process(es)")).doesNotContain("not answer");
    }
  }

  /** A view that goes on, and looks that are given up, as each {@code --once} above. */
  @Test
  @Slow
  void aRankThatWasStoppedKnowsOfNoStrangers() throws Exception {
    String[] more = {"NCCL_DEBUG", "WARN"};
    List<Map<String, String>> variables = List.of(variables(0, more), variables(1, more));
    try (RankProcesses ranks = RankProcesses.of(DiagnosedRank.class, 2, variables::get, "same")) {
      awaitBoth(ranks, "ready");
      ranks.signal(1, "STOP");
      String stopped = "it is stopped (SIGSTOP";
      assertThat(top(UnaryOperator.identity(), "--job", "--count", "3", "--interval", "0.1"))
          .contains(stopped);
      assertThat(await(stopped)).contains(stopped);
      ranks.signal(1, "CONT");
      assertThat(await("in 2 process(es)")).doesNotContain("not answer");
      ranks.tell(0);
      ranks.tell(1);
      ranks.await(0, "unexpected: nothing was wrong");
      assertThat(ranks.before(1, "unexpected: nothing was wrong"))
          .noneMatch(line -> line.contains("dropped a connection"));
    }
  }

  private static JsonNode communicator(JsonNode look) {
    return look.path("communicators").path(0);
  }

  @Test
  @Slow
  void aProcessElsewhereThatIsNotToBeSeenSaysSo() throws Exception {
    List<Map<String, String>> variables = List.of(variables(0), variables(1, "NITINOL_TOP", "0"));
    try (RankProcesses ranks = RankProcesses.of(DiagnosedRank.class, 2, variables::get, "same")) {
      awaitBoth(ranks, "ready");
      assertThat(await("Rank 1 does not answer: "))
          .containsPattern("rank 1 of communicator \\S+, on \\S+, has NITINOL_TOP=0, or is being ");
    }
  }

  @Test
  @Slow
  void aProcessElsewhereThatHasEndedIsNamed() throws Exception {
    try (RankProcesses ranks = start("absent", "keep")) {
      awaitBoth(ranks, "ready");
      ranks.tell(0);
      ranks.kill(1);
      ranks.exit(1);
      ranks.await(0, "keeps");
      assertThat(await("Rank 1 does not answer"))
          .contains("has ended or closed the communicator: nothing listens there")
          .contains("Rank 0 failed: ");
    }
  }

  /**
   * Starts two ranks on hosts with two cables: the bootstrap goes over {@code eth1}, since the
   * address of the root in the id is there, and data over {@code eth0}, the first device.
   */
  private RankProcesses start(Cabling hosts) throws Exception {
    hosts.lay(0, "eth0", "10.97.0.1/24", 1, "eth0", "10.97.0.2/24");
    hosts.lay(0, "eth1", "10.97.1.1/24", 1, "eth1", "10.97.1.2/24");
    String[] more = {"NCCL_SOCKET_IFNAME", ""};
    List<Map<String, String>> variables = List.of(variables(0, more), variables(1, more));
    return RankProcesses.of(
        DiagnosedRank.class,
        2,
        UniqueId.create(Settings.of(Map.of("NCCL_COMM_ID", "10.97.1.1:4711")), Log.process()),
        (rank, command) -> hosts.host(rank).command(command),
        variables::get,
        "same");
  }

  @Test
  @Slow
  void aLinkThatLosesEverythingIsNamedByItsEnds() throws Exception {
    try (Cabling hosts = Cabling.open(2);
        RankProcesses ranks = start(hosts)) {
      awaitBoth(ranks, "ready");
      Namespace asking = hosts.host(0);
      asking.run("ip link set eth0 down");
      ranks.tell(0);
      ranks.tell(1);
      String said = await(asking::command, "made the same calls");
      TopSentences.requireLostLink(said);
      assertThat(said)
          .contains("in 2 process(es)")
          .contains("Rank 0 waits for rank 1 over NET/Socket: ")
          .contains("Rank 1 waits for rank 0 over NET/Socket: ");
    } catch (Unavailable e) {
      unavailable(e);
    }
  }

  @Test
  @Slow
  void aHostThatIsCutOffIsNamedWithItsAddress() throws Exception {
    try (Cabling hosts = Cabling.open(2);
        RankProcesses ranks = start(hosts)) {
      awaitBoth(ranks, "ready");
      Namespace asking = hosts.host(0);
      hosts.host(1).run("ip link set eth0 down; ip addr del 10.97.1.2/24 dev eth1");
      ranks.tell(0);
      assertThat(await(asking::command, "waits for it"))
          .containsPattern(
              "Rank 1 does not answer, and rank 0 waits for it: the process of rank 1 of"
                  + " communicator \\S+, on 10\\.97\\.1\\.2:\\d+, is not reached: its host is down or"
                  + " cut off")
          .contains("Rank 0 waits for rank 1 over NET/Socket: ");
    } catch (Unavailable e) {
      unavailable(e);
    }
  }

  /** By a look with a socket of no rank; {@code job} has what the variables of the job are. */
  private CommandProcess connect(
      UnaryOperator<List<String>> around, Map<String, String> job, String place)
      throws IOException {
    Map<String, String> variables = new HashMap<>(job);
    variables.put("XDG_RUNTIME_DIR", host(2).toString());
    variables.put("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=/proc");
    return CommandProcess.startBy(
        around,
        variables,
        List.of("top", "--job", "--connect", place, "--once", "--interval", "0.2"));
  }

  private void requireRefusal(
      UnaryOperator<List<String>> around, Map<String, String> job, String place, String... why)
      throws Exception {
    try (CommandProcess top = connect(around, job, place)) {
      assertThat(top.exit()).as("%s", top).isEqualTo(2);
      assertThat(top.err()).contains(why);
      assertThat(top.out()).isEmpty();
    }
  }

  /** Looks until rank 1 is behind, and returns the place to which the looks connect. */
  private String requireLooks(
      RankProcesses ranks, UnaryOperator<List<String>> around, Map<String, String> job)
      throws Exception {
    String place = listener(ranks);
    awaitBoth(ranks, "ready");
    ranks.tell(0);
    while (true) { // each test has a limit
      try (CommandProcess top = connect(around, job, place)) {
        assertThat(top.exit()).as("%s", top).isZero();
        assertThat(top.out()).contains("1 communicator(s) in 2 process(es) on 1 host(s)");
        if (top.out().contains("is behind")) {
          TopSentences.requireBehind(top.out());
          return place;
        }
      }
    }
  }

  private void requireRefusals(
      UnaryOperator<List<String>> around, Map<String, String> job, String place) throws Exception {
    Map<String, String> wrong = new HashMap<>(job);
    wrong.put("NITINOL_COMM_SECRET", "a guess");
    requireRefusal(
        around,
        wrong,
        place,
        "--connect " + place + ": the listener there does not know the job's secret, ",
        "; expected a rank of that job",
        "NITINOL_COMM_SECRET");
    requireRefusal(around, Map.of(), place, "--connect: nothing says the secret of the job");
    requireRefusal(around, job, place.replaceFirst(":.*", ":1"), "nothing listens there");
    requireRefusal(around, job, "nowhere", "--connect=nowhere: ");
  }

  private static final Map<String, String> SECRET = Map.of("NITINOL_COMM_SECRET", "of the job");

  /** The job's processes meet by an address, whose secret follows from two variables. */
  @Tag(Thorough.TAG)
  @Test
  void aHostWithoutARankLooksByTheJobsVariables() throws Exception {
    try (Cabling hosts = Cabling.open(2)) {
      hosts.lay(0, "eth1", "10.97.1.1/24", 1, "eth1", "10.97.1.2/24");
      Map<String, String> job = new HashMap<>(SECRET);
      job.put("NCCL_COMM_ID", "10.97.1.1:4711");
      String[] more = {"NCCL_SOCKET_IFNAME", "", "NCCL_DEBUG", "INFO"};
      List<Map<String, String>> variables = List.of(variables(0, more), variables(1, more));
      try (RankProcesses ranks =
          RankProcesses.of(
              DiagnosedRank.class,
              2,
              UniqueId.create(Settings.of(job), Log.process()),
              (rank, command) -> hosts.host(0).command(command),
              variables::get,
              "absent")) {
        String place = requireLooks(ranks, hosts.host(1)::command, job);
        if (Thorough.ON) {
          requireRefusals(hosts.host(1)::command, job, place);
        }
      }
    } catch (Unavailable e) {
      unavailable(e);
    }
  }

  /** So it is where a user has told two hosts of each other, as with {@code perf --connect}. */
  @Test
  @Slow
  void aSecretWithoutAnAddressWillDo() throws Exception {
    String[] more = {"NCCL_DEBUG", "INFO"};
    List<Map<String, String>> variables = List.of(variables(0, more), variables(1, more));
    Settings lo = Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo"));
    try (UniqueId id = UniqueId.listen(0, "of the job", lo, Log.process());
        RankProcesses ranks =
            RankProcesses.of(
                DiagnosedRank.class, 2, id, (rank, command) -> command, variables::get, "absent")) {
      String place = requireLooks(ranks, UnaryOperator.identity(), SECRET);
      requireRefusals(UnaryOperator.identity(), SECRET, place);
    }
  }

  /** A communicator that is split off has a secret of its own, which only its ranks know. */
  @Test
  @Slow
  void aSplitIsShownOnAHostOfTheJobAndToNobodyElse() throws Exception {
    String[] more = {"NCCL_DEBUG", "INFO"};
    List<Map<String, String>> variables = List.of(variables(0, more), variables(1, more));
    Settings lo = Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo"));
    try (UniqueId id = UniqueId.listen(0, "of the job", lo, Log.process());
        RankProcesses ranks =
            RankProcesses.of(
                DiagnosedRank.class, 2, id, (rank, command) -> command, variables::get, "split")) {
      String job = listener(ranks);
      String split = listener(ranks);
      awaitBoth(ranks, "ready");
      assertThat(await("in 2 process(es)")).contains("2 communicator(s) in 2 process(es)");
      try (CommandProcess top = connect(UnaryOperator.identity(), SECRET, job)) {
        assertThat(top.exit()).as("%s", top).isZero();
        assertThat(top.out()).contains("1 communicator(s) in 2 process(es)");
      }
      requireRefusal(
          UnaryOperator.identity(),
          SECRET,
          split,
          "--connect " + split + ": the listener there does not know the job's secret, ",
          "of no communicator that a split has made");
    }
  }

  /** Returns where rank 1 listens in the next communicator. */
  private static String listener(RankProcesses ranks) throws Exception {
    return ranks
        .awaitWithin(1, "rank 1 of 2 listens at ")
        .replaceFirst(".* listens at ([^,]+),.*", "$1");
  }

  private static void unavailable(Unavailable e) {
    System.err.println("TopJobTest: no hosts of their own: " + e.getMessage());
    abort(e.getMessage());
  }
}
