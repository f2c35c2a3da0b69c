// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The command on the InfiniBand plugin and two devices: the conformance kit from a device to itself
 * and to the other one, with one queue pair and with four, and with large and small packets; and
 * all-reduces of several processes. An emulated processor needs minutes for the kit, so the build
 * looks at some rules only and at two of the eight ways; all are had with {@code
 * -Dnitinol.tck.settings=all}.
 */
@Timeout(2400)
class IbTest {
  private static final boolean ALL = System.getProperty("nitinol.tck.settings", "").equals("all");
  private static final Duration LIMIT = Duration.ofSeconds(ALL ? 2300 : 420);
  private static final Duration COMMAND_LIMIT = Duration.ofSeconds(ALL ? 400 : 150);
  private static final Duration SHORT = Duration.ofSeconds(60);

  private static final int LARGE = 4200; // bytes of an Ethernet packet, around 4096 of data
  private static final int SMALL = 1500; // around 1024

  private static final String SOME =
      "NET-CONN-09,NET-SEND-04,NET-SEND-10,NET-RECV-0*,NET-TEST-0*,NET-CLOSE-01";

  private static final Pattern KEPT = Pattern.compile("IB conforms to the contract: (\\d+) rules");
  private static final int FEWEST = ALL ? 60 : 10;

  private static GuestRun run;

  /** One way to run the kit. */
  private record Way(boolean across, int pairs, int mtu) {
    String name() {
      return "kit-" + (across ? "rxe0-rxe1" : "rxe0-rxe0") + "-" + pairs + "qp-mtu" + mtu;
    }

    GuestCommand kit() {
      List<String> arguments = new ArrayList<>(List.of("tck", "ib"));
      if (across) {
        arguments.addAll(List.of("--to-device", "1"));
      }
      if (!ALL) {
        arguments.addAll(List.of("--rule", SOME));
      }
      Map<String, String> variables = new TreeMap<>();
      variables.put("NCCL_IB_HCA", across ? "=rxe0,rxe1" : "=rxe0");
      variables.put("NCCL_IB_QPS_PER_CONNECTION", Integer.toString(pairs));
      variables.put("NCCL_IB_SPLIT_DATA_ON_QPS", pairs > 1 ? "1" : "0");
      return command(name(), COMMAND_LIMIT, variables, arguments.toArray(String[]::new));
    }
  }

  private static GuestCommand command(
      String name, Duration limit, Map<String, String> variables, String... arguments) {
    Map<String, String> all = new TreeMap<>(variables);
    all.put("NCCL_SOCKET_IFNAME", "=lo");
    return NitinolCommand.of(name, limit, all, arguments);
  }

  private static List<Way> ways() {
    if (!ALL) {
      return List.of(new Way(true, 4, LARGE), new Way(false, 1, SMALL));
    }
    List<Way> ways = new ArrayList<>();
    for (int mtu : new int[] {LARGE, SMALL}) {
      for (boolean across : new boolean[] {false, true}) {
        ways.add(new Way(across, 1, mtu));
        ways.add(new Way(across, 4, mtu));
      }
    }
    return ways;
  }

  @BeforeAll
  @Timeout(2400)
  static void runAll() throws Exception {
    List<GuestCommand> commands = new ArrayList<>();
    for (int ranks : new int[] {2, 4}) {
      Map<String, String> variables =
          Map.of("NCCL_NET", "IB", "NCCL_SHM_DISABLE", "1", "NCCL_P2P_DISABLE", "1");
      commands.add(
          command("perf-" + ranks, COMMAND_LIMIT, variables, perf(ranks).toArray(String[]::new)));
    }
    int mtu = LARGE;
    for (Way way : ways()) {
      if (way.mtu() != mtu) {
        mtu = way.mtu();
        String set = "for each in veth0 veth1; do ip link set $each mtu %d; done".formatted(mtu);
        commands.add(new GuestCommand("mtu" + mtu, SHORT, "sh", "-ec", set));
      }
      commands.add(way.kit());
    }
    run = Guests.runWithoutCrash(IbTest.class, "ib", LARGE, LIMIT, commands);
  }

  private static List<String> perf(int ranks) {
    List<String> words = new ArrayList<>(List.of("perf", "all_reduce"));
    words.addAll(List.of("-n", Integer.toString(ranks), "-t", "all"));
    // Four that spin on two processors take long.
    words.addAll(List.of("-b", ranks > 2 && !ALL ? "64K" : "8"));
    words.addAll(List.of("-e", ALL ? "1M" : "64K", "-f", ALL ? "8" : "8192"));
    words.addAll(List.of("--iters", "1", "-w", "0"));
    return words;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void allReduceOfAllTypes(int ranks) throws Exception {
    GuestResult perf = run.result("perf-" + ranks);
    System.err.printf("IbTest: perf -n %d: %.1f s%n", ranks, perf.seconds());
    assertThat(perf).returns(0, GuestResult::status);
    assertThat(perf.out())
        .contains("Using network IB")
        .containsPattern("Out of bounds values : 0 OK");
  }

  @Test
  void thePluginConforms() throws Exception {
    for (Way way : ways()) {
      GuestResult kit = run.result(way.name());
      System.err.printf("IbTest: %s, %.1f s: %s%n", way.name(), kit.seconds(), kit.last());
      assertThat(kit).as(way.name()).returns(0, GuestResult::status);
      Matcher kept = KEPT.matcher(kit.last());
      assertThat(kept.find()).as("%s: %s", way.name(), kit).isTrue();
      assertThat(Integer.parseInt(kept.group(1)))
          .as("%s: %s", way.name(), kit)
          .isGreaterThanOrEqualTo(FEWEST);
    }
  }
}
