// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A rank closes while others go on to need it, over connections that are there. No limit of time is
 * set, so that only the goodbye ends their waits.
 */
class EarlyLeaverTest {
  private static final int LEAVER = 1;

  private static CommConfig config(boolean slots, String algorithm) {
    Map<String, String> settings =
        new HashMap<>(Map.of("NCCL_SOCKET_IFNAME", "lo", "NITINOL_TIMEOUT", "0"));
    if (slots) {
      settings.put("NCCL_P2P_DISABLE", "1"); // as between processes
    }
    if (!algorithm.isEmpty()) {
      settings.put("NCCL_ALGO", algorithm);
    }
    return CommConfig.standard().withSettings(Settings.of(settings)).withNet(new MemoryNet(3));
  }

  @ParameterizedTest
  @CsvSource({
    "2, false, '', 8",
    "3, true, '', 8",
    "3, true, '', 300000",
    "3, true, Ring, 8",
    "5, false, Ring, 300000",
    "5, true, Tree, 300000"
  })
  void thoseThatNeedItNameIt(int size, boolean slots, String algorithm, int count)
      throws Exception {
    List<Communicator> ranks = Communicator.initAll(size, config(slots, algorithm));
    try {
      RankThreads.each(ranks, rank -> reduce(rank, count));
      ranks.get(LEAVER).close();
      List<CompletableFuture<CommException>> rest = new ArrayList<>();
      for (Communicator rank : ranks) {
        if (rank.rank() != LEAVER) {
          rest.add(
              RankThreads.inThread(
                  () -> catchThrowableOfType(CommException.class, () -> reduce(rank, count))));
        }
      }
      for (CompletableFuture<CommException> each : rest) {
        CommException failure = each.get(60, TimeUnit.SECONDS);
        assertThat(failure).hasMessageContaining("rank 1 has closed its communicator, and rank ");
        assertThat(failure.failedRank()).isEqualTo(LEAVER);
        assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      }
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  private static float[] reduce(Communicator rank, int count) {
    float[] values = new float[count];
    rank.blocking().allReduce(values, ReductionOp.SUM);
    return values;
  }
}
