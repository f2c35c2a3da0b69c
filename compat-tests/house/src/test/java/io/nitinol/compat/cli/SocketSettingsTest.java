// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.netns.BadNetwork;
import io.nitinol.netns.Unavailable;
import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The conformance kit on the TCP plugin with other settings than the defaults, and over a bad
 * network, all at once, since much of a run is waiting. The build takes encryption and the bad
 * network, and the rules that they may break, and has connections that must fail do so sooner.
 * {@code -Pthorough} takes all settings with the usual limit, and all rules with encryption and
 * over the bad network.
 */
@Tag(Thorough.TAG)
@Timeout(1800) // one of the tests may wait for two runs of the kit, one after the other
@Slow
class SocketSettingsTest {
  /** The rules that a bad network or encryption may break. */
  private static final String RULES =
      "NET-CONN-09,NET-CONN-11,NET-SEND-*,NET-RECV-*,NET-TEST-*,NET-CLOSE-02,NET-CLOSE-03,"
          + "NET-CLOSE-04";

  /**
   * Those without NET-SEND-08 and NET-RECV-04, which send a hundred thousand messages and more:
   * over the bad network they take minutes, and encrypted they take half of a run.
   */
  private static final String RULES_OF_FEW_MESSAGES =
      "NET-CONN-09,NET-CONN-11,NET-SEND-01,NET-SEND-02,NET-SEND-03,NET-SEND-04,NET-SEND-05,"
          + "NET-SEND-06,NET-SEND-07,NET-SEND-09,NET-SEND-1*,NET-RECV-01,NET-RECV-02,NET-RECV-03,"
          + "NET-RECV-05,NET-RECV-06,NET-RECV-07,NET-RECV-08,NET-RECV-09,NET-RECV-1*,NET-TEST-*,"
          + "NET-CLOSE-02,NET-CLOSE-03,NET-CLOSE-04";

  /** The rule that encryption breaks. */
  private static final String ALLOCATION = "NET-MEM-03";

  /**
   * With fewer processors encryption is tested behind the other settings, since they would slow
   * each other down too much; a thorough run over the bad network goes on beside it, since it waits
   * most of the time.
   */
  private static final int ALL_AT_ONCE = 4;

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final Duration DELAY = Duration.ofMillis(5);

  private static final List<CommandProcess> RUNNING = new ArrayList<>();
  private static CommandProcess sixteenSockets;
  private static CommandProcess onlyIpv6;
  private static @Nullable CommandProcess encrypted;
  private static @Nullable BadNetwork network;
  private static @Nullable CommandProcess badly;
  private static String noNetwork = "";

  @BeforeAll
  static void start() throws IOException {
    if (Thorough.ON) {
      sixteenSockets =
          start(
              SocketSettingsTest::compiledFully,
              Map.of("NCCL_NSOCKS_PERTHREAD", "4", "NCCL_SOCKET_NTHREADS", "4"),
              "--rule",
              RULES + ",NET-CONN-*,NET-CLOSE-*,NET-MEM-*");
      onlyIpv6 =
          start(
              UnaryOperator.identity(),
              Map.of("NCCL_SOCKET_FAMILY", "AF_INET6"),
              "--rule",
              RULES_OF_FEW_MESSAGES + ",NET-CONN-*,NET-DEV-*");
    }
    if (PROCESSORS >= ALL_AT_ONCE) {
      encrypted = startEncrypted();
    }
    try {
      BadNetwork.Conditions conditions =
          new BadNetwork.Conditions(
              DELAY, 0.01, 0.05, Long.getLong("nitinol.random.seed", System.nanoTime()));
      System.err.println("SocketSettingsTest: a network with " + conditions);
      network = BadNetwork.loop(conditions);
      badly =
          start(
              network.near()::command,
              Map.of(
                  "NCCL_SOCKET_IFNAME", "=" + BadNetwork.DEVICE, "NCCL_SOCKET_FAMILY", "AF_INET"),
              "--rule",
              RULES_OF_FEW_MESSAGES + (Thorough.ON ? ",NET-CONN-*,NET-CLOSE-*,NET-DEV-*" : ""));
    } catch (Unavailable e) {
      noNetwork = "the kit is not run over a bad network: " + e.getMessage();
    }
  }

