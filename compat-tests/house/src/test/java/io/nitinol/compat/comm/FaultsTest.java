// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.chaos.Leftovers;
import io.nitinol.chaos.SumCheck;
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.Work;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.log.Log;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.testing.Await;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultsTest {
  /** The common pool has one thread where there are two processors: two ranks would deadlock. */
  private static final Executor EACH_ITS_THREAD =
      command -> Thread.ofPlatform().daemon().start(command);

  private final Arena arena = Arena.ofShared();
  private List<Communicator> group = List.of();

  @AfterEach
  void closeAll() {
    group.forEach(Communicator::close);
    arena.close();
  }

  private void start(int n, Map<String, String> variables) {
    group = Communicator.initAll(n, RankThreads.config(variables));
  }

  private Work reduce(int rank, long count, DataType type) {
    MemorySegment buffer = arena.allocate(count * type.size(), 64);
    return group.get(rank).allReduce(buffer, buffer, count, type, ReductionOp.SUM);
  }

  private static CommException failureOf(Work work) {
    try {
      assertThat(work.await(Duration.ofSeconds(240))).isTrue();
    } catch (CommException e) {
      return e;
    }
    throw new AssertionError("the operation was done");
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({"'', 0", "direct, 0", "ring, 0", "ring, 1", "tree, 1"})
  void differentCountsFailOnAllRanksAndNameBoth(String algorithm, String netOnly) {
    // Counts that are done in different ways never meet: then only the silence tells.
    start(
        3,
        Map.of(
            "NCCL_ALGO",
            algorithm,
            "NCCL_P2P_DISABLE",
            netOnly,
            "NCCL_SHM_DISABLE",
            netOnly,
            "NITINOL_TIMEOUT",
            "2"));
    List<Work> works =
        List.of(
            reduce(0, 1000, DataType.FLOAT32),
            reduce(1, 1000, DataType.FLOAT32),
            reduce(2, 3000, DataType.FLOAT32));
    for (Work work : works) {
      assertThat(failureOf(work)).hasMessageContaining("1000").hasMessageContaining("3000");
    }
    assertThat(group)
        .allMatch(c -> error(c).result() == ResultCode.INVALID_USAGE)
        .allMatch(c -> error(c).failedRank() == -1)
        .allMatch(c -> error(c).toString().equals(error(group.getFirst()).toString()));
    assertThatThrownBy(() -> reduce(0, 8, DataType.INT8)).isInstanceOf(CommException.class);
  }

  /** Each sends and neither listens, so both are done; the next operation tells. */
  @ParameterizedTest
  @ValueSource(longs = {10, 300_000})
  void differentRootsAreFoundByTheNextOperation(long count) {
    start(3, Map.of());
    List<Work> broadcasts = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      MemorySegment buffer = arena.allocate(4 * count, 64);
      int root = rank == 1 ? 1 : 0;
      broadcasts.add(group.get(rank).broadcast(buffer, buffer, count, DataType.INT32, root));
    }
    List<Work> next =
        List.of(
            reduce(0, count, DataType.INT32),
            reduce(1, count, DataType.INT32),
            reduce(2, count, DataType.INT32));
    for (Work work : next) {
      CommException failure = failureOf(work);
      assertThat(failure.result()).isEqualTo(ResultCode.INVALID_USAGE);
      assertThat(failure).hasMessageContaining("root");
    }
  }

  @Test
  void differentOperatorsFail() {
    start(2, Map.of());
    MemorySegment buffer = arena.allocate(64, 64);
    Work sum = group.get(0).allReduce(buffer, buffer, 16, DataType.INT32, ReductionOp.SUM);
    MemorySegment other = arena.allocate(64, 64);
    Work max = group.get(1).allReduce(other, other, 16, DataType.INT32, ReductionOp.MAX);
    assertThat(failureOf(sum)).hasMessageContaining("sum").hasMessageContaining("max");
    assertThat(failureOf(max)).hasMessageContaining("sum").hasMessageContaining("max");
  }

  @ParameterizedTest(name = "P2P and SHM off: {0}")
  @ValueSource(strings = {"0", "1"})
  void aRankThatHasNotCalledIsNamedOnAllRanks(String netOnly) {
    start(
        4,
        Map.of("NITINOL_TIMEOUT", "1", "NCCL_P2P_DISABLE", netOnly, "NCCL_SHM_DISABLE", netOnly));
    List<Work> works =
        List.of(
            reduce(0, 100_000, DataType.FLOAT32),
            reduce(1, 100_000, DataType.FLOAT32),
            reduce(3, 100_000, DataType.FLOAT32));
    List<String> messages = new ArrayList<>();
    for (Work work : works) {
      CommException failure = failureOf(work);
      assertThat(failure.failedRank()).as(failure.getMessage()).isEqualTo(2);
      messages.add(failure.getMessage());
    }
    assertThat(messages).containsOnly(error(group.get(2)).getMessage());
  }

  @Test
  void abortEndsTheWaitOfAllRanksAndNamesTheOne() throws Exception {
    start(3, Map.of());
    List<CompletableFuture<CommException>> waiting = new ArrayList<>();
    CountDownLatch submitted = new CountDownLatch(2);
    for (int rank : new int[] {0, 1}) {
      waiting.add(
          CompletableFuture.supplyAsync(
              () -> {
                Work work = reduce(rank, 1 << 20, DataType.FLOAT32);
                submitted.countDown();
                return failureOf(work);
              },
              EACH_ITS_THREAD));
    }
    submitted.await();
    group.get(2).abort();
    for (CompletableFuture<CommException> future : waiting) {
      assertThat(future.get().failedRank()).isEqualTo(2);
    }
    assertThat(error(group.get(2)).failedRank()).isEqualTo(2);
    assertThatThrownBy(() -> reduce(2, 8, DataType.INT8))
        .isInstanceOf(CommException.class)
        .hasMessageContaining("abort");
  }

  @Test
  void aRankThatClosesEarlyFailsThoseThatNeedIt() {
    start(3, Map.of());
    group.get(1).close();
    Work work = reduce(0, 100_000, DataType.FLOAT32);
    assertThat(failureOf(work).failedRank()).isEqualTo(1);
  }

  @Test
  void closeDoesNotDisturbRanksThatStillFinishTheSameOperation() throws Exception {
    for (int round = 0; round < 20; round++) {
      start(4, Map.of("NCCL_BUFFSIZE", "64K"));
      RankThreads.run(
              group,
              comm -> {
                SumCheck.allReduce(comm, 300_000, false, 3);
                comm.close();
                return true;
              })
          .forEach(f -> assertThat(f.resultNow()).isTrue());
    }
  }

  @Test
  void closingTwiceAndUsingAfterwards() {
    start(2, Map.of());
    group.get(0).close();
    group.get(0).close();
    assertThatThrownBy(() -> reduce(0, 8, DataType.INT8))
        .isInstanceOf(CommException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void ranksMustAgreeOnSlotsAndChannels() {
    UniqueId id = UniqueId.create(RankThreads.config(Map.of()).settings(), Log.process());
    List<CompletableFuture<Communicator>> joining = new ArrayList<>();
    for (int r = 0; r < 3; r++) {
      int rank = r;
      Map<String, String> variables = r == 2 ? Map.of("NCCL_BUFFSIZE", "64K") : Map.of();
      joining.add(
          CompletableFuture.supplyAsync(
              () -> Communicator.init(id, 3, rank, RankThreads.config(variables)),
              EACH_ITS_THREAD));
    }
    for (CompletableFuture<Communicator> future : joining) {
      assertThatThrownBy(future::join)
          .cause()
          .isInstanceOf(CommException.class)
          .hasMessageContaining("NCCL_BUFFSIZE")
          .hasMessageContaining("524288 on rank 0,1")
          .hasMessageContaining("8192 on rank 2");
    }
  }

  @Test
  void anUnknownNetworkFailsAtOnce() {
    assertThatThrownBy(
            () -> Communicator.initAll(2, RankThreads.config(Map.of("NCCL_NET", "Nope"))))
        .isInstanceOf(CommException.class)
        .hasMessageContaining("Nope")
        .hasMessageContaining("Socket");
  }

  @ParameterizedTest
  @ValueSource(strings = {"send", "recv"})
  void buffersAreChecked(String which) {
    start(1, Map.of());
    MemorySegment good = arena.allocate(64, 64);
    expectInvalid(which, good, MemorySegment.ofArray(new byte[64]), "heap");
    expectInvalid(which, good, arena.allocate(63), "63 bytes");
    expectInvalid(which, good, Arena.ofConfined().allocate(64), "ofShared");
    Arena freed = Arena.ofShared();
    MemorySegment gone = freed.allocate(64);
    freed.close();
    expectInvalid(which, good, gone, "freed");
    if (which.equals("recv")) {
      expectInvalid(which, good, good.asReadOnly(), "read-only");
    }
  }

  private void expectInvalid(String which, MemorySegment good, MemorySegment bad, String text) {
    boolean send = which.equals("send");
    assertThatThrownBy(() ->
            group
                .getFirst()
                .allReduce(
                    send ? bad : good, send ? good : bad, 16, DataType.FLOAT32, ReductionOp.SUM))
        .isInstanceOfSatisfying(
            CommException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_ARGUMENT))
        .hasMessageContaining(which + " is")
        .hasMessageContaining(text);
  }

  @Test
  void partialOverlapAndNegativeCountAreRefused() {
    start(1, Map.of());
    MemorySegment memory = arena.allocate(128, 64);
    assertThatThrownBy(() ->
            group
                .getFirst()
                .allReduce(
                    memory.asSlice(0, 64),
                    memory.asSlice(4, 64),
                    16,
                    DataType.INT32,
                    ReductionOp.SUM))
        .hasMessageContaining("4 bytes away");
    assertThatThrownBy(
            () -> group.getFirst().allReduce(memory, memory, -1, DataType.INT32, ReductionOp.SUM))
        .hasMessageContaining("-1");
  }

  @Test
  void nothingIsLeftBehind() throws Exception {
    RankThreads.withGroup(2, Map.of(), c -> c.rank()); // what stays for good is there now
    int before = descriptors();
    for (int i = 0; i < 20; i++) {
      RankThreads.withGroup(
          3,
          Map.of("NITINOL_KERNEL_THREADS", "1"),
          comm -> {
            SumCheck.allReduce(comm, 10_000, true, 1);
            return true;
          });
    }
    // Roots and bootstrap loops end in their own time after the last goodbye.
    Await.until(
        "the end of threads and descriptors",
        () ->
            descriptors() <= before
                && Leftovers.now().stream().noneMatch(each -> each.startsWith("thread ")));
  }

  private static int descriptors() {
    return Objects.requireNonNull(new File("/proc/self/fd").list()).length;
  }

  /** Waits for the failure, which a rank that waits for nothing hears a moment after the others. */
  private static CommException error(Communicator communicator) {
    return Await.nonNull(
        "rank " + communicator.rank() + " hears of the failure", communicator::asyncError);
  }
}
