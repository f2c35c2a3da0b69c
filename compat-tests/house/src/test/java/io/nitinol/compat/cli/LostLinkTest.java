// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.compat.comm.RankProcesses;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.log.Log;
import io.nitinol.netns.Fabric;
import io.nitinol.netns.Namespace;
import io.nitinol.netns.Unavailable;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three ranks on three hosts, of which two lose everything that they send each other: {@code
 * diagnose}, by the ranks' files, and {@code top} name the call and that link.
 */
class LostLinkTest {
  private static final long POLL_MILLIS = 100;

  /** How long the sentence may take to come alone, on a host with other work. */
  private static final long MOST_SECONDS = 120;

  /** What a look says as well while a rank has not answered in time, or stands only just. */
  private static final List<String> PASSING =
      List.of("not answer", "missing", "older than", "behind", "circle");

  /** A hardware address that no host has, so that the switch's frames to it get lost. */
  private static final String NOBODY = "02:00:00:00:00:01";

  @TempDir private Path directory;

  private Map<String, String> variables(int rank, String algorithm) {
    Map<String, String> variables = new HashMap<>();
    variables.put("NCCL_SOCKET_IFNAME", "=" + Fabric.DEVICE);
    variables.put("NCCL_HOSTID", "host" + rank);
    variables.put("NCCL_ALGO", algorithm);
    variables.put("NCCL_MAX_NCHANNELS", "1");
    variables.put("NITINOL_TIMEOUT", "0");
    variables.put("XDG_RUNTIME_DIR", directory.toString());
    variables.put("NITINOL_FLIGHT_RECORDER_FILE", directory.resolve("flight-%r.%c").toString());
    variables.put("NITINOL_FLIGHT_RECORDER_TRIGGER", directory.resolve("write").toString());
    return variables;
  }

  /** Has two hosts send each other nothing any more; each goes on sending without an error. */
  private static void lose(Fabric fabric, int one, int other) throws IOException {
    List<Namespace> hosts = fabric.hosts();
    for (int[] way : new int[][] {{one, other}, {other, one}}) {
      hosts
          .get(way[0])
          .run(
              "ip neigh replace %s lladdr %s nud permanent dev %s"
                  .formatted(fabric.address(hosts.get(way[1])), NOBODY, Fabric.DEVICE));
    }
  }

  private static String nitinol(Map<String, String> variables, List<String> words)
      throws Exception {
    try (CommandProcess command = CommandProcess.start(variables, words.toArray(String[]::new))) {
      assertThat(command.exit()).as("%s", command).isZero();
      return command.out();
    }
  }

  private String top() throws Exception {
    Map<String, String> variables =
        Map.of(
            "XDG_RUNTIME_DIR", directory.toString(), "JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=/proc");
    return nitinol(variables, List.of("top", "--once", "--interval", "0.2"));
  }

  /** Asks for the files and diagnoses them; says nothing while there is none of each rank. */
  private String diagnose() throws Exception {
    Files.writeString(directory.resolve("write"), "touched at " + System.nanoTime());
    TimeUnit.MILLISECONDS.sleep(POLL_MILLIS); // between two looks, as the ranks have theirs
    List<String> words = new ArrayList<>(List.of("diagnose"));
    try (Stream<Path> files = Files.list(directory)) {
      files.map(Path::toString).filter(file -> file.contains("/flight-")).forEach(words::add);
    }
    return words.size() == 4 ? nitinol(Map.of(), words) : "";
  }

  /** Looks again and again, until a look names a link and nothing that passes by itself. */
  private static String settled(Callable<String> look) throws Exception {
    long begin = System.nanoTime();
    String said = "";
    while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(MOST_SECONDS)) {
      said = look.call();
      if (said.contains("loses what") && PASSING.stream().noneMatch(said::contains)) {
        return said;
      }
    }
    throw new AssertionError(
        "no look of %d s named a link and none of %s; the last one:\n%s"
            .formatted(MOST_SECONDS, PASSING, said));
  }

  private static void requireLink(String said, String algorithm) {
    String call = "in operation 2, all_reduce of 16 float sum, by " + algorithm + "/SIMPLE on 1 ";
    assertThat(said)
        .containsPattern(
            "Rank 2 waits for rank 1 over NET/Socket: a message from rank 1 on channel 0, step .* "
                + call)
        .contains(
            "Rank 1 has sent 2 message(s) to rank 2 over NET/Socket, channel 0 (collective), and 1"
                + " have arrived: the link from rank 1 to rank 2 loses what it is given")
        .doesNotContain("between rank 0", "from rank 0 to", "to rank 0 loses", "disagree");
  }

  /**
   * In a ring all three ranks wait in a circle, so that only what they count tells which link it
   * is. In the tree rank 0 is a root whose link is sound.
   */
  @ParameterizedTest
  @ValueSource(strings = {"RING", "TREE"})
  @QuickRows(1)
  @Slow
  void aLinkOfThreeIsNamed(String algorithm) throws Exception {
    try (Fabric fabric = Fabric.open(1, 3)) {
      Map<String, String> root =
          Map.of("NCCL_COMM_ID", fabric.address(fabric.hosts().getFirst()) + ":4711");
      try (RankProcesses ranks =
          RankProcesses.of(
              DiagnosedRank.class,
              3,
              UniqueId.create(Settings.of(root), Log.process()),
              (rank, command) -> fabric.hosts().get(rank).command(command),
              rank -> variables(rank, algorithm),
              "same")) {
        for (int rank = 0; rank < 3; rank++) {
          ranks.await(rank, "ready");
        }
        lose(fabric, 1, 2);
        for (int rank = 0; rank < 3; rank++) {
          ranks.tell(rank);
        }
        String live = settled(this::top);
        requireLink(live, algorithm);
        assertThat(live)
            .containsPattern(
                "\n  2 +\\S+ +" + ranks.pid(2) + " +1 .* [\\d.]+ s  rank 1 over NET/Socket");
        requireLink(settled(this::diagnose), algorithm);
      }
    } catch (Unavailable e) {
      System.err.println("LostLinkTest: no hosts with a link to lose: " + e.getMessage());
      abort(e.getMessage());
    }
  }
}