  private static CommandProcess startEncrypted() throws IOException {
    return start(
        SocketSettingsTest::compiledFully,
        Map.of("NITINOL_SOCKET_TLS", "1"),
        quickly(RULES_OF_FEW_MESSAGES + "," + ALLOCATION));
  }

  /**
   * The processor's instructions for encryption are used by what C2 compiles, and not by C1. And
   * what allocates nothing is measured as users run it.
   */
  private static List<String> compiledFully(List<String> command) {
    return command.stream().filter(each -> !each.startsWith("-XX:TieredStopAtLevel")).toList();
  }

  /** Returns options that keep to some rules, or none in a thorough run. */
  private static String[] quickly(String rules) {
    return Thorough.ON ? new String[0] : new String[] {"--rule", rules};
  }

  private static CommandProcess start(
      UnaryOperator<List<String>> around, Map<String, String> setting, String... options)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("tck", "socket"));
    arguments.addAll(List.of(options));
    Map<String, String> variables = new TreeMap<>(setting);
    if (!Thorough.ON) {
      variables.put("NITINOL_SOCKET_CONNECT_MSEC", "4000");
    }
    CommandProcess command = CommandProcess.startBy(around, variables, arguments);
    RUNNING.add(command);
    return command;
  }

  @AfterAll
  static void end() throws IOException {
    RUNNING.forEach(CommandProcess::close);
    if (network != null) {
      network.close();
    }
  }

  private static void conforms(String name, CommandProcess tck) throws InterruptedException {
    assertThat(tck.exit(CommandProcess.KIT_LIMIT)).as("%s: %s", name, tck).isZero();
    String last = tck.out().lines().reduce("", (before, line) -> line);
    System.err.println("SocketSettingsTest " + name + ": " + last);
    assertThat(last).contains("Socket conforms to the contract");
  }

  @Thorough
  @Test
  void fourSocketsOnEachOfFourThreads() throws Exception {
    conforms("four sockets on each of four threads", sixteenSockets);
  }

  @Thorough
  @Test
  void onlyIpv6() throws Exception {
    conforms("only IPv6", onlyIpv6);
  }

  /**
   * The JDK's TLS allocates for each record, as docs/trust.md says, and so breaks the one rule that
   * forbids it. Should it stop doing so, that note and this exception can go.
   */
  @Test
  void encryptedAllButTheRuleOnAllocation() throws Exception {
    CommandProcess tck = encrypted;
    if (tck == null) {
      for (CommandProcess other : List.copyOf(RUNNING)) {
        if (!Thorough.ON || other != badly) {
          other.exit(CommandProcess.KIT_LIMIT);
        }
      }
      tck = startEncrypted();
    }
    assertThat(tck.exit(CommandProcess.KIT_LIMIT)).as("encrypted: %s", tck).isOne();
    List<String> lines = tck.out().lines().toList();
    System.err.println("SocketSettingsTest encrypted: " + lines.getLast());
    assertThat(lines.stream().filter(line -> line.contains(" is broken: ")))
        .as("encrypted: %s", tck)
        .singleElement()
        .asString()
        .startsWith(ALLOCATION + " ");
    assertThat(lines.getLast()).contains("Socket BREAKS the contract", " 1 broken, 0 blocked,");
  }

  @Test
  void overANetworkThatDelaysLosesAndReorders() throws Exception {
    if (network == null || badly == null) {
      System.err.println(noNetwork);
      abort(noNetwork);
      return;
    }
    conforms("a bad network", badly);
    String counts = network.end();
    System.err.println("SocketSettingsTest: " + counts);
    assertThat(counts).startsWith("packets ").doesNotContain(" lost 0 ");
  }
}
