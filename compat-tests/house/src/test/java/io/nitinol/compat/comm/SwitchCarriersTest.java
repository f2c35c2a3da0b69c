// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.nativelib.CPlugin;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reductions by switches over network plugins of all ages: Java ones from jars and native ones,
 * through core's adapters, every call checked against the contract on both sides.
 */
class SwitchCarriersTest {
  private static final int RANKS = 4;

  @TempDir Path directory;

  /** Returns the variables by which a process finds a carrier: a sample, or a library. */
  private Map<String, String> carrier(String name, String options) {
    Map<String, String> variables = new HashMap<>();
    if (name.equals("Loopback")) {
      Path library =
          CPlugin.compile("loopback", directory.resolve("libcarries.so"), options.split(" "));
      variables.put("NCCL_NET_PLUGIN", library.toString());
    } else {
      variables.put("NITINOL_PLUGIN_PATH", sample(name.equals("SampleV4") ? "net-v4" : "net-v5"));
    }
    variables.put("NITINOL_VALIDATE", "2");
    return variables;
  }

  private static String sample(String module) {
    return Stream.of(System.getProperty("nitinol.samples.path").split(":", -1))
        .filter(path -> path.contains(module))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, String> rank(Map<String, String> carrier, String name, int rank) {
    Map<String, String> variables = new HashMap<>(carrier);
    variables.remove("NITINOL_PLUGIN_PATH"); // the samples are on the ranks' class path
    variables.put("NCCL_HOSTID", "host" + rank);
    variables.put("NCCL_COLLNET_ENABLE", "1");
    variables.put("NCCL_DEBUG", "WARN");
    variables.put("NCCL_ALGO", "allreduce:CollnetDirect,CollnetChain");
    variables.put("NITINOL_COLLNET", "Switch");
    variables.put("NITINOL_COLLNET_NET", name);
    return variables;
  }

  private static void reduce(RankProcesses ranks) throws IOException, InterruptedException {
    for (int r = 0; r < RANKS; r++) {
      assertThat(ranks.before(r, "right")) // by other ways, too, if the switch is of no use
          .noneMatch(line -> line.contains("not used"));
      assertThat(ranks.exit(r)).isZero();
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "SampleV4, ''",
    "SampleV5, ''",
    "Loopback, -DONLY=3",
    "Loopback, -DONLY=8",
    "Loopback, -DCONSUMES -DONLY=12"
  })
  @QuickRows(5)
  @Slow
  void twoLevelsOfSwitches(String name, String options) throws Exception {
    Map<String, String> carrier = carrier(name, options);
    try (SwitchProcess root = SwitchProcess.start(carrier, "--net", name);
        SwitchProcess leaf =
            SwitchProcess.start(carrier, "--net", name, "--parent", root.address());
        RankProcesses ranks =
            new RankProcesses(
                RANKS,
                rank -> {
                  Map<String, String> variables = rank(carrier, name, rank);
                  variables.put(
                      "NITINOL_COLLNET_SWITCH", rank < 2 ? leaf.address() : root.address());
                  return variables;
                },
                "verify")) {
      reduce(ranks);
      assertThat(root.figure("reduced_bytes_total")).as("by %s", name).isGreaterThan(8 << 20);
      assertThat(root.figure("group_failures_total")).isZero();
      assertThat(leaf.terminate()).isEqualTo(143);
      assertThat(root.terminate()).isEqualTo(143);
    }
  }

  /** Rank 0 has two objects of the plugin then: the switch's and its own. */
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({"SampleV4, ''", "SampleV5, ''", "Loopback, -DONLY=11"})
  @QuickRows(1)
  void aSwitchInTheProcessOfRankZero(String name, String options) throws Exception {
    Map<String, String> carrier = carrier(name, options);
    try (RankProcesses ranks =
        new RankProcesses(RANKS, rank -> rank(carrier, name, rank), "verify")) {
      reduce(ranks);
    }
  }
}
