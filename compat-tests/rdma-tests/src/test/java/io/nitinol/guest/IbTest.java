// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The command on the InfiniBand plugin and two devices. It runs the conformance kit from a device
 * to itself and to the other one, with one queue pair and with four, with large and small packets.
 * It also runs all-reduces of several processes, and reductions in the network whose bytes the
 * plugin carries. An emulated processor needs minutes for the kit. So {@code verify} runs
 * all-reduces of two types and no kit, {@code -Pslow} tests some rules in one of the eight ways,
 * and {@code -Pthorough} runs the rules of a network in another, but for those that take long.
 * There, {@code -Dnitinol.guest.ways} chooses others by a regular expression, which is matched
 * against names such as {@code kit-rxe0-rxe1-4qp-mtu1500} and {@code perf}; a point matches all.
 */
@Tag(Thorough.TAG)
@Timeout(8 * 1000)
class IbTest {
  private static final boolean ALL = Thorough.ON;

  /**
   * What the kit's way has not, one queue pair and large packets, the other two have. A way takes
   * minutes, so the other seven run on demand.
   */
  private static final String ONE_WAY = "perf|switch|kit-rxe0-rxe1-4qp-mtu1500";

  private static final Pattern WAYS =
      Pattern.compile(
          System.getProperty("nitinol.guest.ways", ALL ? ONE_WAY : Slow.ON ? "" : "perf"));

  /** Several times what an idle machine takes: other modules' tests run beside the guest. */
  private static final Duration COMMAND_LIMIT = Duration.ofSeconds(ALL ? 2_400 : 600);

  /** Two of them may share a guest. */
  private static final Duration LIMIT = COMMAND_LIMIT.multipliedBy(2).plusSeconds(600);

  private static final Duration SHORT = Duration.ofSeconds(60);

  private static final int LARGE = 4200; // bytes of an Ethernet packet, around 4096 of data
  private static final int SMALL = 1500; // around 1024

  private static final String SOME =
      "NET-CONN-09,NET-SEND-04,NET-SEND-1*,NET-RECV-0*,NET-RECV-18,NET-TEST-0*,NET-CLOSE-01,"
          + "NET-REG-14,NET-INIT-08,NET-INIT-09,NET-INIT-1*,NET-OPT-*,NET-VDEV-*";

  /**
   * Each makes hundreds of connections, contexts or processes, or waits for attempts that come to
   * nothing, or sends a hundred thousand messages: together they took two thirds of the kit's time
   * on emulated processors. The kit on the host asks them of the other plugins, and {@code
   * -Dnitinol.thorough.all=true} here.
   */
  private static final Set<String> LONG =
      Boolean.getBoolean("nitinol.thorough.all")
          ? Set.of()
          : Set.of(
              "NET-CLOSE-08",
              "NET-CLOSE-09",
              "NET-CONN-15",
              "NET-CONN-19",
              "NET-DEV-09",
              "NET-INIT-02",
              "NET-INIT-04",
              "NET-INIT-07",
              "NET-MEM-04",
              "NET-RECV-04");

  /**
   * What the carrier of a reduction may break. COLL-03, COLL-04 and NET-CLOSE-08 start and end many
   * processes and groups, which took half of the run; the kit on the host asks them. COLL-01,
   * COLL-06 and COLL-08 bind the caller, so the kit has no tests of them.
   */
  private static final String REDUCTIONS = "COLL-02,COLL-05,COLL-07,COLL-09,COLL-1*,COLL-2*";

  private static final Pattern KEPT =
      Pattern.compile("(?:IB|Switch) conforms to the contract: (\\d+) rules");
  private static final int FEWEST = ALL ? 60 : 10;

  /** Of each command, by its name. */
  private static final Map<String, GuestRun> RUNS = new TreeMap<>();

  /** One way to run the kit. */
  private record Way(boolean across, int pairs, int mtu) {
    @Override
    public String toString() {
      return "kit-" + (across ? "rxe0-rxe1" : "rxe0-rxe0") + "-" + pairs + "qp-mtu" + mtu;
    }

    GuestCommand kit() {
      // Several JVMs start at once on two emulated processors: a first connect took 5 s there.
      List<String> arguments = new ArrayList<>(List.of("tck", "ib", "--patience", "40"));
      if (across) {
        arguments.addAll(List.of("--to-device", "1"));
      }
      arguments.add("--rule");
      arguments.add(ALL ? String.join(",", Guests.rules(LONG::contains)) : SOME);
      Map<String, String> variables = new TreeMap<>();
      variables.put("NCCL_IB_HCA", across ? "=rxe0,rxe1" : "=rxe0");
      variables.put("NCCL_IB_QPS_PER_CONNECTION", Integer.toString(pairs));
      variables.put("NCCL_IB_SPLIT_DATA_ON_QPS", pairs > 1 ? "1" : "0");
      return command(toString(), COMMAND_LIMIT, variables, arguments.toArray(String[]::new));
    }
  }

  private static GuestCommand command(
      String name, Duration limit, Map<String, String> variables, String... arguments) {
    Map<String, String> all = new TreeMap<>(variables);
    all.put("NCCL_SOCKET_IFNAME", "=lo");
    return NitinolCommand.of(name, limit, all, arguments);
  }

  private static List<Way> allWays() {
    List<Way> ways = new ArrayList<>();
    for (int mtu : new int[] {LARGE, SMALL}) {
      for (boolean across : new boolean[] {false, true}) {
        ways.add(new Way(across, 1, mtu));
        ways.add(new Way(across, 4, mtu));
      }
    }
    return ways;
  }

