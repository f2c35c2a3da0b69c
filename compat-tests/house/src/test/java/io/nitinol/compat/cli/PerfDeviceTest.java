// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code perf --device} in processes, on the CPU twin. */
class PerfDeviceTest {

  @ParameterizedTest
  @CsvSource({
    "all_reduce, -n 2, 2",
    "all_reduce, -n 4 -g 2, 4",
    "all_reduce, -g 3, 3",
    "all_reduce, -n 3 --threads, 3",
    "sendrecv, -n 4 -g 2, 4",
    "all_gather, -n 2 -G 2, 2",
    "reduce_scatter, -n 2 -R, 2",
    "alltoallv, -n 2, 2",
    "gather, -n 2 -r all, 2",
    "allgatherv, -n 2, 2",
    "gatherv, -n 3 -r all, 3",
    "scatterv, -n 3 -r all, 3"
  })
  @QuickRows({2, 3, 6, 7})
  @FirstRows(2)
  void nothingIsWrong(String label, String more, int ranks) throws Exception {
    try (CommandProcess perf = start(label + " " + more + " -b 64 -e 64K -f 32 -w 1 --iters 2")) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      assertThat(perf.rows()).isNotEmpty().allMatch(row -> row.matches(".* 0 .* (0|N/A)"));
      assertThat(perf.out())
          .contains("# Using device cpu (", "# Out of bounds values : 0 OK")
          .doesNotContain("Note");
      for (int rank = 0; rank < ranks; rank++) {
        assertThat(perf.out())
            .containsPattern("#  Rank  %d Group  0 Pid .* device  %d \\[".formatted(rank, rank));
      }
    }
  }

  /** The processes are those of {@code -g}, and messages name processes where they mean them. */
  @Test
  void aProcessOfSeveralRanksThatIsKilledIsNamed() throws Exception {
    try (CommandProcess perf =
        start("all_reduce -n 4 -g 2 -b 64K -e 64K --iters 100000000 -c 0 -w 1")) {
      perf.awaitLine("\\(elements\\)");
      List<ProcessHandle> processes = perf.awaitChildren(2);
      assertThat(processes).hasSize(2);
      List<ProcessHandle> others = new ArrayList<>(processes);
      ProcessHandle victim = others.removeLast();
      victim.destroyForcibly();
      assertThat(perf.exit()).as("%s", perf).isEqualTo(4);
      assertThat(perf.err())
          .containsPattern(
              "nitinol perf: process \\d \\(pid %s\\) was killed by signal 9"
                  .formatted(victim.pid()))
          .containsPattern("process \\d: .*rank \\d")
          .doesNotContain("did not notice");
      perf.awaitEnd(others);
    }
  }

  @Test
  @Slow
  void oneMessageSaysThatThereAreNoSuchDevices() throws Exception {
    for (String ranks : List.of("-n 2", "-n 2 --threads", "-g 2")) {
      try (CommandProcess perf = startWith("abacus", "all_reduce " + ranks)) {
        assertThat(perf.exit()).as("%s", perf).isEqualTo(2);
        assertThat(perf.out()).isEmpty();
        assertThat(perf.err())
            .startsWith("nitinol perf: --device abacus is the name of no device provider")
            .containsOnlyOnce("--device abacus")
            .contains("cpu from ", "cuda from ");
      }
    }
  }

  /** Where there is no driver; on a machine with one this has nothing to look at. */
  @Test
  void oneMessageSaysWhyThereAreNoCudaDevices() throws Exception {
    try (CommandProcess perf = startWith("cuda", "all_reduce -n 2 -b 8 -e 8 -w 0 --iters 1")) {
      if (perf.exit() != 0) {
        assertThat(perf.exit()).as("%s", perf).isEqualTo(2);
        assertThat(perf.err())
            .startsWith("nitinol perf: --device cuda cannot be used")
            .containsOnlyOnce("--device cuda")
            .containsPattern("cuda from .*: .*libcuda");
      }
    }
  }

  @Test
  @Slow
  void writesJson(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("perf.json");
    try (CommandProcess perf =
        start("all_reduce -n 2 -g 2 -b 64 -e 64 -w 1 --iters 2 --json " + file)) {
      assertThat(perf.exit()).as("%s", perf).isZero();
    }
    JsonNode config = JsonMapper.builder().build().readTree(file).path("config");
    assertThat(config.path("ranks").asInt()).isEqualTo(2);
    assertThat(config.path("device").asString()).isEqualTo("cpu");
    assertThat(config.path("gpus_per_process").asInt()).isEqualTo(2);
    assertThat(config.path("devices").path(1).path("uuid").asString()).isNotEmpty();
  }

  @Test
  @Slow
  void takesItsRanksFromOtherLaunchers(@TempDir Path directory) throws Exception {
    List<CommandProcess> processes = new ArrayList<>();
    try {
      for (int process = 0; process < 2; process++) {
        Map<String, String> variables =
            Map.of(
                "PMI_RANK",
                Integer.toString(process),
                "PMI_SIZE",
                "2",
                "NITINOL_UNIQUE_ID_FILE",
                directory.resolve("id").toString());
        String words = "all_reduce --device cpu -g 2 -b 64 -e 64 -w 1 --iters 2";
        processes.add(start(variables, words));
      }
      for (CommandProcess process : processes) {
        assertThat(process.exit()).as("%s", process).isZero();
      }
      assertThat(processes.getFirst().out())
          .as("the place on the host is found out")
          .containsPattern("#  Rank  3 Group  0 Pid .* device  3 \\[");
      assertThat(processes.getLast().out()).isEmpty();
    } finally {
      processes.forEach(CommandProcess::close);
    }
  }

  private static CommandProcess start(String words) throws Exception {
    return startWith("cpu", words);
  }

  private static CommandProcess startWith(String device, String words) throws Exception {
    return start(Map.of(), words + " --device " + device);
  }

  private static CommandProcess start(Map<String, String> variables, String words)
      throws Exception {
    return CommandProcess.startBy(
        PerfDeviceTest::withDevices, variables, List.of(("perf " + words).split(" +", -1)));
  }

  /** Puts the providers on the module path of the command, where the launch scripts have them. */
  private static List<String> withDevices(List<String> command) {
    String samples = System.getProperty("nitinol.samples.path");
    String devices =
        Stream.of(samples.split(File.pathSeparator, -1))
            .filter(entry -> entry.contains("device-cpu") || entry.contains("kernels-cuda"))
            .collect(Collectors.joining(File.pathSeparator));
    assertThat(devices).as("of %s", samples).contains("device-cpu", "kernels-cuda");
    List<String> changed = new ArrayList<>();
    for (String word : command) {
      boolean path = !changed.isEmpty() && changed.getLast().equals("--module-path");
      changed.add(
          path
              ? word + File.pathSeparator + devices
              : word.replaceFirst(
                  "^--enable-native-access=", "$0io.nitinol.samples.cuda,io.nitinol.samples.cpu,"));
    }
    return changed;
  }
}
