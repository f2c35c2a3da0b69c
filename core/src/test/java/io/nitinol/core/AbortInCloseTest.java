// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.connect.ConnectorGroup;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An abort while ranks are in a close that waits for others: they do not wait on. */
class AbortInCloseTest {
  private static final int RANKS = 3;

  /** Less than a close waits for operations under way, which is 10 s. */
  private static final long SOON_SECONDS = 5;

  /**
   * All ranks but rank 0 have called an operation and close, and so hang, since rank 0 never calls
   * it.
   */
  @ParameterizedTest(name = "rank {0} aborts, network only: {1}")
  @CsvSource({"0, false", "0, true", "1, false", "1, true"})
  void theClosesEnd(int aborting, boolean netOnly) throws Exception {
    CommConfig config =
        CommConfig.standard()
            .withSettings(netOnly ? ConnectorGroup.NETWORK_ONLY : ConnectorGroup.SETTINGS)
            .withNet(new MemoryNet(4));
    List<Communicator> ranks = Communicator.initAll(RANKS, config);
    try (Arena arena = Arena.ofShared()) {
      List<FutureTask<Boolean>> closes =
          ranks.stream()
              .skip(1)
              .map(rank -> {
                MemorySegment buffer = arena.allocate(4096, 64);
                rank.allReduce(buffer, buffer, 1024, DataType.FLOAT32, ReductionOp.SUM);
                return closeUntilItDrains(rank);
              })
              .toList();
      ranks.get(aborting).abort();
      for (FutureTask<Boolean> close : closes) {
        assertThat(close.get(SOON_SECONDS, TimeUnit.SECONDS)).isTrue();
      }
      for (Communicator rank : ranks) {
        CommException error = Objects.requireNonNull(rank.asyncError());
        assertThat(error.failedRank()).as(error.getMessage()).isEqualTo(aborting);
      }
      ranks.getFirst().close();
    }
  }

  private static FutureTask<Boolean> closeUntilItDrains(Communicator rank) {
    FutureTask<Boolean> closing =
        new FutureTask<>(() -> {
          rank.close();
          return true;
        });
    Thread closer = Thread.ofPlatform().daemon().start(closing);
    while (Arrays.stream(closer.getStackTrace())
        .noneMatch(frame -> frame.getMethodName().equals("drain"))) {
      assertThat(closing.isDone()).as("closed although rank 0 had not come").isFalse();
      LockSupport.parkNanos(100_000);
    }
    return closing;
  }
}