  private static List<Way> ways() {
    List<Way> ways = ALL ? allWays() : List.of(new Way(true, 4, LARGE));
    return ways.stream().filter(way -> isWanted(way.toString())).toList();
  }

  private static boolean isWanted(String name) {
    return WAYS.matcher(name).find();
  }

  /**
   * Runs everything in one guest, or, for the whole kit, a guest for each way, since it takes so
   * long.
   */
  @BeforeAll
  @Timeout(8 * 1000)
  static void runAll() throws Exception {
    List<GuestCommand> commands = new ArrayList<>();
    if (isWanted("perf")) {
      Map<String, String> variables =
          Map.of(
              "NCCL_NET",
              "IB",
              "NCCL_SHM_DISABLE",
              "1",
              "NCCL_P2P_DISABLE",
              "1",
              // Four JVMs start on two emulated processors, and the host may be busy as well.
              "NITINOL_IB_CONNECT_MSEC",
              "600000",
              "NITINOL_BOOTSTRAP_TIMEOUT",
              "600");
      commands.add(
          command("perf", COMMAND_LIMIT, variables, perf(ALL ? 4 : 2).toArray(String[]::new)));
    }
    if (ALL && isWanted("switch")) {
      Map<String, String> variables = Map.of("NITINOL_COLLNET_NET", "IB", "NCCL_IB_HCA", "=rxe0");
      commands.add(
          command(
              "switch",
              COMMAND_LIMIT,
              variables,
              "tck",
              "switch",
              "--patience",
              "40",
              "--rule",
              REDUCTIONS));
    }
    int mtu = LARGE;
    for (Way way : ways()) {
      if (ALL) {
        run(commands);
        mtu = LARGE;
      }
      if (way.mtu() != mtu) {
        mtu = way.mtu();
        String set = "for each in veth0 veth1; do ip link set $each mtu %d; done".formatted(mtu);
        commands.add(new GuestCommand("mtu" + mtu, SHORT, "sh", "-ec", set));
      }
      commands.add(way.kit());
    }
    run(commands);
  }

  /** Prints one table for all ways, those of earlier runs included. */
  @AfterAll
  static void print() throws IOException {
    if (ALL) {
      List<String> names = allWays().stream().map(Way::toString).toList();
      KitTable.lines(Guests.directory(IbTest.class), names)
          .forEach(line -> System.err.printf("IbTest: %s%n", line));
    }
  }

  private static void run(List<GuestCommand> commands) throws Exception {
    if (!commands.isEmpty()) {
      String name = ALL ? commands.getLast().name() : "ib";
      List<GuestCommand> all = List.copyOf(commands);
      GuestRun run =
          ALL
              ? Guests.runKit(IbTest.class, name, LARGE, LIMIT, all)
              : Guests.run(IbTest.class, name, LARGE, LIMIT, all);
      commands.forEach(command -> RUNS.put(command.name(), run));
      commands.clear();
    }
  }

  private static GuestResult result(String command) throws IOException {
    GuestRun run = RUNS.get(command);
    assumeTrue(run != null, () -> command + " is not among " + WAYS);
    return Guests.withoutCrash(run).result(command);
  }

  private static List<String> perf(int ranks) {
    List<String> words = new ArrayList<>(List.of("perf", "all_reduce"));
    words.addAll(List.of("-n", Integer.toString(ranks)));
    words.addAll(
        ALL ? List.of("-t", "half", "-t", "uint64") : List.of("-t", "int8", "-t", "double"));
    words.addAll(List.of("-b", "8"));
    words.addAll(List.of("-e", ALL ? "512K" : "64K", "-f", ALL ? "256" : "8192"));
    words.addAll(List.of("--iters", "1", "-w", "0"));
    return words;
  }

  @Test
  void allReducesAreRight() throws Exception {
    GuestResult perf = result("perf");
    System.err.printf("IbTest: perf: %.1f s%n", perf.seconds());
    assertThat(perf).returns(0, GuestResult::status);
    assertThat(perf.out())
        .contains("Using network IB")
        .containsPattern("Out of bounds values : 0 OK");
  }

  @Slow
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("ways")
  void thePluginConforms(Way way) throws Exception {
    GuestResult kit = result(way.toString());
    System.err.printf("IbTest: %s, %.1f s: %s%n", way, kit.seconds(), kit.last());
    assertThat(kit).as("%s: %s", way, kit.out()).returns(0, GuestResult::status);
    Matcher kept = KEPT.matcher(kit.last());
    assertThat(kept.find()).as("%s: %s", way, kit).isTrue();
    assertThat(Integer.parseInt(kept.group(1)))
        .as("%s: %s", way, kit)
        .isGreaterThanOrEqualTo(FEWEST);
  }

  @Thorough
  @Test
  void switchesReduceWhatThePluginCarries() throws Exception {
    GuestResult kit = result("switch");
    System.err.printf("IbTest: switch, %.1f s: %s%n", kit.seconds(), kit.last());
    assertThat(kit).as("%s", kit.out()).returns(0, GuestResult::status);
    Matcher kept = KEPT.matcher(kit.last());
    assertThat(kept.find()).as("%s", kit).isTrue();
    assertThat(Integer.parseInt(kept.group(1))).isGreaterThanOrEqualTo(7);
  }
}
