// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.task.PairTransfers;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ranks that wait tell one another, on engines that never give up by themselves. */
class CallCheckTest {
  private static final ChunkShape SHAPE = new ChunkShape(1024, 4, 64, 128, 256);

  private final Arena arena = Arena.ofShared();
  private final AtomicIntegerArray told = new AtomicIntegerArray(3);
  private EngineGroup group = new EngineGroup(1, 1, SHAPE, 0, "park", 0);

  private void start(int n, int kernelThreads) {
    group.close();
    group = new EngineGroup(n, 1, SHAPE, kernelThreads, "park", n, 0);
    for (int r = 0; r < n; r++) {
      int rank = r;
      int next = (r + 1) % n;
      group
          .engines
          .get(r)
          .compareCalls(word -> {
            told.incrementAndGet(rank);
            group.engines.get(next).heard(rank, word);
          });
    }
  }

  @AfterEach
  void close() {
    group.close();
    arena.close();
  }

  private void awaitTold(int rank, int times) {
    while (told.get(rank) < times) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aRankThatComesLateIsWaitedFor(int kernelThreads) {
    start(3, kernelThreads);
    long work = 0;
    for (int round = 0; round < 2; round++) {
      work = group.allReduce(0, arena, 1000);
      group.allReduce(2, arena, 1000);
      int before = told.get(1);
      awaitTold(1, before + 3); // it passes on what it cannot compare
      group.allReduce(1, arena, 1000);
      for (Engine engine : group.engines) {
        assertThat(engine.await(work, 20_000_000_000L)).isTrue();
      }
    }
    group.failures.forEach(each -> assertThat(each.get()).isNull());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aCallThatIsDoneIsFoundBehindLaterOnes(int kernelThreads) {
    start(3, kernelThreads);
    for (int i = 0; i < 100; i++) {
      group.allReduce(1, arena, 0);
      group.engines.get(1).submit(new PairTransfers(3));
    }
    for (int i = 0; i < 70; i++) {
      group.allReduce(0, arena, i == 69 ? 1000 : 0);
      group.allReduce(2, arena, i == 69 ? 1000 : 0);
    }
    for (int rank = 0; rank < 3; rank++) {
      CommException failure = group.awaitFailure(rank);
      assertThat(failure.result()).isEqualTo(ResultCode.INVALID_USAGE);
      assertThat(failure)
          .hasMessageContaining("called different operations")
          .hasMessageContaining("rank 1 called operation 70, all_reduce of 0 int8")
          .hasMessageContaining("rank 0 called operation 70, all_reduce of 1000 int8");
    }
  }

  @Test
  void aCallThatIsForgottenIsNotTakenForAnother() {
    start(2, 0);
    for (int i = 0; i <= OperationRing.CAPACITY; i++) {
      group.allReduce(1, arena, 0);
    }
    group.allReduce(0, arena, 1000);
    awaitTold(1, 2);
    assertThat(group.failures.getFirst().get()).isNull();
  }

  @Test
  void aWordThatMeansNothingNamesWhoSentIt() {
    start(2, 0);
    group.engines.get(0).heard(1, new byte[23]);
    assertThat(group.awaitFailure(0).failedRank()).isEqualTo(1);
    assertThat(group.awaitFailure(1)).hasMessageContaining("23 bytes that mean nothing");
  }
}
