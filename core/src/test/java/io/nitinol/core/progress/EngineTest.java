// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommException;
import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineTest {
  private static final ChunkShape SHAPE = new ChunkShape(1024, 4, 64, 128, 256);
  private static final ScalarKernels KERNELS = ScalarKernels.instance();

  @ParameterizedTest
  @CsvSource({
    "1, 1, 0, park",
    "2, 1, 0, park",
    "3, 2, 0, spin",
    "4, 1, 0, yield",
    "4, 3, 0, park",
    "5, 2, 1, park",
    "8, 2, 2, park",
  })
  void sumsOfEveryCount(int n, int channels, int kernelThreads, String idle) throws Exception {
    long seed = System.nanoTime();
    System.err.println("EngineTest.sumsOfEveryCount seed " + seed);
    try (EngineGroup group = new EngineGroup(n, channels, SHAPE, kernelThreads, idle, seed)) {
      SplittableRandom random = new SplittableRandom(seed);
      long[] counts = new long[24];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = i < 4 ? i : random.nextLong(20_000);
      }
      onAllRanks(group, rank -> reduceAll(group, rank, n, counts, seed));
    }
  }

  private static boolean reduceAll(EngineGroup group, int rank, int n, long[] counts, long seed) {
    try (Arena arena = Arena.ofShared()) {
      ReduceFunction sum = KERNELS.function(DataType.INT32, ReductionOp.SUM, n);
      for (int k = 0; k < counts.length; k++) {
        long count = counts[k];
        boolean inPlace = k % 3 == 0;
        MemorySegment send = arena.allocate(count * 4 + 4, 4);
        MemorySegment recv = inPlace ? send : arena.allocate(count * 4 + 4, 4);
        for (long i = 0; i < count; i++) {
          send.setAtIndex(ValueLayout.JAVA_INT, i, value(rank, i, seed + k));
        }
        recv.setAtIndex(ValueLayout.JAVA_INT, count, 77);
        Engine engine = group.engines.get(rank);
        long work = group.allReduce(rank, send, recv, count, DataType.INT32, ReductionOp.SUM, sum);
        assertThat(engine.await(work, 0)).isTrue();
        for (long i = 0; i < count; i++) {
          int expected = 0;
          for (int r = 0; r < n; r++) {
            expected += value(r, i, seed + k);
          }
          if (recv.getAtIndex(ValueLayout.JAVA_INT, i) != expected) {
            throw new AssertionError("rank " + rank + " count " + count + " element " + i);
          }
        }
        assertThat(recv.getAtIndex(ValueLayout.JAVA_INT, count)).as("behind the end").isEqualTo(77);
      }
    }
    return true;
  }

  private static int value(int rank, long element, long seed) {
    long z = (rank * 31L + element + seed) * 0x9e3779b97f4a7c15L;
    return (int) (z >>> 32);
  }

  @Test
  void operationsAreDoneWithoutAnybodyWaiting() throws Exception {
    try (EngineGroup group = new EngineGroup(3, 1, SHAPE, 0, "park", 1);
        Arena arena = Arena.ofShared()) {
      List<Long> works = new ArrayList<>();
      List<MemorySegment> outputs = new ArrayList<>();
      // One thread submits for all ranks: only the background threads can do the work.
      for (int k = 0; k < 20; k++) {
        for (int rank = 0; rank < 3; rank++) {
          MemorySegment buffer = arena.allocate(4000, 64);
          buffer.fill((byte) 1);
          outputs.add(buffer);
          works.add(submit(group, rank, buffer, 4000, DataType.INT8));
        }
      }
      Await.until("all operations", () -> allDone(group));
      for (MemorySegment output : outputs) {
        assertThat(output.get(ValueLayout.JAVA_BYTE, 3999)).isEqualTo((byte) 3);
      }
      assertThat(works).startsWith(1L, 1L, 1L, 2L);
    }
  }

  private static boolean allDone(EngineGroup group) {
    return group.engines.stream().allMatch(e -> e.isDone(20));
  }

  @Test
  void moreOperationsThanTheRingHolds() throws Exception {
    try (EngineGroup group = new EngineGroup(2, 1, SHAPE, 0, "park", 2)) {
      onAllRanks(
          group,
          rank -> {
            try (Arena arena = Arena.ofShared()) {
              MemorySegment buffer = arena.allocate(8, 8);
              Engine engine = group.engines.get(rank);
              long last = 0;
              for (int k = 0; k < 3 * OperationRing.CAPACITY; k++) {
                last = submit(group, rank, buffer, 8, DataType.INT8);
              }
              return engine.await(last, 0);
            }
          });
    }
  }

  @Test
  void everythingIsClosed() {
    EngineGroup group = new EngineGroup(4, 3, SHAPE, 2, "park", 3);
    group.connected();
    assertThat(group.net.open()).isPositive();
    group.close();
    assertThat(group.net.open()).isZero();
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(t -> t.getName().startsWith("test") && t.getName().contains("-progress"));
  }

  @Test
  void differentCountsAreAnErrorThatNamesBoth() throws Exception {
    try (EngineGroup group = new EngineGroup(3, 1, SHAPE, 0, "park", 4)) {
      List<CommException> errors =
          onAllRanksFailing(
              group, rank -> submitAndAwait(group, rank, rank == 1 ? 2000 : 1000, DataType.INT8));
      assertThat(errors)
          .allMatch(e -> e.getMessage().contains("1000") && e.getMessage().contains("2000"))
          .allMatch(e -> e.getMessage().equals(errors.getFirst().getMessage()))
          .allMatch(e -> e.result() == ResultCode.INVALID_USAGE && e.failedRank() == -1);
    }
  }

  @Test
  void differentTypesOfTheSameSizeAreAnError() throws Exception {
    try (EngineGroup group = new EngineGroup(2, 1, SHAPE, 0, "park", 5)) {
      List<CommException> errors =
          onAllRanksFailing(
              group,
              rank ->
                  submitAndAwait(group, rank, 1000, rank == 0 ? DataType.INT32 : DataType.FLOAT32));
      assertThat(errors)
          .allMatch(e -> e.getMessage().contains("int32") && e.getMessage().contains("float"));
    }
  }

  @Test
  void aRankThatClosesFailsTheOthersThatNeedIt() throws Exception {
    try (EngineGroup group = new EngineGroup(3, 1, SHAPE, 0, "park", 6).connected()) {
      assertThat(group.engines.get(1).close().isNone()).isTrue();
      List<CommException> errors = new ArrayList<>();
      for (int rank : new int[] {0, 2}) {
        assertThatThrownBy(() -> submitAndAwait(group, rank, 1000, DataType.INT8))
            .isInstanceOfSatisfying(CommException.class, errors::add);
      }
      assertThat(errors).allMatch(e -> e.failedRank() == 1);
    }
  }

  @Test
  void aNoticeWinsOverTheBrokenConnection() throws Exception {
    try (EngineGroup group = new EngineGroup(3, 1, SHAPE, 0, "park", 7).connected()) {
      group.engines.get(1).close();
      List<CommException> errors = new ArrayList<>();
      Thread notice = Thread.ofPlatform().start(() -> group.failures.get(2).notice(17, "died"));
      assertThatThrownBy(() -> submitAndAwait(group, 2, 1000, DataType.INT8))
          .isInstanceOfSatisfying(CommException.class, errors::add);
      notice.join();
      assertThat(errors.getFirst().failedRank()).isEqualTo(17);
    }
  }

  @Test
  void aWaitWithALimitEnds() throws Exception {
    try (EngineGroup group = new EngineGroup(2, 1, SHAPE, 0, "park", 8);
        Arena arena = Arena.ofShared()) {
      Engine engine = group.engines.getFirst();
      long work = submit(group, 0, arena.allocate(64, 64), 64, DataType.INT8);
      assertThat(engine.await(work, 1_000_000)).isFalse();
      long other = submit(group, 1, arena.allocate(64, 64), 64, DataType.INT8);
      assertThat(group.engines.get(1).await(other, 0)).isTrue();
      assertThat(engine.await(work, TimeUnit.SECONDS.toNanos(10))).isTrue();
    }
  }

  @Test
  void memoryFreedTooEarlyIsAnErrorAndNoCrash() {
    try (EngineGroup group = new EngineGroup(2, 1, SHAPE, 0, "park", 9).connected()) {
      Engine engine = group.engines.getFirst();
      Arena arena = Arena.ofShared();
      MemorySegment buffer = arena.allocate(100_000, 64);
      arena.close();
      long work = submit(group, 0, buffer, 100_000, DataType.INT8);
      assertThatThrownBy(() -> engine.await(work, 0))
          .isInstanceOf(CommException.class)
          .hasMessageContaining("freed");
    }
  }

  private static boolean submitAndAwait(EngineGroup group, int rank, long count, DataType type) {
    try (Arena arena = Arena.ofShared()) {
      Engine engine = group.engines.get(rank);
      try {
        return engine.await(
            submit(group, rank, arena.allocate(count * type.size(), 64), count, type), 0);
      } finally {
        engine.drain(1);
        engine.close(); // nobody touches the buffer any more
      }
    }
  }

  private static long submit(
      EngineGroup group, int rank, MemorySegment buffer, long count, DataType type) {
    ReduceFunction sum = KERNELS.function(type, ReductionOp.SUM, 1);
    return group.allReduce(rank, buffer, buffer, count, type, ReductionOp.SUM, sum);
  }

  private interface RankBody {
    boolean run(int rank) throws Exception;
  }

  private static void onAllRanks(EngineGroup group, RankBody body) throws Exception {
    for (Future<Boolean> future : start(group, body)) {
      assertThat(future.get()).isTrue();
    }
  }

  private static List<CommException> onAllRanksFailing(EngineGroup group, RankBody body)
      throws Exception {
    List<CommException> errors = new ArrayList<>();
    for (Future<Boolean> future : start(group, body)) {
      try {
        future.get();
        throw new AssertionError("a rank has not failed");
      } catch (ExecutionException e) {
        errors.add((CommException) e.getCause());
      }
    }
    return errors;
  }

  private static List<Future<Boolean>> start(EngineGroup group, RankBody body) throws Exception {
    int n = group.engines.size();
    try (ExecutorService threads = Executors.newFixedThreadPool(n)) {
      List<Callable<Boolean>> bodies = new ArrayList<>();
      for (int r = 0; r < n; r++) {
        int rank = r;
        bodies.add(() -> {
          try {
            return body.run(rank);
          } catch (Throwable e) {
            // So that the others do not wait for this rank until the test's time is up.
            group.failures.get(rank).failHere(e, "the test");
            throw e;
          }
        });
      }
      return threads.invokeAll(bodies);
    }
  }
}
