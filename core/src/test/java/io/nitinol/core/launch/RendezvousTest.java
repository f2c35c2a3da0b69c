// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommException;
import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.log.Log;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.SpecialFiles;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RendezvousTest {
  private static final RankEnvironment FIRST = new RankEnvironment("Open MPI", 0, 2, 0);
  private static final RankEnvironment SECOND = new RankEnvironment("Open MPI", 1, 2, 1);

  @Test
  void takesTheIdItself() {
    Settings loopback = Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo"));
    try (UniqueId id = UniqueId.create(loopback, new Log(loopback))) {
      assertThat(meet(SECOND, Map.of("NITINOL_UNIQUE_ID", id.toString(), "NCCL_COMM_ID", "x:1")))
          .isEqualTo(id);
    }
  }

  @Test
  void makesTheSameIdOfTheSameAddressEverywhere() {
    Map<String, String> environment = Map.of("NCCL_COMM_ID", "127.0.0.1:29500");
    assertThat(meet(FIRST, environment)).isEqualTo(meet(SECOND, environment));
    assertThat(meet(FIRST, environment).describe()).isEqualTo("127.0.0.1:29500");
  }

  @Test
  void meetsAtThePortAfterTorchrun() {
    Map<String, String> environment = Map.of("MASTER_ADDR", "127.0.0.1", "MASTER_PORT", "29500");
    assertThat(meet(SECOND, environment).describe()).isEqualTo("127.0.0.1:29501");
    assertThat(meet(FIRST, environment)).isEqualTo(meet(SECOND, environment));
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1, 127.0.0.1:29501", "::1, [::1]:29501"})
  void writesAddressesOfBothFamilies(String host, String expected) {
    JobAddress address =
        JobAddress.find(
            SECOND, Map.of("MASTER_ADDR", host, "MASTER_PORT", "29500"), new ArrayList<>());
    Settings settings = address.in(Settings.of(Map.of("NCCL_NET", "Socket")));
    assertThat(settings.get(CoreVariables.COMM_ID)).isEqualTo(expected);
    assertThat(settings.get(CoreVariables.NET)).as("the other settings stay").isEqualTo("Socket");
  }

  @Test
  void passesTheIdThroughAFile(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("id");
    Map<String, String> environment =
        Map.of("NITINOL_UNIQUE_ID_FILE", file.toString(), "NCCL_SOCKET_IFNAME", "lo");
    CompletableFuture<UniqueId> second =
        CompletableFuture.supplyAsync(() -> meet(SECOND, environment));
    try (UniqueId first = meet(FIRST, environment)) {
      assertThat(second.get()).isEqualTo(first);
    }
    assertThat(Files.getPosixFilePermissions(file))
        .as("it holds the secret")
        .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
  }

  @Test
  void doesNotTakeTheFileOfAnEarlierJob(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("id"), "old");
    assertThatThrownBy(() ->
            meet(
                FIRST,
                Map.of("NITINOL_UNIQUE_ID_FILE", file.toString(), "NCCL_SOCKET_IFNAME", "lo")))
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("the file exists already, from an earlier job");
  }

  @Test
  void theFileOfAKilledRankZeroIsReplaced(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("id");
    String dead = leaveBehind(file);
    Map<String, String> environment =
        Map.of("NITINOL_UNIQUE_ID_FILE", file.toString(), "NCCL_SOCKET_IFNAME", "lo");
    CompletableFuture<UniqueId> second =
        CompletableFuture.supplyAsync(() -> meet(SECOND, environment));
    try (UniqueId first = meet(FIRST, environment)) {
      assertThat(Files.readString(file)).startsWith(first + "\n").isNotEqualTo(dead);
      assertThat(second.get()).isEqualTo(first);
    }
  }

  @Test
  void theFileOfAKilledRankZeroIsNamedWhereNoneReplacesIt(@TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("id");
    String dead = leaveBehind(file);
    Map<String, String> environment =
        Map.of("NITINOL_UNIQUE_ID_FILE", file.toString(), "NITINOL_BOOTSTRAP_TIMEOUT", "1");
    assertThatThrownBy(() -> meet(SECOND, environment))
        .isInstanceOf(BootstrapException.class)
        .hasMessageMatching(
            ".*: process \\d+, which wrote it, has ended, and rank 0 of this job has not replaced"
                + " it within 1 s \\(NITINOL_BOOTSTRAP_TIMEOUT\\)");
    assertThat(Files.readString(file)).as("only rank 0 replaces it").isEqualTo(dead);
  }

  /** Whether a process of another host has ended cannot be told. */
  @Test
  void theFileAndItsWriterAreNamedWhereTheRootOfAnotherHostIsNotReached(@TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("id");
    String dead = leaveBehind(file);
    Files.writeString(file, dead.replaceFirst(" on \\S+", " on elsewhere/boot"));
    Map<String, String> environment =
        Map.of("NITINOL_UNIQUE_ID_FILE", file.toString(), "NCCL_SOCKET_IFNAME", "lo");
    UniqueId id = meet(SECOND, environment);
    Settings settings = Settings.of(environment);
    assertThatThrownBy(() -> Bootstrap.connect(id, 1, 2, settings, new Log(settings)))
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("the root at " + id.describe() + " cannot be reached: ")
        .hasMessageContaining("; the id comes from NITINOL_UNIQUE_ID_FILE=" + file + ", which")
        .hasMessageMatching(".* process \\d+ of host elsewhere wrote; if an earlier job left.*");
  }

  @Test
  void theFileOfALivingRankZeroStays(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("id");
    try (FirstRankProcess other = new FirstRankProcess(file)) {
      other.await("written");
      String theirs = Files.readString(file);
      Map<String, String> environment =
          Map.of("NITINOL_UNIQUE_ID_FILE", file.toString(), "NCCL_SOCKET_IFNAME", "lo");
      assertThatThrownBy(() -> meet(FIRST, environment))
          .isInstanceOf(BootstrapException.class)
          .hasMessageContaining("the file exists already, from an earlier job");
      assertThat(Files.readString(file)).isEqualTo(theirs);
    }
  }

  @Test
  void ofSeveralRankZerosOneReplacesTheFileOfAKilledOne(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("id");
    leaveBehind(file);
    List<FirstRankProcess> all = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        all.add(new FirstRankProcess(file));
      }
      List<String> outcomes = new ArrayList<>();
      for (FirstRankProcess each : all) {
        outcomes.add(each.await("").split(" ", 2)[0]);
      }
      assertThat(outcomes).containsOnlyOnce("written").containsOnly("written", "refused");
    } finally {
      all.forEach(FirstRankProcess::close);
    }
  }

  /** As Nitinol wrote it before it told which process had. */
  @Test
  void anIdWithoutItsWriterIsRead(@TempDir Path directory) throws Exception {
    Settings loopback = Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo"));
    try (UniqueId id = UniqueId.create(loopback, new Log(loopback))) {
      Path file = Files.writeString(directory.resolve("id"), id.toString());
      assertThat(meet(SECOND, Map.of("NITINOL_UNIQUE_ID_FILE", file.toString()))).isEqualTo(id);
    }
  }

  /** Returns what a rank 0 has written to {@code file} that was killed then. */
  private static String leaveBehind(Path file) throws Exception {
    try (FirstRankProcess first = new FirstRankProcess(file)) {
      first.await("written");
      first.kill();
      first.exit();
    }
    return Files.readString(file);
  }

  @Test
  void aPathWhereSomethingElseStandsIsNamedAndLeft(@TempDir Path directory) throws Exception {
    Path device = SpecialFiles.nowhere(directory.resolve("null"));
    Path pipe = SpecialFiles.pipe(directory.resolve("pipe"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("absent"));
    Map<Path, String> kinds = Map.of(device, "a device", pipe, "a pipe", link, "a symbolic link");
    kinds.forEach((path, kind) ->
        assertThatThrownBy(() ->
                meet(
                    FIRST,
                    Map.of("NITINOL_UNIQUE_ID_FILE", path.toString(), "NCCL_SOCKET_IFNAME", "lo")))
            .isInstanceOf(BootstrapException.class)
            .hasMessageContaining("cannot write it: it is " + kind));
    assertThat(SpecialFiles.isDevice(device)).isTrue();
    assertThat(SpecialFiles.isPipe(pipe)).isTrue();
    assertThat(link).isSymbolicLink();
  }

  /** Another user could put the id of a root of his there, and the ranks would meet at him. */
  @Test
  void theIdIsNotKeptWhereOthersCanReplaceIt(@TempDir Path directory) throws Exception {
    Path open = SpecialFiles.directory(directory.resolve("open"), 0777);
    Map<String, String> environment =
        Map.of("NITINOL_UNIQUE_ID_FILE", open.resolve("id").toString(), "NCCL_SOCKET_IFNAME", "lo");
    assertThatThrownBy(() -> meet(FIRST, environment))
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("others can write the directory");
    Files.writeString(open.resolve("id"), "another one's");
    assertThatThrownBy(() -> meet(SECOND, environment))
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("others can write the directory");
  }

  @Test
  void theIdOfAnotherUserInTmpIsNotTaken(@TempDir Path directory) throws Exception {
    Path open = SpecialFiles.directory(directory.resolve("tmp"), 01777);
    Path id = SpecialFiles.giveAway(Files.writeString(open.resolve("id"), "another one's"));
    assertThatThrownBy(() -> meet(SECOND, Map.of("NITINOL_UNIQUE_ID_FILE", id.toString())))
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("is a regular file of user " + SpecialFiles.STRANGER);
  }

  @Test
  void anIdWithoutEndIsNotReadForEver(@TempDir Path directory) throws Exception {
    Path zeros = SpecialFiles.zeros(directory.resolve("zero"));
    assertThatThrownBy(() -> meet(SECOND, Map.of("NITINOL_UNIQUE_ID_FILE", zeros.toString())))
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("cannot read it: it has more than 4096 bytes");
  }

  /** The root of an id that nobody will ever read must not stay behind. */
  @Test
  void endsTheRootWhereTheFileCannotBeWritten(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("missing").resolve("id");
    List<String> lines = new CopyOnWriteArrayList<>();
    DebugLogger log =
        new DebugLogger() {
          @Override
          public boolean isEnabled(LogLevel level, long subsystems) {
            return true;
          }

          @Override
          public void log(
              LogLevel level, long subsystems, String location, int line, String message) {
            lines.add(message);
          }
        };
    Map<String, String> environment =
        Map.of("NITINOL_UNIQUE_ID_FILE", file.toString(), "NCCL_SOCKET_IFNAME", "lo");
    assertThatThrownBy(() -> Rendezvous.uniqueId(FIRST, environment, Settings.of(environment), log))
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("cannot write it");
    String start = "root listens at 127.0.0.1:";
    int port =
        lines.stream()
            .filter(l -> l.startsWith(start))
            .mapToInt(l -> Integer.parseInt(l.substring(start.length())))
            .findAny()
            .orElseThrow();
    boolean listens = true;
    while (listens) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(Thread.currentThread().isInterrupted()).as("out of time: %s", socket).isFalse();
      } catch (ConnectException e) {
        listens = false;
      }
    }
  }

  @Test
  void anInterruptEndsTheWaitForTheFile(@TempDir Path directory) {
    Map<String, String> environment =
        Map.of("NITINOL_UNIQUE_ID_FILE", directory.resolve("id").toString());
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> meet(SECOND, environment))
          .isInstanceOf(BootstrapException.class)
          .hasMessageContaining("interrupted while waiting for rank 0 to write");
    } finally {
      assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
    }
  }

  @Test
  void saysThatRankZeroHasNotWrittenTheFile(@TempDir Path directory) {
    assertThatThrownBy(() ->
            meet(
                SECOND,
                Map.of(
                    "NITINOL_UNIQUE_ID_FILE",
                    directory.resolve("id").toString(),
                    "NITINOL_BOOTSTRAP_TIMEOUT",
                    "1")))
        .isInstanceOfSatisfying(
            BootstrapException.class,
            e -> {
              assertThat(e.result()).isEqualTo(ResultCode.TIMEOUT);
              assertThat(e.failedRank()).isZero();
            })
        .hasMessageContaining("rank 0 has not written it within 1 s (NITINOL_BOOTSTRAP_TIMEOUT)");
  }

  @Test
  void saysWhatToSetWhereNothingIs() {
    assertThatThrownBy(() -> meet(SECOND, Map.of()))
        .isInstanceOf(BootstrapException.class)
        .isInstanceOf(CommException.class) // what applications catch
        .hasMessage(
            "Open MPI says that there are 2 ranks, but nothing says where they meet: set"
                + " NCCL_COMM_ID to host:port of rank 0, or NITINOL_UNIQUE_ID_FILE to a file that"
                + " all ranks can reach, the same for all");
  }

  @Test
  void ranksOfTwoAttemptsOfTorchrunDoNotMix() {
    Map<String, String> first = new HashMap<>(Map.of("MASTER_ADDR", "127.0.0.1"));
    first.put("MASTER_PORT", "29500");
    first.put("TORCHELASTIC_RUN_ID", "job");
    Map<String, String> second = new HashMap<>(first);
    second.put("TORCHELASTIC_RESTART_COUNT", "1");
    assertThat(meet(SECOND, first)).isEqualTo(meet(FIRST, first)).isNotEqualTo(meet(FIRST, second));
    second.put("NITINOL_COMM_SECRET", "one");
    first.put("NITINOL_COMM_SECRET", "one");
    assertThat(meet(FIRST, first)).as("a secret wins").isEqualTo(meet(FIRST, second));
  }

  @Test
  void ranksOfAStepOfSlurmMeetAtItsFirstHost() {
    RankEnvironment first = new RankEnvironment("Slurm", 0, 2, 0);
    RankEnvironment second = new RankEnvironment("Slurm", 1, 2, 1);
    Map<String, String> step =
        Map.of("SLURM_JOB_ID", "4711", "SLURM_STEP_ID", "0", "SLURM_STEP_NODELIST", "localhost");
    UniqueId id = meet(first, step);
    assertThat(id).isEqualTo(meet(second, step));
    Map<String, String> next = new HashMap<>(step);
    next.put("SLURM_STEP_ID", "1");
    assertThat(meet(first, next).describe()).as("another port").isNotEqualTo(id.describe());
  }

  @Test
  void saysWhichDescriptorOfPmiIsNotOpen() {
    assertThatThrownBy(() ->
            meet(
                new RankEnvironment("MPICH", 1, 2, 1),
                Map.of("PMI_RANK", "1", "PMI_SIZE", "2", "PMI_FD", "99999")))
        .isInstanceOf(BootstrapException.class)
        .hasMessage(
            "rank 1 cannot meet the others by PMI of MPICH: PMI_FD=99999 is not open here; without"
                + " it they meet where NCCL_COMM_ID names host:port of rank 0");
  }

  @Test
  void rejectsAPortThatIsNone() {
    assertThatThrownBy(() -> meet(SECOND, Map.of("MASTER_ADDR", "h", "MASTER_PORT", "x")))
        .hasMessage("MASTER_PORT=x: expected a port number");
  }

  private static UniqueId meet(RankEnvironment ranks, Map<String, String> environment) {
    Settings settings = Settings.of(new HashMap<>(environment));
    return Rendezvous.uniqueId(ranks, environment, settings, new Log(settings));
  }

  /** Without a wait for it: a user who mistypes its name is told so at once. */
  @Test
  void aProcessThatOnlyLooksIsToldOfAFileThatIsNotThere() {
    Settings settings =
        Settings.of(
            Map.of("NITINOL_UNIQUE_ID_FILE", "/nowhere/id", "NITINOL_BOOTSTRAP_TIMEOUT", "3600"));
    assertThatThrownBy(() -> Rendezvous.knownId(settings))
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining(
            "NITINOL_UNIQUE_ID_FILE=/nowhere/id: there is no such file; expected the one that rank"
                + " 0 of the job has written");
  }

  @Test
  void aProcessThatOnlyLooksNeedNotKnowTheRootsHost() {
    Map<String, String> job = Map.of("NCCL_COMM_ID", "localhost:4711", "NITINOL_COMM_SECRET", "s");
    UniqueId known = Rendezvous.knownId(Settings.of(job));
    UniqueId made = UniqueId.create(Settings.of(job), Log.process());
    assertThat(known.lookKey()).isEqualTo(made.lookKey());
    Map<String, String> other = Map.of("NCCL_COMM_ID", "no.such.host.invalid:4711");
    assertThat(Rendezvous.knownId(Settings.of(other))).isNotNull();
    assertThatThrownBy(() -> Rendezvous.knownId(Settings.of(Map.of("NCCL_COMM_ID", "here"))))
        .hasMessageContaining("NCCL_COMM_ID=here: ");
    assertThatThrownBy(() -> Rendezvous.knownId(Settings.of(Map.of("NITINOL_UNIQUE_ID", "x"))))
        .hasMessageContaining("NITINOL_UNIQUE_ID: not a unique id: ");
  }
}
