// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PerfTest {

  @ParameterizedTest
  @CsvSource({"2, ''", "4, ''", "2, --threads", "3, --threads"})
  @QuickRows(1)
  @Slow
  void nothingIsWrongForAnyTypeAndOperator(int ranks, String threads) throws Exception {
    try (CommandProcess perf =
        CommandProcess.start(
            arguments(
                "perf all_reduce -b 8 -e 80008 -f 100 -t all -o all -w 0 --iters 2 -n %s %s"
                    .formatted(ranks, threads)))) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      assertThat(perf.rows()).hasSize(12 * 6 * 3).allMatch(row -> row.matches(".* 0 .* 0"));
      assertThat(perf.out()).contains("# Out of bounds values : 0 OK");
      assertThat(perf.err()).isEmpty();
    }
  }

  /**
   * Each collective, with each root, in place too where there is such a thing. The build takes
   * three; {@code ManyRanksTest} has processes for all of them, and {@code RankJobTest} measures
   * all with ranks that are threads.
   */
  @ParameterizedTest
  @CsvSource({
    "all_gather, 2, '', 1",
    "reduce_scatter, 3, -o all, 6",
    "broadcast, 3, -r all, 3",
    "reduce, 2, -r all -o all, 12",
    "alltoall, 3, '', 1",
    "alltoallv, 4, --spread 0.5, 1",
    "gather, 3, -r all, 3",
    "scatter, 2, -r all, 2",
    "sendrecv, 4, '', 1",
    "allgatherv, 3, '', 1",
    "gatherv, 3, -r all, 3",
    "scatterv, 4, -r all, 4"
  })
  @QuickRows({4, 6, 8})
  @FirstRows(4)
  void nothingIsWrongForAnyCollective(String label, int ranks, String more, int rowsOfSize)
      throws Exception {
    String words =
        "perf %s -n %d %s -b 60 -e 600060 -f 100 -t int8 -t half -t double -w 0 --iters 2"
            .formatted(label, ranks, more);
    try (CommandProcess perf = CommandProcess.start(arguments(words))) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      assertThat(perf.rows())
          .hasSize(3 * 3 * rowsOfSize)
          .allMatch(row -> row.matches(".* 0 .* (0|N/A)"));
      assertThat(perf.out()).contains("# Out of bounds values : 0 OK");
      assertThat(perf.err()).isEmpty();
    }
  }

  /** It has one row, whose size is 0; what is wrong is a rank that goes before all have come. */
  @ParameterizedTest
  @ValueSource(strings = {"", "--threads"})
  @QuickRows(1)
  @Slow
  void aBarrierIsTimedAndHoldsAllRanks(String threads) throws Exception {
    String words = "perf barrier -n 3 --iters 5 -c 2 %s".formatted(threads);
    try (CommandProcess perf = CommandProcess.start(arguments(words))) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      assertThat(perf.rows()).hasSize(1).allMatch(row -> row.matches(" +0 +0 .* 0 +N/A.*"));
      assertThat(perf.out()).contains("# Out of bounds values : 0 OK");
    }
  }

  @Test
  void aBarrierHasNoSize() throws Exception {
    try (CommandProcess perf = CommandProcess.start(arguments("perf barrier -n 2 -b 8"))) {
      assertThat(perf.exit()).as("%s", perf).isEqualTo(2);
      assertThat(perf.err()).contains("barrier moves no data");
    }
  }

  /** Through every adapter there is: the networks that ship speak the newest version themselves. */
  @ParameterizedTest
  @CsvSource({"SampleV4, v4, all_reduce", "SampleV5, v5, alltoall", "SampleV4, v4, sendrecv"})
  @QuickRows(1)
  @Slow
  void aPluginOfAnOldVersionCarriesTheData(String network, String version, String operation)
      throws Exception {
    try (CommandProcess perf =
        CommandProcess.start(
            Map.of(
                "NITINOL_PLUGIN_PATH",
                System.getProperty("nitinol.samples.path"),
                "NCCL_NET",
                network,
                "NCCL_P2P_DISABLE",
                "1",
                "NCCL_SHM_DISABLE",
                "1"),
            arguments("perf " + operation + " -n 3 -b 8 -e 4000008 -f 50 -w 1 --iters 5"))) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      assertThat(perf.rows()).hasSize(4).allMatch(row -> row.matches(".* 0 .* (0|N/A)"));
      assertThat(perf.out())
          .contains("Using network " + network + " (" + version + ")", "NET/" + network)
          .contains("# Out of bounds values : 0 OK");
    }
  }

  @Test
  @Slow
  void startsOperationsTogether() throws Exception {
    for (String label : List.of("all_reduce", "sendrecv")) {
      String words = "perf %s -n 2 -m 5 -b 8 -e 80008 -f 100 -w 1 --iters 2".formatted(label);
      try (CommandProcess perf = CommandProcess.start(arguments(words))) {
        assertThat(perf.exit()).as("%s", perf).isZero();
        assertThat(perf.rows()).hasSize(3);
        assertThat(perf.out()).contains("agg iters: 5", "# Out of bounds values : 0 OK");
      }
    }
  }

  @Test
  void onlyRankZeroPrintsTheTable() throws Exception {
    try (CommandProcess perf =
        CommandProcess.start(arguments("perf all_reduce -n 3 -b 4K -e 16K -w 1 --iters 2"))) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      List<String> lines = perf.out().lines().toList();
      assertThat(lines).filteredOn(line -> line.contains("(elements)")).hasSize(1);
      assertThat(lines).filteredOn(line -> line.startsWith("#  Rank ")).hasSize(3);
      assertThat(perf.rows())
          .hasSize(3)
          .first()
          .asString()
          .startsWith("        4096          1024     float     sum      -1  ");
    }
  }

  @ParameterizedTest
  @CsvSource({"''", "--threads"})
  @QuickRows(1)
  @Slow
  void writesJson(String threads, @TempDir Path directory) throws Exception {
    Path file = directory.resolve("perf.json");
    try (CommandProcess perf =
        CommandProcess.start(
            Map.of("NCCL_BUFFSIZE", "1M"),
            arguments(
                "perf all_reduce -n 2 -b 8 -e 64 -i 28 -w 1 --iters 3 -z --json %s %s"
                    .formatted(file, threads)))) {
      assertThat(perf.exit()).as("%s", perf).isZero();
    }
    JsonNode root = JsonMapper.builder().build().readTree(file);
    assertThat(root.path("config").path("network").asString()).startsWith("Socket (v12)");
    assertThat(root.path("config").path("step_bytes").asInt()).isEqualTo(28);
    assertThat(root.path("env").path("NCCL_BUFFSIZE").asString()).isEqualTo("1M");
    assertThat(root.path("env").path("NITINOL_UNIQUE_ID").asString("(hidden)"))
        .isEqualTo("(hidden)");
    assertThat(root.path("results")).hasSize(3);
    assertThat(root.path("out_of_bounds").path("count").asInt(-1)).isZero();
  }

  /** Real ranks; what the files hold in full is for the tests of their classes. */
  @Test
  @Slow
  void theFilesOfRunsAreLaidOverOneAnother(@TempDir Path directory) throws Exception {
    Path json = directory.resolve("ours.json");
    Path csv = directory.resolve("ours.csv");
    Path page = directory.resolve("ours.html");
    Path table = directory.resolve("table.txt");
    try (CommandProcess perf =
        CommandProcess.start(
            Map.of("NCCL_BUFFSIZE", "1M"),
            arguments(
                "perf all_reduce -n 2 -b 8 -e 16 -w 1 --iters 3 --json %s --csv %s --report %s"
                    .formatted(json, csv, page)))) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      Files.writeString(table, perf.out());
    }
    JsonNode row = JsonMapper.builder().build().readTree(json).path("results").get(1);
    List<String> values = List.of(Files.readAllLines(csv).get(2).split(",", -1));
    assertThat(values).hasSize(13);
    assertThat(values.getFirst()).isEqualTo("16");
    assertThat(Double.parseDouble(values.get(5)))
        .isEqualTo(row.path("out_of_place").path("time").asDouble());
    assertThat(Files.readString(page))
        .contains("<svg class=\"chart\"", "<th scope=\"row\" title=\"16 bytes\">16 B</th>")
        .contains(
            "<pre>NCCL_BUFFSIZE=1M NCCL_SOCKET_IFNAME=lo NITINOL_KERNELS=scalar "
                + "nitinol perf all_reduce -n 2")
        .contains("<th scope=\"row\">NCCL_BUFFSIZE</th><td>1M</td>")
        .doesNotContain("NITINOL_UNIQUE_ID", "NITINOL_RANK");
    try (CommandProcess compare =
        CommandProcess.start("compare", json.toString(), table.toString())) {
      assertThat(compare.exit()).as("%s", compare).isZero();
      assertThat(compare.out()).contains("# A: ours.json, all_reduce_perf\n");
      assertThat(compare.rows())
          .hasSize(4)
          // The same run: the table has two decimals.
          .allMatch(each -> each.matches(".* (0\\.99\\d|1\\.00\\d)"));
    }
  }

  /** A connection failed, and no rank has died: as processes or as threads. */
  @ParameterizedTest
  @CsvSource({"''", "--threads"})
  @Slow
  void aNetworkThatFailsHasOneStatus(String threads, @TempDir Path directory) throws Exception {
    new PluginJar(directory.resolve("work"))
        .plugin(
            PluginClass.net(6, "p.Deaf", "Deaf")
                .body(
                    "listen",
                    "throw new io.nitinol.spi.NetException("
                        + "io.nitinol.spi.ResultCode.SYSTEM_ERROR, \"no ears\");"))
        .write(directory.resolve("plugins/deaf.jar"));
    Map<String, String> variables =
        Map.of(
            "NITINOL_PLUGIN_PATH",
            directory.resolve("plugins").toString(),
            "NCCL_NET",
            "Deaf",
            "NCCL_SHM_DISABLE",
            "1",
            "NCCL_P2P_DISABLE",
            "1");
    try (CommandProcess perf =
        CommandProcess.start(
            variables, arguments("perf all_reduce -n 2 -b 8 -e 8 -w 0 --iters 1 " + threads))) {
      assertThat(perf.exit()).as("%s", perf).isEqualTo(3);
      assertThat(perf.err()).contains("no ears");
    }
  }

  @Test
  void oneMessageSaysThatThereIsNoSuchNetwork() throws Exception {
    try (CommandProcess perf =
        CommandProcess.start(Map.of("NCCL_NET", "Nope"), arguments("perf all_reduce -n 2"))) {
      assertThat(perf.exit()).as("%s", perf).isEqualTo(3);
      assertThat(perf.out()).isEmpty();
      assertThat(perf.err())
          .startsWith(
              "nitinol perf: no network can be used: NCCL_NET=Nope (set in the environment) is the"
                  + " name of no candidate")
          .containsOnlyOnce("no network can be used")
          .contains("Socket (v12) from ")
          .contains(": not the network that NCCL_NET=Nope (set in the environment) asks for")
          .doesNotContain("[0]", "[1]");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE, NCCL_COMM_ID",
    "PMI_RANK, PMI_SIZE, NCCL_COMM_ID",
    "SLURM_PROCID, SLURM_NTASKS, NITINOL_UNIQUE_ID_FILE",
    "RANK, WORLD_SIZE, MASTER_PORT",
  })
  @QuickRows({1, 3, 4})
  @FirstRows(1)
  void takesItsRankFromOtherLaunchers(
      String rankVariable, String sizeVariable, String meeting, @TempDir Path directory)
      throws Exception {
    int port = FreePort.find();
    Map<String, String> where =
        switch (meeting) {
          case "NCCL_COMM_ID" -> Map.of(meeting, "127.0.0.1:" + port);
          case "MASTER_PORT" ->
              Map.of("MASTER_ADDR", "127.0.0.1", meeting, Integer.toString(port - 1));
          default -> Map.of(meeting, directory.resolve("id").toString());
        };
    String[] arguments = arguments("perf all_reduce -b 8 -e 8K -f 32 -w 1 --iters 2");
    try (CommandProcess first =
            CommandProcess.start(variables(rankVariable, 0, sizeVariable, where), arguments);
        CommandProcess second =
            CommandProcess.start(variables(rankVariable, 1, sizeVariable, where), arguments)) {
      assertThat(first.exit()).as("%s", first).isZero();
      assertThat(second.exit()).as("%s", second).isZero();
      assertThat(first.rows()).hasSize(3);
      assertThat(second.out()).isEmpty();
    }
  }

  @Test
  void saysThatTheRanksDoNotKnowWhereToMeet() throws Exception {
    try (CommandProcess perf =
        CommandProcess.start(
            Map.of("OMPI_COMM_WORLD_RANK", "0", "OMPI_COMM_WORLD_SIZE", "2"),
            arguments("perf all_reduce"))) {
      assertThat(perf.exit()).as("%s", perf).isEqualTo(3);
      assertThat(perf.err())
          .isEqualTo(
              "nitinol perf: Open MPI says that there are 2 ranks, but nothing says where they"
                  + " meet: set NCCL_COMM_ID to host:port of rank 0, or NITINOL_UNIQUE_ID_FILE to a"
                  + " file that all ranks can reach, the same for all\n");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "nowhere, 'expected',",
    "127.0.0.1:port, 'expected',",
  })
  @Slow
  void saysThatTheMeetingPlaceMakesNoSense(String place, String sentence) throws Exception {
    try (CommandProcess perf =
        CommandProcess.start(
            Map.of("OMPI_COMM_WORLD_RANK", "0", "OMPI_COMM_WORLD_SIZE", "2", "NCCL_COMM_ID", place),
            arguments("perf all_reduce"))) {
      assertThat(perf.exit()).as("%s", perf).isEqualTo(2);
      assertThat(perf.err()).startsWith("nitinol perf: NCCL_COMM_ID=" + place).contains(sentence);
    }
  }

  private static Map<String, String> variables(
      String rankVariable, int rank, String sizeVariable, Map<String, String> where) {
    Map<String, String> variables = new TreeMap<>(where);
    variables.put(rankVariable, Integer.toString(rank));
    variables.put(sizeVariable, "2");
    return variables;
  }

  private static String[] arguments(String words) {
    return words.strip().split(" +", -1);
  }
}
