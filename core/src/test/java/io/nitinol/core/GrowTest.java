// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.ResultCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Ranks are lost, and new ones take their places. */
class GrowTest {
  @Test
  void newRanksJoinAfterOneWasLost() throws Exception {
    CommConfig config = RankThreads.config(3);
    List<Communicator> ranks = Communicator.initAll(3, config);
    CompletableFuture<UniqueId> invitation = new CompletableFuture<>();
    List<CompletableFuture<Integer>> newcomers = new ArrayList<>();
    for (int r = 2; r < 4; r++) {
      int rank = r;
      newcomers.add(
          RankThreads.inThread(() -> {
            try (Communicator grown = Communicator.init(invitation.join(), 4, rank, config)) {
              return RankThreads.sumOfRanks(grown);
            }
          }));
    }
    ranks.get(1).abort();
    List<Integer> sums =
        RankThreads.each(
            List.of(ranks.get(0), ranks.get(2)),
            rank -> {
              try (Communicator left = rank.shrink(1);
                  Communicator grown = left.grow(4, invitation::complete)) {
                assertThat(grown.rank()).isEqualTo(left.rank());
                return RankThreads.sumOfRanks(grown) + 100 * RankThreads.sumOfRanks(left);
              }
            });
    assertThat(sums).containsOnly(106);
    for (CompletableFuture<Integer> each : newcomers) {
      assertThat(RankThreads.get(each)).isEqualTo(6);
    }
    ranks.forEach(Communicator::close);
  }

  @Test
  void anInvitationThatFailsFailsOnAllRanks() throws Exception {
    List<Communicator> ranks = Communicator.initAll(2, RankThreads.config(2));
    try {
      List<String> said =
          RankThreads.each(
              ranks,
              rank -> {
                try {
                  rank.grow(
                          3,
                          id -> {
                            throw new IllegalStateException("no way to " + id.describe().length());
                          })
                      .close();
                  return "grown";
                } catch (CommException e) {
                  return e.result() + " " + e.failedRank() + " " + e.getMessage();
                }
              });
      assertThat(said)
          .allMatch(text ->
              text.startsWith(
                  "INVALID_USAGE 0 grow: rank 0 could not invite the new ranks:"
                      + " java.lang.IllegalStateException: no way to "));
      assertThat(RankThreads.each(ranks, RankThreads::sumOfRanks)).containsOnly(1);
      assertThatThrownBy(() -> ranks.getFirst().grow(2, id -> {}))
          .isInstanceOfSatisfying(
              CommException.class,
              e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_ARGUMENT))
          .hasMessage("grow: nRanks is 2; expected more than the 2 there are");
    } finally {
      ranks.forEach(Communicator::close);
    }
  }
}
