// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.netns.Unavailable;
import io.nitinol.netns.Veth;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code perf --server} and {@code perf --connect}: two processes that no launcher has started. */
class HostPairTest {
  private static final Pattern INVITATION =
      Pattern.compile("  (?:NITINOL_COMM_SECRET=(\\S+) )?nitinol (perf \\S+ --connect (\\S+))\n");

  private static final String LIMIT = "NITINOL_BOOTSTRAP_TIMEOUT";

  /** What a server shows for the other host. */
  private record Invitation(String secret, String words, String place) {
    static Invitation of(CommandProcess server) {
      server.awaitErrorLine(" --connect ");
      Matcher matcher = INVITATION.matcher(server.err());
      assertThat(matcher.find()).as(server.err()).isTrue();
      return new Invitation(
          matcher.group(1) == null ? "" : matcher.group(1), matcher.group(2), matcher.group(3));
    }

    CommandProcess follow(String more) throws IOException {
      return follow(UnaryOperator.identity(), Map.of(), more);
    }

    CommandProcess follow(
        UnaryOperator<List<String>> around, Map<String, String> variables, String more)
        throws IOException {
      Map<String, String> all = new HashMap<>(variables);
      all.putIfAbsent("NITINOL_COMM_SECRET", secret);
      return CommandProcess.startBy(around, all, arguments(words + " " + more));
    }
  }

