// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The log of two ranks that tell everything they tell at INFO is made for readers. */
class LogLinesTest {
  private static final int LONGEST = 240;

  private static List<String> lines;

  /** The same of two processes that share no memory and use the ring. */
  private static List<String> apart;

  @BeforeAll
  static void runTwoRanks() throws Exception {
    // On a busy machine the measured costs may choose the ring, which needs no team.
    lines = run(Map.of("NCCL_DEBUG_SUBSYS", "ALL", "NCCL_ALGO", "direct"));
    assertThat(lines).anyMatch(line -> line.contains("Using network Socket"));
    apart = run(Map.of("NCCL_SHM_DISABLE", "1", "NCCL_ALGO", "Ring"));
  }

  private static List<String> run(Map<String, String> more) throws Exception {
    Map<String, String> variables = new HashMap<>(more);
    variables.put("NCCL_DEBUG", "INFO");
    try (CommandProcess perf =
        CommandProcess.start(
            variables, "perf", "all_reduce", "-n", "2", "-b", "1M", "-e", "1M", "--iters", "1")) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      return (perf.out() + perf.err()).lines().filter(line -> line.contains("NCCL INFO")).toList();
    }
  }

  @Test
  void noLineHasTheHashOfAnObject() {
    assertThat(lines).noneMatch(line -> line.matches(".*@[0-9a-f]{6,}.*"));
  }

  @Test
  void noLineIsLong() {
    assertThat(lines)
        .noneMatch(line -> line.length() > LONGEST && !line.matches(".* NET/Plugin: .* is /.*"));
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
  void eachRingAndTreeIsToldByTheRanksThatHaveIt() {
    for (List<String> each : List.of(lines, apart)) {
      assertThat(each)
          .satisfiesOnlyOnce(line -> assertThat(line).endsWith(" Channel 00/02 : 0 1"))
          .satisfiesOnlyOnce(line -> assertThat(line).endsWith(" Channel 01/02 : 0 1"))
          .satisfiesOnlyOnce(
              line -> assertThat(line).endsWith(" Trees [0] 1/-1/-1->0->-1 [1] -1/-1/-1->0->1"))
          .satisfiesOnlyOnce(
              line -> assertThat(line).endsWith(" Trees [0] -1/-1/-1->1->0 [1] 0/-1/-1->1->-1"));
    }
  }

  @Test
  void eachConnectionIsToldWithItsTransport() {
    String path = " via NET/Socket/0 (lo)";
    assertThat(apart)
        .satisfiesOnlyOnce(
            line -> assertThat(line).endsWith(" Channel 00/0 : 0[0] -> 1[1] [send]" + path))
        .satisfiesOnlyOnce(
            line -> assertThat(line).endsWith(" Channel 00/0 : 0[0] -> 1[1] [receive]" + path))
        .satisfiesOnlyOnce(
            line -> assertThat(line).endsWith(" Channel 01/0 : 1[1] -> 0[0] [send]" + path));
    assertThat(lines)
        .satisfiesOnlyOnce(
            line -> assertThat(line).endsWith(" Channel 00/0 : team of 0[0] 1[1] via SHM"));
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
