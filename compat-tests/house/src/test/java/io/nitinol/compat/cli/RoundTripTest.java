// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The conformance kit through both crossings: a network of Nitinol, exported by {@code
 * libnccl-net-nitinol.so}, which the kit loads as a native plugin. The build takes some versions
 * and the rules that the crossing may break, in the newest also those about the death of a peer.
 * {@code -Pthorough} takes every rule in the newest version. In each other one it takes the rules
 * that the crossing may break, for the networks that reduce in turn, and those of {@link #DEAR} in
 * three. {@code -Dnitinol.thorough.all=true} takes all rules that the crossing may break in all
 * versions of all networks.
 */
@Tag(Thorough.TAG)
@Timeout(900)
@Slow
class RoundTripTest {
  private static final Path LIBRARY =
      Path.of(System.getProperty("nitinol.root"), "net-native/target/nccl/libnccl-net-nitinol.so");

  /** The rules that the crossing may break: structs, handles, pointers, sizes, requests, errors. */
  private static final String RULES =
      "NET-INIT-*,NET-DEV-*,NET-OPT-*,NET-CONN-03,NET-CONN-06,NET-REG-*,NET-SEND-*,NET-RECV-*,"
          + "NET-TEST-*,NET-FLUSH-*,NET-CLOSE-02,NET-CLOSE-03,NET-CLOSE-04,NET-CLOSE-05,"
          + "NET-CLOSE-06,NET-V4-01,NET-V4-03,NET-V4-05,NET-V4-06,NET-ERR-02,NET-ERR-05,"
          + "NET-MEM-03";

  /**
   * Those of {@link #RULES} whose tests take the most processor time, since they send many messages
   * or large ones. Lengths are ints up to version 8 and longs from version 9 on.
   */
  private static final Set<String> DEAR =
      Set.of(
          "NET-SEND-08", "NET-RECV-04", "NET-RECV-11", "NET-TEST-05", "NET-CLOSE-03", "NET-MEM-03");

  /** Those about the death of a peer, and about what is left behind; asked in one version. */
  private static final String FAULTS = "NET-ERR-*,NET-MEM-*,NET-CLOSE-08";

  /** The rules of reductions that the crossing may break. */
  private static final String REDUCTIONS =
      "COLL-02,COLL-03,COLL-07,COLL-09,COLL-1*,COLL-20,COLL-21,COLL-22,COLL-23,COLL-24,COLL-25,"
          + "COLL-26,COLL-28";

  private static final String NETS =
      "net v4,net v4->v12,net v5,net v5->v12,net v6,net v7,net v8,net v9,net v10,net v11";

  private static final String COLLNETS =
      "collnet v5,collnet v5->v12,collnet v6,collnet v7,collnet v8,collnet v9,collnet v10,"
          + "collnet v11";

  private static final boolean ALL = Thorough.ON && Boolean.getBoolean("nitinol.thorough.all");

  private static final List<CommandProcess> RUNNING = new ArrayList<>();
  private static List<CommandProcess> socket = List.of();
  private static List<CommandProcess> memory = List.of();
  private static List<CommandProcess> switches = List.of();

  @BeforeAll
  static void start() throws IOException {
    assumeTrue(
        Files.exists(LIBRARY), LIBRARY + " was not built: there is no C compiler, see the build");
    Map<String, String> plugin = Map.of("NITINOL_NET", "Socket");
    Map<String, String> reduces =
        Map.of(
            "NITINOL_NET",
            "SampleMemory",
            "NITINOL_PLUGIN_PATH",
            Stream.of(System.getProperty("nitinol.samples.path").split(":", -1))
                .filter(path -> path.contains("net-memory"))
                .findFirst()
                .orElseThrow());
    Map<String, String> inNetwork = Map.of("NITINOL_NET", "Socket", "NITINOL_COLLNET", "Switch");
    if (ALL) {
      socket = List.of(wholly(plugin, "net v12,collnet v12"), middle(plugin, NETS, RULES));
      memory = List.of(wholly(reduces, "collnet v12"), middle(reduces, COLLNETS, REDUCTIONS));
      switches =
          List.of(
              wholly(inNetwork, "collnet v12"),
              middle(inNetwork, "collnet v4," + COLLNETS, REDUCTIONS + ",COLL-V4-01"));
    } else if (Thorough.ON) {
      socket =
          List.of(
              wholly(plugin, "net v12,collnet v12"),
              middle(plugin, "net v4,net v8,net v9", RULES),
              middle(
                  plugin,
                  "net v4->v12,net v5,net v5->v12,net v6,net v7,net v10,net v11",
                  withoutDear(RULES)));
      memory =
          List.of(
              wholly(reduces, "collnet v12"),
              middle(reduces, "collnet v5,collnet v7,collnet v9,collnet v11", REDUCTIONS));
      switches =
          List.of(
              wholly(inNetwork, "collnet v12"),
              middle(
                  inNetwork,
                  "collnet v4,collnet v5->v12,collnet v6,collnet v8,collnet v10",
                  REDUCTIONS + ",COLL-V4-01"));
    } else {
      socket =
          List.of(
              start(plugin, "net v12", "--rule", RULES + "," + FAULTS),
              start(plugin, "net v4->v12", "--rule", RULES, "--no-processes"));
      // No rule of reductions here is about allocation, and C2 would take a third of such a run.
      memory =
          List.of(
              start(
                  UnaryOperator.identity(),
                  reduces,
                  "collnet v8,collnet v12",
                  "--rule",
                  REDUCTIONS,
                  "--no-processes"));
      switches =
          List.of(
              start(
                  UnaryOperator.identity(),
                  inNetwork,
                  "collnet v4,collnet v12",
                  "--rule",
                  REDUCTIONS + ",COLL-V4-01",
                  "--no-processes"));
    }
  }

  private static CommandProcess wholly(Map<String, String> setting, String lanes)
      throws IOException {
    return start(setting, lanes);
  }

  /** Asks some rules on lanes between the oldest version and the newest. */
  private static CommandProcess middle(Map<String, String> setting, String lanes, String rules)
      throws IOException {
    return start(setting, lanes, "--rule", rules, "--no-processes");
  }

  /** Returns the rules that some patterns name, but for those of {@link #DEAR}. */
  private static String withoutDear(String patterns) {
    Pattern named = Pattern.compile(patterns.replace(",", "|").replace("*", ".*"));
    return Spec.current().rules().stream()
        .map(SpecRule::id)
        .filter(named.asMatchPredicate())
        .filter(id -> !DEAR.contains(id))
        .collect(Collectors.joining(","));
  }

  private static CommandProcess start(Map<String, String> setting, String lanes, String... options)
      throws IOException {
    return start(RoundTripTest::withFullSpeed, setting, lanes, options);
  }

  private static CommandProcess start(
      UnaryOperator<List<String>> around,
      Map<String, String> setting,
      String lanes,
      String... options)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("tck", LIBRARY.toString(), "--lane", lanes));
    if (Thorough.ON) {
      arguments.addAll(List.of("--patience", "20")); // many runs at once on few processors
    }
    arguments.addAll(List.of(options));
    Map<String, String> variables = new TreeMap<>(setting);
    variables.put("NITINOL_SOCKET_CONNECT_MSEC", "4000");
    CommandProcess command = CommandProcess.startBy(around, variables, arguments);
    RUNNING.add(command);
    return command;
  }

  private static List<String> withFullSpeed(List<String> command) {
    return command.stream()
        // Code that C1 compiles allocates at each call into C and out of it; that of C2 does not.
        .filter(each -> !each.startsWith("-XX:TieredStopAtLevel"))
        .toList();
  }

  @AfterAll
  static void end() {
    RUNNING.forEach(CommandProcess::close);
  }

  private static void conform(String name, List<CommandProcess> runs) throws Exception {
    for (CommandProcess tck : runs) {
      assertThat(tck.exit(CommandProcess.KIT_LIMIT)).as("%s: %s", name, tck).isZero();
      String last = tck.out().lines().reduce("", (before, line) -> line);
      System.err.println("RoundTripTest " + name + ": " + last);
      assertThat(last).contains("Nitinol conforms to the contract");
    }
  }

  @Test
  void socketKeepsTheContractThroughBothCrossings() throws Exception {
    conform("Socket", socket);
  }

  /** Not in version 4, whose handles have 64 bytes: those of this network need more. */
  @Test
  void aCollectiveNetworkKeepsTheContractThroughBothCrossings() throws Exception {
    conform("SampleMemory", memory);
  }

  /** In version 4 too: its handles have 64 bytes, and so have those of the switch. */
  @Test
  void reductionsInTheNetworkKeepTheContractThroughBothCrossings() throws Exception {
    conform("Switch", switches);
  }
}