  /** What the client asks for is measured by both, and both show it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sendrecv -b 8 -e 1K -f 4 -w 1 --iters 3",
        "all_reduce -t double -o max -b 64 -e 64 -w 1 --iters 3 -z -c 2 --min-bandwidth 1e-9",
        "sendrecv --rate --bidirectional --window 5 -b 8 -e 8 -w 1 --iters 3",
        "sendrecv --pairs --window 5 -b 8 -w 1 --iters 3",
        "broadcast -r 1 --interval 0.1 --seconds 0.1 -w 1",
        "alltoallv --spread 0.5 -b 64 -e 64 -w 1 --iters 3"
      })
  @QuickRows({2, 5})
  @FirstRows(2)
  void theClientSaysWhatBothMeasure(String words, @TempDir Path directory) throws Exception {
    String op = words.substring(0, words.indexOf(' '));
    Path json = directory.resolve("client.json");
    // The server's own goal would fail the run, if it counted; and a misspelt name is told.
    Map<String, String> of = Map.of("NCCL_TESTS_MIN_BW", "1e9", "NCCL_SOCKET_IFNAM", "eth9");
    try (CommandProcess server = CommandProcess.start(of, "perf", op, "--server", "0")) {
      Invitation invitation = Invitation.of(server);
      assertThat(server.err()).contains("NCCL_SOCKET_IFNAM");
      String more = words.substring(op.length());
      try (CommandProcess client = invitation.follow(more + " --json " + json)) {
        assertThat(client.exit()).as("%s%n%s", client, server).isZero();
        assertThat(server.exit()).as("%s%n%s", client, server).isZero();
        assertThat(client.rows()).isNotEmpty().isEqualTo(server.rows());
        assertThat(client.out()).contains("# Out of bounds values : 0 OK", "#  Rank  1 ");
        assertThat(client.toString()).doesNotContain(invitation.secret());
        assertThat(server.out()).doesNotContain(invitation.secret());
      }
      assertThat(Files.readString(json)).contains("--connect").doesNotContain(invitation.secret());
    }
  }

  @Test
  @Slow
  void theSecretOfTheEnvironmentIsNotShown() throws Exception {
    Map<String, String> secret = Map.of("NITINOL_COMM_SECRET", "of both hosts");
    try (CommandProcess server =
        CommandProcess.start(secret, "perf", "all_gather", "--server", "0")) {
      Invitation invitation = Invitation.of(server);
      assertThat(invitation.secret()).isEmpty();
      assertThat(server.err()).contains("NITINOL_COMM_SECRET").doesNotContain("of both hosts");
      try (CommandProcess client =
          invitation.follow(UnaryOperator.identity(), secret, "-e 8 -w 1 --iters 2")) {
        assertThat(client.exit()).as("%s%n%s", client, server).isZero();
        assertThat(server.exit()).isZero();
      }
    }
  }

  /** Neither silence, nor garbage, nor a client with another secret. */
  @Test
  @Slow
  void noStrangerKeepsTheServerFromItsClient() throws Exception {
    try (CommandProcess server = CommandProcess.start("perf", "sendrecv", "--server", "0")) {
      Invitation invitation = Invitation.of(server);
      int port = Integer.parseInt(invitation.place().replaceFirst(".*:", ""));
      List<Socket> strangers = new ArrayList<>();
      try {
        for (int i = 0; i < 20; i++) {
          Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port);
          strangers.add(stranger);
          stranger
              .getOutputStream()
              .write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII), 0, i % 17);
        }
        Map<String, String> wrong = Map.of("NITINOL_COMM_SECRET", "a guess", LIMIT, "5");
        try (CommandProcess guess = invitation.follow(UnaryOperator.identity(), wrong, "-e 8")) {
          assertThat(guess.exit()).as("%s", guess).isEqualTo(3);
          assertThat(guess.err()).contains("secret", "NITINOL_COMM_SECRET", invitation.place());
          assertThat(guess.out()).isEmpty();
        }
        try (CommandProcess client = invitation.follow("-e 8 -w 1 --iters 2")) {
          assertThat(client.exit()).as("%s%n%s", client, server).isZero();
          assertThat(server.exit()).as("%s", server).isZero();
        }
      } finally {
        for (Socket stranger : strangers) {
          stranger.close();
        }
      }
    }
  }

  @Test
  @Slow
  void aClientMayComeBeforeTheServer() throws Exception {
    Map<String, String> secret = Map.of("NITINOL_COMM_SECRET", "of both hosts");
    int port = FreePort.find();
    List<String> words =
        List.of("perf", "sendrecv", "--connect", "localhost:" + port, "-e", "8", "-w", "1");
    try (CommandProcess client = CommandProcess.start(secret, words.toArray(String[]::new));
        CommandProcess server =
            CommandProcess.start(secret, "perf", "sendrecv", "--server", "" + port)) {
      assertThat(client.exit()).as("%s%n%s", client, server).isZero();
      assertThat(server.exit()).as("%s%n%s", client, server).isZero();
    }
  }

  /** Or at another port, or too late: no process waits for ever. */
  @Test
  void eachEndsByItselfWhereTheOtherOneDoesNotCome() throws Exception {
    Map<String, String> variables = Map.of("NITINOL_COMM_SECRET", "of both hosts", LIMIT, "3");
    String place = "127.0.0.1:" + FreePort.find();
    try (CommandProcess client =
            CommandProcess.start(variables, "perf", "sendrecv", "--connect", place);
        CommandProcess server =
            CommandProcess.start(variables, "perf", "sendrecv", "--server", "0")) {
      assertThat(client.exit()).as("%s", client).isEqualTo(3);
      assertThat(client.err())
          .contains(place)
          .containsPattern("(?i)refused.*; is perf --server running there");
      assertThat(server.exit()).as("%s", server).isEqualTo(3);
      assertThat(server.err()).contains("did not come within 3 s");
    }
  }

  @ParameterizedTest
  @CsvSource({"true, server", "false, client"})
  @FirstRows(1)
  void theEndOfOneEndsTheOther(boolean serverDies, String name) throws Exception {
    try (CommandProcess server = CommandProcess.start("perf", "sendrecv", "--server", "0")) {
      try (CommandProcess client = Invitation.of(server).follow("--interval 0.1 --seconds 600")) {
        CommandProcess dies = serverDies ? server : client;
        CommandProcess stays = serverDies ? client : server;
        stays.awaitLine("^ +0\\.00-");
        dies.kill();
        assertThat(stays.exit()).as("%s%n%s", stays, dies).isEqualTo(4);
        assertThat(stays.err()).contains("the " + name + " has failed: ");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "all_reduce -e 8, 'the client measures all_reduce, and this server sendrecv'",
    "sendrecv --device none-such, none-such"
  })
  @FirstRows(1)
  void whatTheServerCannotDoIsToldToBoth(String words, String why) throws Exception {
    try (CommandProcess server = CommandProcess.start("perf", "sendrecv", "--server", "0")) {
      Invitation invitation = Invitation.of(server);
      Map<String, String> secret = Map.of("NITINOL_COMM_SECRET", invitation.secret());
      try (CommandProcess client =
          CommandProcess.startBy(
              UnaryOperator.identity(),
              secret,
              arguments("perf " + words + " --connect " + invitation.place() + " --iters 2"))) {
        assertThat(client.exit()).as("%s%n%s", client, server).isEqualTo(2);
        assertThat(client.err()).contains(why);
        if (words.startsWith("all_reduce")) { // otherwise the client does not even come
          assertThat(client.err()).contains("the server refuses: ");
          assertThat(server.exit()).as("%s", server).isEqualTo(2);
          assertThat(server.err()).contains("what the client asks for is refused: " + why);
        }
      }
    }
  }

  /** IPv6 on one host, where it has it. */
  @Test
  @Slow
  void theyMeetByAnAddressOfIpv6() throws Exception {
    if (!Files.readString(Path.of("/proc/net/if_inet6")).contains(" lo")) {
      abort("lo has no address of IPv6");
    }
    Map<String, String> variables = Map.of("NCCL_SOCKET_FAMILY", "AF_INET6");
    try (CommandProcess server =
        CommandProcess.start(variables, "perf", "sendrecv", "--server", "0")) {
      Invitation invitation = Invitation.of(server);
      assertThat(invitation.place()).startsWith("[");
      try (CommandProcess client =
          invitation.follow(UnaryOperator.identity(), variables, "-e 8 -w 1 --iters 2")) {
        assertThat(client.exit()).as("%s%n%s", client, server).isZero();
        assertThat(server.exit()).isZero();
      }
    }
  }

  /** Two hosts with a cable between them, each with its own loopback interface. */
  @ParameterizedTest
  @ValueSource(strings = {"AF_INET", "AF_INET6"})
  @QuickRows(1)
  void twoHostsMeetOverACable(String family) throws Exception {
    try (Veth hosts = Veth.open()) {
      hosts.near().run("ip addr add fd98::1/64 dev eth0 nodad");
      hosts.far().run("ip addr add fd98::2/64 dev eth0 nodad");
      try (CommandProcess server =
          CommandProcess.startBy(
              hosts.near()::command, onHost(family, "near"), arguments("perf sendrecv --server"))) {
        Invitation invitation = Invitation.of(server);
        assertThat(invitation.place()).endsWith(":29512");
        try (CommandProcess client =
            invitation.follow(
                hosts.far()::command, onHost(family, "far"), "-b 8 -e 64K -f 16 -w 1 --iters 2")) {
          assertThat(client.exit()).as("%s%n%s", client, server).isZero();
          assertThat(server.exit()).as("%s", server).isZero();
          assertThat(client.rows()).hasSize(4).isEqualTo(server.rows());
          assertThat(client.out()).contains("2 ranks, NET/Socket");
        }
      }
    } catch (Unavailable e) {
      System.err.println("HostPairTest: no two hosts: " + e.getMessage());
      abort(e.getMessage());
    }
  }

  private static Map<String, String> onHost(String family, String name) {
    return Map.ofEntries(
        Map.entry("NCCL_SOCKET_IFNAME", "eth0"),
        Map.entry("NCCL_SOCKET_FAMILY", family),
        Map.entry("NCCL_HOSTID", name),
        Map.entry("NCCL_P2P_DISABLE", "1"),
        Map.entry("NCCL_SHM_DISABLE", "1"));
  }

  private static List<String> arguments(String words) {
    return List.of(words.strip().split(" +", -1));
  }
}
