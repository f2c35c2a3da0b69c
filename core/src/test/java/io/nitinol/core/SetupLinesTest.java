// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.config.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the log says of rings, trees, connections and of how a communicator was made. */
class SetupLinesTest {
  private final RecordedLog log = new RecordedLog();

  private CommConfig config(Map<String, String> more) {
    Map<String, String> variables = new HashMap<>();
    for (String name : RankThreads.SETTINGS.names()) {
      variables.put(name, Objects.requireNonNull(RankThreads.SETTINGS.raw(name)));
    }
    variables.putAll(more);
    return CommConfig.standard()
        .withSettings(Settings.of(variables))
        .withNet(new MemoryNet(1))
        .withChannels(2, 2)
        .withLogger(log);
  }

  @Test
  void ringsAreToldOnceAndTreesByEachRank() throws Exception {
    List<Communicator> ranks = Communicator.initAll(4, config(Map.of("NCCL_ALGO", "Ring")));
    assertThat(RankThreads.each(ranks, RankThreads::sumOfRanks)).containsOnly(6);
    ranks.forEach(Communicator::close);
    assertThat(log.lines())
        .containsOnlyOnce(
            "INFO Channel 00/02 : 0 1 2 3",
            "INFO Channel 01/02 : 0 1 2 3",
            "INFO Trees [0] 2/-1/-1->0->-1 [1] -1/-1/-1->0->1",
            "INFO Trees [0] -1/-1/-1->1->2 [1] 2/0/-1->1->3",
            "INFO Trees [0] 1/3/-1->2->0 [1] -1/-1/-1->2->1",
            "INFO Trees [0] -1/-1/-1->3->2 [1] 1/-1/-1->3->-1");
  }

  /** Of three ranks, since a ring of two looks the same the other way round. */
  @Test
  void aConnectionInAHostIsToldByItsSender() throws Exception {
    List<Communicator> ranks = Communicator.initAll(3, config(Map.of("NCCL_ALGO", "Ring")));
    assertThat(RankThreads.each(ranks, RankThreads::sumOfRanks)).containsOnly(3);
    ranks.forEach(Communicator::close);
    assertThat(log.lines())
        .containsOnlyOnce(
            "INFO Channel 00/0 : 0[0] -> 1[1] via P2P",
            "INFO Channel 00/0 : 1[1] -> 2[2] via P2P",
            "INFO Channel 00/0 : 2[2] -> 0[0] via P2P")
        .noneMatch(line -> line.contains("1[1] -> 0[0]"));
  }

  @Test
  void aConnectionOverANetworkIsToldByBothEnds() throws Exception {
    CommConfig apart =
        config(Map.of("NCCL_P2P_DISABLE", "1", "NCCL_SHM_DISABLE", "1", "NCCL_ALGO", "Ring"));
    List<Communicator> ranks = Communicator.initAll(3, apart);
    assertThat(RankThreads.each(ranks, RankThreads::sumOfRanks)).containsOnly(3);
    ranks.forEach(Communicator::close);
    assertThat(log.lines().stream().filter(line -> line.contains("Channel 00/0 : 0[0] -> 1[1]")))
        .hasSize(2)
        .anyMatch(line -> line.contains("-> 1[1] [send] via NET/"))
        .anyMatch(line -> line.contains("-> 1[1] [receive] via NET/"));
    assertThat(log.lines()).noneMatch(line -> line.contains("1[1] -> 0[0]"));
  }

  @Test
  void theMemoryThatAHostSharesIsToldOnce() throws Exception {
    List<Communicator> ranks = Communicator.initAll(3, config(Map.of("NCCL_ALGO", "Direct")));
    assertThat(RankThreads.each(ranks, RankThreads::sumOfRanks)).containsOnly(3);
    ranks.forEach(Communicator::close);
    assertThat(log.lines()).containsOnlyOnce("INFO Channel 00/0 : team of 0[0] 1[1] 2[2] via P2P");
  }

  @Test
  void aRankThatIsAloneHasNoRingAndNoTree() {
    Communicator.initAll(1, config(Map.of())).forEach(Communicator::close);
    assertThat(log.lines())
        .anyMatch(line -> line.contains(" - Init COMPLETE in "))
        .noneMatch(line -> line.contains("Channel 0") || line.contains("Trees"));
  }

  @Test
  void theCallThatMadeACommunicatorIsNamedWithItsParent() throws Exception {
    CommConfig config = config(Map.of());
    List<Communicator> parents = Communicator.initAll(3, config);
    CompletableFuture<UniqueId> invitation = new CompletableFuture<>();
    CompletableFuture<Integer> newcomer =
        RankThreads.inThread(() -> {
          try (Communicator grown = Communicator.init(invitation.join(), 4, 3, config)) {
            return grown.size();
          }
        });
    List<Integer> sizes =
        RankThreads.each(
            parents,
            parent -> {
              Objects.requireNonNull(parent.split(parent.rank() == 2 ? 5 : 4, -parent.rank()))
                  .close();
              if (parent.rank() != 1) {
                parent.shrink(1).close();
              }
              try (Communicator grown = parent.grow(4, invitation::complete)) {
                return grown.size();
              }
            });
    assertThat(sizes).containsOnly(4);
    assertThat(RankThreads.get(newcomer)).isEqualTo(4);
    parents.forEach(Communicator::close);
    String parent = "parent 0x[0-9a-f]+";
    assertTold(3, "ncclCommInitRank commId 0x\\w+ rank \\d nranks 3 .* localRanks 3 via .*");
    assertTold(1, "ncclCommSplit .* rank 0 nranks 2 .* " + parent + " color 4 key -1 via .*");
    assertTold(1, "ncclCommSplit .* rank 0 nranks 1 .* " + parent + " color 5 key -2 via .*");
    assertTold(2, "ncclCommShrink .* nranks 2 .* " + parent + " excluded 1 via .*");
    assertTold(3, "ncclCommGrow .* nranks 4 .* " + parent + " via .*");
    assertTold(1, "ncclCommInitRank .* rank 3 nranks 4 .* localRanks 4 via .*");
  }

  private void assertTold(int times, String pattern) {
    assertThat(log.lines().stream().filter(line -> line.matches("INFO " + pattern)))
        .as("%s in %s", pattern, log.lines())
        .hasSize(times);
  }
}
