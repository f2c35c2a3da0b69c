// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.transport.DelegatingNet;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How communicators begin and end. */
class LifeTest {
  private static void until(java.util.function.BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void oneThreadMakesAllRanksInTheBackground() throws Exception {
    CommConfig config = RankThreads.config(1).withName("ring");
    UniqueId id = UniqueId.create(config.settings(), config.logger());
    PendingCommunicator first = Communicator.initAsync(id, 2, 0, config);
    assertThat(first.poll()).isNull();
    assertThat(first.await(Duration.ofMillis(1))).isNull();
    PendingCommunicator second = Communicator.initAsync(id, 2, 1, config);
    Communicator one = Objects.requireNonNull(first.await(Duration.ofSeconds(240)));
    Communicator two = second.completion().toCompletableFuture().get(240, TimeUnit.SECONDS);
    assertThat(first.poll()).isSameAs(one);
    assertThat(one.describe()).startsWith("ring: 2 ranks");
    assertThat(one.device()).isEqualTo(-1);
    assertThat(RankThreads.each(List.of(one, two), RankThreads::sumOfRanks)).containsOnly(1);
    two.close();
    one.close();
  }

  /** Threads that keep all carriers of virtual threads until {@code over} says otherwise. */
  private static void occupyCarriers(BooleanSupplier over) throws InterruptedException {
    int carriers = Runtime.getRuntime().availableProcessors();
    CountDownLatch there = new CountDownLatch(carriers);
    for (int i = 0; i < carriers; i++) {
      Thread.ofVirtual()
          .start(() -> {
            there.countDown();
            while (!over.getAsBoolean()) {
              Thread.onSpinWait();
            }
          });
    }
    assertThat(there.await(240, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void whoPollsNeedsNoVirtualThread() throws Exception {
    CommConfig config = RankThreads.config(6);
    UniqueId id = UniqueId.create(config.settings(), config.logger());
    PendingCommunicator pending = Communicator.initAsync(id, 2, 0, config);
    AtomicBoolean givenUp = new AtomicBoolean();
    try {
      occupyCarriers(() -> givenUp.get() || pending.poll() != null);
      PendingCommunicator second = Communicator.initAsync(id, 2, 1, config);
      Communicator one = pending.await(Duration.ofSeconds(240));
      Communicator two = second.await(Duration.ofSeconds(240));
      assertThat(one).isNotNull();
      assertThat(two).isNotNull();
      two.close();
      one.close();
    } finally {
      givenUp.set(true);
    }
  }

  @Test
  void aStageIsCompletedThoughNoVirtualThreadGetsToRun() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (Communicator alone = Communicator.initAll(1, RankThreads.config(7)).getFirst();
        Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(64, 64);
      occupyCarriers(over::get);
      CompletableFuture<Void> stage =
          alone
              .allReduce(buffer, buffer, 16, DataType.FLOAT32, ReductionOp.SUM)
              .completion()
              .toCompletableFuture();
      stage.get(240, TimeUnit.SECONDS);
    } finally {
      over.set(true);
    }
  }

  @Test
  void anAbortEndsAnInitThatWaitsForOthers() throws Exception {
    CommConfig config = RankThreads.config(2);
    UniqueId id = UniqueId.create(config.settings(), config.logger());
    PendingCommunicator pending = Communicator.initAsync(id, 2, 1, config);
    CompletableFuture<Communicator> stage = pending.completion().toCompletableFuture();
    pending.abort();
    CommException failure =
        Objects.requireNonNull(
            catchThrowableOfType(
                CommException.class, () -> pending.await(Duration.ofSeconds(240))));
    assertThat(failure.result()).isEqualTo(ResultCode.INVALID_USAGE);
    assertThat(failure).hasMessageContaining("rank 1 was told to abort");
    assertThatThrownBy(stage::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(CommException.class);
    assertThatThrownBy(pending::poll).isInstanceOf(CommException.class);
    id.close();
  }

  @Test
  void anAbortWhileRanksConnectEndsTheOthersToo() throws Exception {
    CountDownLatch connecting = new CountDownLatch(2);
    CommConfig config =
        RankThreads.config(3)
            .withSettings(
                Settings.of(
                    Map.of(
                        "NCCL_SOCKET_IFNAME", "lo",
                        "NCCL_P2P_DISABLE", "1",
                        "NCCL_SHM_DISABLE", "1")))
            .withNet(
                new DelegatingNet(new MemoryNet(3)) {
                  @Override
                  public @Nullable SendComm connect(
                      NetContext context,
                      int device,
                      MemorySegment handle,
                      @Nullable DeviceHandle[] deviceHandle) {
                    connecting.countDown();
                    return null;
                  }
                });
    UniqueId id = UniqueId.create(config.settings(), config.logger());
    PendingCommunicator aborted = Communicator.initAsync(id, 2, 0, config);
    PendingCommunicator other = Communicator.initAsync(id, 2, 1, config);
    assertThat(connecting.await(240, TimeUnit.SECONDS)).isTrue();
    aborted.abort();
    for (PendingCommunicator each : List.of(aborted, other)) {
      CommException failure =
          Objects.requireNonNull(
              catchThrowableOfType(CommException.class, () -> each.await(Duration.ofSeconds(240))));
      assertThat(failure.failedRank()).isZero();
      assertThat(failure).hasMessageContaining("told to abort");
    }
  }

  @Test
  void anAbortOfWhatIsThereAbortsIt() throws Exception {
    CommConfig config = RankThreads.config(4);
    UniqueId id = UniqueId.create(config.settings(), config.logger());
    PendingCommunicator pending = Communicator.initAsync(id, 1, 0, config);
    try (Communicator alone = Objects.requireNonNull(pending.await(Duration.ofSeconds(240)))) {
      pending.abort();
      assertThat(alone.asyncError()).hasMessageContaining("told to abort");
    }
  }

  @Test
  void finishEndsWhatWasCalledAndTakesNothingMore() throws Exception {
    List<Communicator> ranks = Communicator.initAll(3, RankThreads.config(5));
    try (Arena arena = Arena.ofShared()) {
      List<Integer> sums =
          RankThreads.each(
              ranks,
              rank -> {
                MemorySegment value = arena.allocate(4);
                value.set(ValueLayout.JAVA_INT, 0, rank.rank());
                rank.allReduce(value, value, 1, DataType.INT32, ReductionOp.SUM);
                rank.finish();
                assertThatThrownBy(
                        () -> rank.allReduce(value, value, 1, DataType.INT32, ReductionOp.SUM))
                    .isInstanceOf(CommException.class)
                    .hasMessageContaining("closed");
                return value.get(ValueLayout.JAVA_INT, 0);
              });
      assertThat(sums).containsOnly(3);
      ranks.forEach(Communicator::close);
    }
  }

  /** The limit of the bootstrap is for what is set up; NITINOL_TIMEOUT=0 waits for ever. */
  @Test
  void finishWaitsForARankThatCalculates() throws Exception {
    CommConfig config =
        RankThreads.config(8)
            .withSettings(
                Settings.of(
                    Map.of(
                        "NCCL_SOCKET_IFNAME", "lo",
                        "NITINOL_BOOTSTRAP_TIMEOUT", "10",
                        "NITINOL_TIMEOUT", "0")));
    List<Communicator> ranks = Communicator.initAll(2, config);
    CompletableFuture<Void> early = ranks.get(0).finishAsync().toCompletableFuture();
    Thread.sleep(15_000);
    assertThat(early).isNotDone();
    ranks.get(1).finish();
    early.get(240, TimeUnit.SECONDS);
    ranks.forEach(Communicator::close);
  }

  @Test
  void finishWaitsForAllRanksAndEndsWithAnAbort() throws Exception {
    List<Communicator> ranks = Communicator.initAll(2, RankThreads.config(6));
    CompletableFuture<Void> finishing = ranks.get(0).finishAsync().toCompletableFuture();
    assertThat(finishing).isNotDone();
    ranks.get(1).abort();
    assertThatThrownBy(() -> finishing.get(240, TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommException.class);
    ranks.forEach(Communicator::close);
  }

  @Test
  void aStageIsCompletedOffTheProgressThread() throws Exception {
    List<Communicator> ranks = Communicator.initAll(2, RankThreads.config(7));
    try (Arena arena = Arena.ofShared()) {
      List<String> threads =
          RankThreads.each(
              ranks,
              rank -> {
                MemorySegment value = arena.allocate(4);
                Work work = rank.allReduce(value, value, 1, DataType.INT32, ReductionOp.SUM);
                return work.completion()
                    .thenApply(done -> String.valueOf(Thread.currentThread().isVirtual()))
                    .toCompletableFuture()
                    .orTimeout(240, TimeUnit.SECONDS)
                    .join();
              });
      assertThat(threads).hasSize(2);
    }
    ranks.forEach(Communicator::close);
  }

  @Test
  void anInterruptEndsAWaitThatAllowsItAndNotTheOperation() throws Exception {
    List<Communicator> ranks = Communicator.initAll(2, RankThreads.config(9));
    try (Arena arena = Arena.ofShared()) {
      MemorySegment value = arena.allocate(4);
      value.set(ValueLayout.JAVA_INT, 0, 7);
      Work work = ranks.get(0).allReduce(value, value, 1, DataType.INT32, ReductionOp.SUM);
      Thread.currentThread().interrupt();
      assertThatThrownBy(work::awaitInterruptibly)
          .isInstanceOf(InterruptedException.class)
          .hasMessageContaining("which goes on");
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> work.awaitInterruptibly(Duration.ofMinutes(4)))
          .isInstanceOf(InterruptedException.class);
      assertThat(work.awaitInterruptibly(Duration.ofMillis(1))).isFalse();
      CompletableFuture<Void> cancelled = work.completion().toCompletableFuture();
      cancelled.cancel(true);
      MemorySegment other = arena.allocate(4);
      other.set(ValueLayout.JAVA_INT, 0, 5);
      Work theirs = ranks.get(1).allReduce(other, other, 1, DataType.INT32, ReductionOp.SUM);
      work.awaitInterruptibly();
      theirs.await();
      Thread.currentThread().interrupt();
      work.awaitInterruptibly(); // it is done, so there is no wait to end
      assertThat(Thread.interrupted()).isTrue();
      assertThat(value.get(ValueLayout.JAVA_INT, 0)).isEqualTo(12);
      assertThat(other.get(ValueLayout.JAVA_INT, 0)).isEqualTo(12);
    }
    ranks.forEach(Communicator::close);
  }

  /** The waiting thread drives; another one has to go on with the operation after it. */
  @Test
  void anInterruptEndsAWaitUnderWay() throws Exception {
    List<Communicator> ranks = Communicator.initAll(2, RankThreads.config(10));
    try (Arena arena = Arena.ofShared()) {
      MemorySegment value = arena.allocate(4);
      Work work = ranks.get(0).allReduce(value, value, 1, DataType.INT32, ReductionOp.SUM);
      CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
      Thread waiter =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  work.awaitInterruptibly();
                  interrupted.complete(false);
                } catch (InterruptedException e) {
                  interrupted.complete(true);
                }
              });
      until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
      waiter.interrupt();
      assertThat(interrupted.get(240, TimeUnit.SECONDS)).isTrue();
      MemorySegment other = arena.allocate(4);
      ranks.get(1).allReduce(other, other, 1, DataType.INT32, ReductionOp.SUM).await();
      until(work::isDone);
    }
    ranks.forEach(Communicator::close);
  }

  @Test
  void aStageFailsWithTheCommunicatorAndItsCodeMayWait() throws Exception {
    List<Communicator> ranks = Communicator.initAll(2, RankThreads.config(8));
    try (Arena arena = Arena.ofShared()) {
      MemorySegment value = arena.allocate(4);
      Work work = ranks.get(0).allReduce(value, value, 1, DataType.INT32, ReductionOp.SUM);
      CompletableFuture<Thread> where = new CompletableFuture<>();
      CompletableFuture<Void> failed =
          work.completion()
              .whenComplete((done, failure) -> where.complete(Thread.currentThread()))
              .toCompletableFuture();
      ranks.get(1).abort();
      assertThatThrownBy(() -> failed.get(240, TimeUnit.SECONDS))
          .hasCauseInstanceOf(CommException.class);
      assertThat(where.get(240, TimeUnit.SECONDS).isVirtual()).isTrue();
      ranks.forEach(Communicator::close);
    }
    until(() ->
        Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().equals("nitinol-completions")));
  }
}
