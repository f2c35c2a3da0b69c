// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommException;
import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong while operations are under way, on engines joined in one process. */
class EngineFaultsTest {
  private static final ChunkShape SHAPE = new ChunkShape(1024, 4, 64, 128, 256);
  private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private final Arena arena = Arena.ofShared();
  private EngineGroup group = new EngineGroup(1, 1, SHAPE, 0, "park", 0);

  private void start(int n, int kernelThreads, long stallNanos) {
    group.close();
    group = new EngineGroup(n, 1, SHAPE, kernelThreads, "park", n, stallNanos);
  }

  @AfterEach
  void close() {
    group.close();
    arena.close();
  }

  @Test
  void ranksThatChoseDifferentlyAreToldSo() {
    start(2, 0, STALL_NANOS);
    for (int rank = 0; rank < 2; rank++) {
      MemorySegment buffer = arena.allocate(1000, 64);
      CollectiveCall call =
          new CollectiveCall(
              Collective.ALL_REDUCE,
              buffer,
              buffer,
              1000,
              DataType.INT8,
              ReductionOp.SUM.code(),
              ScalarKernels.instance().function(DataType.INT8, ReductionOp.SUM, 1),
              0);
      Algorithm algorithm = rank == 0 ? Algorithm.RING : Algorithm.TREE;
      group.engines.get(rank).submit(call, new Choice(algorithm, Protocol.SIMPLE, 1), null);
    }
    for (int rank = 0; rank < 2; rank++) {
      CommException failure = group.awaitFailure(rank);
      assertThat(failure.result()).isEqualTo(ResultCode.INVALID_USAGE);
      assertThat(failure)
          .hasMessageContaining("chose different ways")
          .hasMessageContaining("RING/SIMPLE on 1 channel")
          .hasMessageContaining("TREE/SIMPLE on 1 channel");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aStallNamesTheRankThatHasNotCalledOnAllRanks(int kernelThreads) {
    start(4, kernelThreads, STALL_NANOS);
    for (int rank : new int[] {0, 1, 3}) {
      group.allReduce(rank, arena, 1000);
    }
    for (int rank = 0; rank < 4; rank++) {
      CommException failure = group.awaitFailure(rank);
      assertThat(failure.failedRank()).as(failure.getMessage()).isEqualTo(2);
      assertThat(failure.result()).isEqualTo(ResultCode.TIMEOUT);
      assertThat(failure).hasMessage(group.awaitFailure(0).getMessage());
      assertThat(failure).hasMessageContaining("NITINOL_TIMEOUT");
    }
  }

  @Test
  void shortWaitsDoNotPutTheStallOff() {
    start(2, 0, STALL_NANOS);
    long work = group.allReduce(0, arena, 1000);
    assertThatThrownBy(
            () -> {
              while (!group.engines.getFirst().await(work, 20_000_000)) {
                Thread.onSpinWait();
              }
            })
        .isInstanceOfSatisfying(CommException.class, e -> assertThat(e.failedRank()).isEqualTo(1));
  }

  @Test
  void aWaitEndsWhenAnotherThreadCloses() throws Exception {
    start(2, 0, 0);
    Engine engine = group.engines.getFirst();
    long work = group.allReduce(0, arena, 1000);
    List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      waiters.add(
          CompletableFuture.supplyAsync(
              () -> engine.await(work, 0), command -> Thread.ofPlatform().start(command)));
    }
    assertThat(engine.close().isNone()).isTrue();
    for (CompletableFuture<Boolean> waiter : waiters) {
      assertThatThrownBy(() -> waiter.get(240, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(CommException.class)
          .hasMessageContaining("closed");
    }
    assertThatThrownBy(() -> engine.await(work, 0)).hasMessageContaining("closed");
    assertThatThrownBy(() -> group.allReduce(0, arena, 10)).hasMessageContaining("closed");
    assertThatThrownBy(engine::check).hasMessageContaining("closed");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 300_000_000})
  void messagesThatAreNotTakenAreNotOperationsUnderWay(long stallNanos) {
    start(2, 0, stallNanos);
    group.net.limitCompletions(0);
    group.allReduce(0, arena, 1);
    group.allReduce(1, arena, 1);
    Engine engine = group.engines.getFirst();
    while (!engine.isDone(1)) {
      Thread.onSpinWait();
    }
    if (stallNanos == 0) {
      assertThat(engine.drain(100_000_000)).isFalse();
      CommException unfinished = engine.unfinished(100_000_000);
      assertThat(unfinished.failedRank()).isEqualTo(1);
      assertThat(unfinished)
          .hasMessageContaining("rank 1 does not take its last messages")
          .hasMessageNotContaining("under way");
      group.failures.get(0).fail(unfinished);
    } else {
      assertThat(group.awaitFailure(0)).hasMessageContaining("does not take its last messages");
    }
  }

  @Test
  void anOperationUnderWayIsWhoClosesFault() {
    start(2, 0, 0);
    group.allReduce(0, arena, 1000);
    Engine engine = group.engines.getFirst();
    assertThat(engine.drain(50_000_000)).isFalse();
    CommException unfinished = engine.unfinished(50_000_000);
    assertThat(unfinished.failedRank()).isZero();
    assertThat(unfinished).hasMessageContaining("under way");
    group.failures.get(0).fail(unfinished);
  }

  @Test
  void aFaultOfThisProcessIsNotPinnedOnTheNeighbour() {
    start(3, 0, 0);
    group.connected();
    group.net.failTests(new NetException(ResultCode.SYSTEM_ERROR, "out of descriptors"));
    group.allReduce(1, arena, 1000);
    assertThat(group.awaitFailure(1).result()).isEqualTo(ResultCode.SYSTEM_ERROR);
    for (int rank = 0; rank < 3; rank++) {
      assertThat(group.awaitFailure(rank).failedRank()).isEqualTo(1);
    }
  }

  @Test
  void anInterruptDoesNotReachTheNetworkAndStaysForTheCaller() {
    start(2, 0, 0);
    long work = group.allReduce(0, arena, 1000);
    Thread.currentThread().interrupt();
    boolean early = group.engines.getFirst().await(work, 20_000_000);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(early).isFalse();
    group.allReduce(1, arena, 1000);
    Thread.currentThread().interrupt();
    boolean done = group.engines.getFirst().await(work, 0);
    Thread.currentThread().interrupt();
    boolean drained = group.engines.getFirst().drain(TimeUnit.SECONDS.toNanos(10));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(done).isTrue();
    assertThat(drained).isTrue();
    assertThat(group.failures.getFirst().get()).isNull();
  }

  @Test
  void anInterruptedWaiterStillParks() throws Exception {
    start(2, 0, 0);
    long work = group.allReduce(0, arena, 1000);
    CompletableFuture<Boolean> kept = new CompletableFuture<>();
    Thread waiter =
        Thread.ofPlatform()
            .start(() -> {
              Thread.currentThread().interrupt();
              group.engines.getFirst().await(work, 0);
              kept.complete(Thread.interrupted());
            });
    while (waiter.getState() != Thread.State.TIMED_WAITING) {
      assertThat(waiter.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    group.allReduce(1, arena, 1000);
    assertThat(kept.get(240, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aThreadThatServesAllRanksIsToldBeforeItWaitsForItself() {
    start(2, 0, 0);
    LocalRanks.join(group.engines);
    group.allReduce(1, arena, 8);
    for (int k = 0; k < OperationRing.CAPACITY + 1; k++) {
      group.allReduce(0, arena, 8);
    }
    // Operation 1 is called on both; of number 2, which must be done first now, that is not so.
    assertThatThrownBy(() -> group.allReduce(0, arena, 8))
        .isInstanceOfSatisfying(
            CommException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasMessageContaining("256 operations")
        .hasMessageContaining("operation 2 has not been called for rank 1");
    assertThat(group.failures.getFirst().get()).isNull();
    long last = 0;
    for (int k = 0; k < OperationRing.CAPACITY; k++) {
      last = group.allReduce(1, arena, 8);
    }
    assertThat(group.engines.get(0).await(last, 0)).isTrue();
    assertThat(group.engines.get(0).await(submitBoth(), 0)).isTrue();
  }

  private long submitBoth() {
    group.allReduce(1, arena, 8);
    return group.allReduce(0, arena, 8);
  }

  @Test
  void aRankThatNobodyUsesEndsTheWaitForRoom() {
    start(2, 0, 0);
    LocalRanks ranks = new LocalRanks(group.engines, 200_000_000);
    group.engines.forEach(e -> e.join(ranks));
    for (int k = 0; k < OperationRing.CAPACITY; k++) {
      group.allReduce(0, arena, 8);
    }
    long begin = System.nanoTime();
    assertThatThrownBy(() -> group.allReduce(0, arena, 8))
        .hasMessageContaining("nobody has used yet");
    assertThat(System.nanoTime() - begin).isGreaterThan(150_000_000);
    for (int k = 0; k < OperationRing.CAPACITY; k++) {
      group.allReduce(1, arena, 8);
    }
    assertThat(group.engines.get(0).await(OperationRing.CAPACITY, 0)).isTrue();
  }

  /** All may find room for one; those who then find none have taken no number. */
  @Test
  void threadsThatRaceForTheLastRoomLeaveNoGap() throws Exception {
    start(2, 0, 0);
    LocalRanks ranks = new LocalRanks(group.engines, 200_000_000);
    group.engines.forEach(e -> e.join(ranks));
    for (int k = 0; k < OperationRing.CAPACITY - 1; k++) {
      group.allReduce(0, arena, 8);
    }
    int threads = 8;
    CyclicBarrier together = new CyclicBarrier(threads);
    List<CompletableFuture<Boolean>> results = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      CompletableFuture<Boolean> result = new CompletableFuture<>();
      results.add(result);
      Thread.ofPlatform()
          .daemon()
          .start(() -> {
            try {
              together.await();
              group.allReduce(0, arena, 8);
              result.complete(true);
            } catch (CommException e) {
              result.complete(false);
            } catch (Throwable e) {
              result.completeExceptionally(e);
            }
          });
    }
    int submitted = 0;
    for (CompletableFuture<Boolean> result : results) {
      submitted += result.get(240, TimeUnit.SECONDS) ? 1 : 0;
    }
    assertThat(submitted).isEqualTo(1);
    for (int k = 0; k < OperationRing.CAPACITY; k++) {
      group.allReduce(1, arena, 8);
    }
    assertThat(group.engines.get(0).await(submitBoth(), 0)).isTrue();
  }

  @Test
  void theBackgroundThreadSurvivesADefectAndReportsIt() {
    CommFailures failures =
        new CommFailures(
            0,
            (rank, text) -> {
              throw new IllegalStateException("and nobody can be told");
            });
    Engine engine =
        new Engine(
            "defect",
            group.links.of(0),
            (collective, choice, channel) -> {
              throw new IllegalStateException("a defect");
            },
            0,
            1,
            1,
            failures,
            IdleStrategy.of("park", true),
            0,
            0);
    engine.start();
    CollectiveCall call =
        new CollectiveCall(
            Collective.BROADCAST,
            MemorySegment.NULL,
            MemorySegment.NULL,
            1,
            DataType.INT8,
            CollectiveCall.NO_OPERATOR,
            null,
            0);
    engine.submit(call, group.ring, null);
    while (failures.get() == null) {
      assertThat(engine.thread().isAlive()).isTrue();
      Thread.onSpinWait();
    }
    assertThat(failures.get()).hasMessageContaining("a defect");
    assertThat(engine.thread().isAlive()).isTrue();
    assertThat(engine.close().isNone()).isTrue();
  }
}
