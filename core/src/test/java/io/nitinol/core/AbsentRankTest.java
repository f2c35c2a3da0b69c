// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A rank that never comes to the first operation: whatever is not made yet, it is named. */
class AbsentRankTest {
  private static final int RANKS = 4;

  @ParameterizedTest
  @CsvSource({"direct,0", "direct,1", "direct,3", "ring,1"})
  void theOthersNameItAndGoOnWithoutIt(String algorithm, int absent) throws Exception {
    CommConfig config =
        RankThreads.config(1)
            .withSettings(
                Settings.of(
                    Map.of(
                        "NCCL_SOCKET_IFNAME", "lo",
                        "NCCL_ALGO", algorithm,
                        "NITINOL_TIMEOUT", "2")));
    List<Communicator> ranks = Communicator.initAll(RANKS, config);
    List<Communicator> present = ranks.stream().filter(rank -> rank.rank() != absent).toList();
    try {
      List<Integer> sums =
          RankThreads.each(
              present,
              rank -> {
                CommException failure =
                    Objects.requireNonNull(
                        catchThrowableOfType(
                            CommException.class, () -> RankThreads.sumOfRanks(rank)));
                assertThat(failure.failedRank()).as(failure.getMessage()).isEqualTo(absent);
                assertThat(failure.result()).isEqualTo(ResultCode.TIMEOUT);
                assertThat(failure)
                    .hasMessageContaining(
                        "rank "
                            + absent
                            + (algorithm.equals("direct")
                                ? " has not asked for"
                                : " has not said"));
                try (Communicator rest = rank.shrink(failure.failedRank())) {
                  return RankThreads.sumOfRanks(rest);
                }
              });
      assertThat(sums).hasSize(RANKS - 1).containsOnly(RankThreads.gauss(RANKS - 1));
    } finally {
      ranks.forEach(Communicator::close);
    }
  }
}
