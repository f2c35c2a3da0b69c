// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The log of two ranks that tell everything they tell at INFO is made for readers. */
class LogLinesTest {
  private static final int LONGEST = 240;

  private static List<String> lines;

  @BeforeAll
  static void runTwoRanks() throws Exception {
    Map<String, String> everything = Map.of("NCCL_DEBUG", "INFO", "NCCL_DEBUG_SUBSYS", "ALL");
    try (CommandProcess perf =
        CommandProcess.start(
            everything, "perf", "all_reduce", "-n", "2", "-b", "1M", "-e", "1M", "--iters", "1")) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      lines = (perf.out() + perf.err()).lines().filter(line -> line.contains("NCCL INFO")).toList();
    }
    assertThat(lines).anyMatch(line -> line.contains("Using network Socket"));
  }

  @Test
  void noLineHasTheHashOfAnObject() {
    assertThat(lines).noneMatch(line -> line.matches(".*@[0-9a-f]{6,}.*"));
  }

  @Test
  void noLineIsLong() {
    assertThat(lines).noneMatch(line -> line.length() > LONGEST && !line.contains("/"));
  }

  @Test
  void noLineHasThePathOfAJar() {
    assertThat(lines)
        .noneMatch(line -> line.contains(".jar"))
        .anyMatch(line -> line.endsWith("from module io.nitinol.net.socket"));
  }

  @Test
  void eachRankTellsThatItsInitIsComplete() {
    for (int rank = 0; rank < 2; rank++) {
      String told =
          ".* ncclCommInitRank commId 0x[0-9a-f]+ rank "
              + rank
              + " nranks 2 localRank "
              + rank
              + " localRanks 2 via P2P, SHM, NET/Socket - Init COMPLETE in [0-9.]+ ms"
              + " \\(meet [0-9.]+, agree [0-9.]+, connect [0-9.]+, start [0-9.]+\\)";
      assertThat(lines.stream().filter(line -> line.matches(told))).hasSize(1);
    }
  }

  @Test
  void sizesAreInMebibytes() {
    assertThat(lines).anyMatch(line -> line.contains(" of 8 slots of 512 KiB, "));
  }

  @Test
  void theCostsAreInUnits() {
    assertThat(lines)
        .anyMatch(line ->
            line.matches(".*costs of 2 rank\\(s\\) on 1 host\\(s\\): copy [0-9.]+ GB/s, .*"));
  }
}
