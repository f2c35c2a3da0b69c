// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.ProofRelay;
import io.nitinol.spi.testing.Thorough;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks in processes of their own. */
class ProcessTest {
  private final List<BootstrapProcess> processes = new ArrayList<>();

  private final List<UniqueId> ids = new ArrayList<>();

  private UniqueId newId() {
    UniqueId id = UniqueId.create(BootstrapRanks.settings(30), new RecordedLog());
    ids.add(id);
    return id;
  }

  private void start(int n, String scene) throws Exception {
    UniqueId id = newId();
    for (int rank = 0; rank < n; rank++) {
      processes.add(BootstrapProcess.start(id, rank, n, scene));
    }
  }

  @AfterEach
  void endAll() {
    processes.forEach(BootstrapProcess::close);
    ids.forEach(UniqueId::close);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8})
  void processesMeetAndGather(int n) throws Exception {
    long begin = System.nanoTime();
    start(n, "gather");
    long slowest = 0;
    for (BootstrapProcess each : processes) {
      slowest = Math.max(slowest, Long.parseLong(each.await("met ")));
    }
    System.err.println(
        n
            + " processes met within "
            + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)
            + " ms of their start, the slowest connect took "
            + slowest
            + " ms");
    for (BootstrapProcess each : processes) {
      assertThat(each.await("warnings ")).isEqualTo("[]");
      each.await("bye");
      assertThat(each.exit()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void killedProcessIsAnnouncedToAllSurvivors(int dead) throws Exception {
    int n = 5;
    start(n, "wait");
    for (BootstrapProcess each : processes) {
      each.await("ready");
    }
    long begin = System.nanoTime();
    processes.get(dead).kill();
    for (int rank = 0; rank < n; rank++) {
      if (rank != dead) {
        BootstrapProcess survivor = processes.get(rank);
        String error = survivor.await("error ");
        assertThat(error)
            .startsWith(dead + " ")
            .contains("rank " + dead + " failed: the connection to it, 127.0.0.1:")
            .contains("ended without a goodbye")
            .contains("rank " + rank + " of " + n + " was waiting for a message from rank ");
      }
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    System.err.println("a killed process was known to all survivors after " + millis + " ms");
    for (int rank = 0; rank < n; rank++) {
      if (rank != dead) {
        processes.get(rank).go();
        assertThat(processes.get(rank).await("failed ")).startsWith(dead + " ");
        processes.get(rank).await("bye");
        assertThat(processes.get(rank).exit()).isZero();
      }
    }
  }

  /** A process that is stopped, not dead, must not make the others hang when they close. */
  @Test
  void stoppedProcessDoesNotHoldUpTheOthers() throws Exception {
    int n = 3;
    start(n, "wait");
    for (BootstrapProcess each : processes) {
      each.await("ready");
    }
    processes.get(1).signal("STOP");
    processes.get(0).go(); // rank 0 waits for rank 1, in vain
    processes.get(2).kill();
    assertThat(processes.get(0).await("error ")).startsWith("2 ");
    processes.get(0).await("bye");
  }

  /** A machine that is slow just then is no stranger, and only the bootstrap's limit is its. */
  @Test
  @Tag(Thorough.TAG) // takes 7 s
  void rankThatIsStoppedBetweenTheAnswerAndItsProofMeetsTheOthers() throws Exception {
    UniqueId id = newId();
    CompletableFuture<BootstrapProcess> stopped = new CompletableFuture<>();
    ProofRelay.Answered stop =
        connection -> {
          BootstrapProcess rank = stopped.get(240, TimeUnit.SECONDS);
          rank.signal("STOP");
          Await.pause("longer than a hello may take", TimeUnit.SECONDS.toNanos(7));
          rank.signal("CONT");
          return true;
        };
    try (ProofRelay relay = new ProofRelay(id.roots().getFirst(), 52, 80, stop)) {
      UniqueId byRelay = UniqueId.atRank0(List.of(relay.address()), id.secret());
      for (int rank = 0; rank < 3; rank++) {
        processes.add(BootstrapProcess.start(rank == 1 ? byRelay : id, rank, 3, "gather"));
      }
      stopped.complete(processes.get(1));
      for (BootstrapProcess each : processes) {
        assertThat(each.await("warnings ")).isEqualTo("[]");
        each.await("bye");
        assertThat(each.exit()).isZero();
      }
    }
  }

  /** Strangers that take all descriptors of a rank are dropped for the sake of members. */
  @Test
  void rankWithoutDescriptorsGetsThemBack() throws Exception {
    int n = 4;
    UniqueId id = newId();
    for (int rank = 0; rank < n; rank++) {
      List<String> few = List.of("sh", "-c", "ulimit -n 60; exec \"$@\"", "sh");
      processes.add(BootstrapProcess.start(id, rank, n, "crowded", rank == 0 ? few : List.of()));
    }
    Matcher listens =
        Pattern.compile("listens at 127.0.0.1:(\\d+), all")
            .matcher(processes.get(0).await("listens "));
    assertThat(listens.find()).isTrue();
    List<Socket> strangers = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      strangers.add(
          new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(listens.group(1))));
    }
    processes.get(2).go();
    assertThat(processes.get(0).await("received ")).isEqualTo("42");
    assertThat(processes.get(0).await("log "))
        .contains("cannot accept a connection: Too many open");
    processes.get(0).await("bye");
    for (Socket each : strangers) {
      each.close();
    }
  }

  /** A rank that cannot open a socket for a connection names itself, and not the one it wants. */
  @Test
  void aRankWithoutDescriptorsFailsItself() throws Exception {
    UniqueId id = newId();
    for (int rank = 0; rank < 4; rank++) {
      List<String> few = List.of("sh", "-c", "ulimit -n 80; exec \"$@\"", "sh");
      processes.add(BootstrapProcess.start(id, rank, 4, "full", rank == 0 ? few : List.of()));
    }
    for (BootstrapProcess each : processes) {
      assertThat(each.await("error "))
          .startsWith("0 ")
          .contains("no socket for a connection to rank 2", "Too many open files");
    }
  }

  /** The JVM raises the limit of descriptors by itself; where it may not, a warning says so. */
  @Test
  void descriptorLimitIsRaisedOrWarnedAbout() throws Exception {
    String limit = "ulimit -S -n 500; exec \"$@\"";
    for (String option : List.of("-XX:+MaxFDLimit", "-XX:-MaxFDLimit")) {
      UniqueId id = newId();
      List<String> prefix = List.of("env", "JAVA_TOOL_OPTIONS=" + option, "sh", "-c", limit, "sh");
      BootstrapProcess process = BootstrapProcess.start(id, 0, 1, "gather", prefix);
      processes.add(process);
      String warnings = process.await("warnings ");
      if (option.contains("+")) {
        assertThat(warnings).isEqualTo("[]");
      } else {
        assertThat(warnings).contains("may have 500 descriptors although the system allows ");
      }
    }
  }
}
