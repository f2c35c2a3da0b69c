// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.core.connect.ConnectorGroup;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Collectives that are made once and started often. */
class PersistentCallsTest {
  private static final int RANKS = 3;
  private static final int COUNT = 5;
  private static final int STARTS = 3;
  private static final int INTS = 2 * RANKS * COUNT;
  private static final DataType INT = DataType.INT32;
  private static final ReductionOp SUM = ReductionOp.SUM;
  private static final HostOperator XOR = HostOperator.BIT_XOR;

  private interface Plain {
    Work call(Communicator rank, MemorySegment send, MemorySegment recv);
  }

  private interface Made {
    PersistentCall make(PersistentCalls calls, Communicator of, MemorySegment s, MemorySegment r);
  }

  private static Arguments row(String name, Plain plain, Made made) {
    return Arguments.of(name, plain, made);
  }

  private static PreMulSum twice(Communicator of) {
    return of.preMulSum(INT, 2L);
  }

  private static long[] counts(Communicator of) {
    long[] counts = new long[of.size()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = COUNT - i;
    }
    return counts;
  }

  private static long[] offsets(Communicator of) {
    long[] offsets = new long[of.size()];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = (long) i * COUNT;
    }
    return offsets;
  }

  private static long[] equal(Communicator of) {
    long[] counts = new long[of.size()];
    Arrays.fill(counts, COUNT - 2);
    return counts;
  }

  static Stream<Arguments> collectives() {
    return Stream.of(
        row(
            "all_reduce",
            (c, s, r) -> c.allReduce(s, r, COUNT, INT, SUM),
            (p, c, s, r) -> p.allReduce(s, r, COUNT, INT, SUM)),
        row(
            "all_reduce of a scaled sum",
            (c, s, r) -> c.allReduce(s, r, COUNT, INT, twice(c)),
            (p, c, s, r) -> p.allReduce(s, r, COUNT, INT, twice(c))),
        row(
            "all_reduce of bits",
            (c, s, r) -> c.allReduce(s, r, COUNT, INT, XOR),
            (p, c, s, r) -> p.allReduce(s, r, COUNT, INT, XOR)),
        row(
            "reduce",
            (c, s, r) -> c.reduce(s, r, COUNT, INT, SUM, 1),
            (p, c, s, r) -> p.reduce(s, c.rank() == 1 ? r : null, COUNT, INT, SUM, 1)),
        row(
            "reduce of a scaled sum",
            (c, s, r) -> c.reduce(s, r, COUNT, INT, twice(c), 2),
            (p, c, s, r) -> p.reduce(s, r, COUNT, INT, twice(c), 2)),
        row(
            "reduce of bits",
            (c, s, r) -> c.reduce(s, r, COUNT, INT, XOR, 0),
            (p, c, s, r) -> p.reduce(s, r, COUNT, INT, XOR, 0)),
        row(
            "broadcast",
            (c, s, r) -> c.broadcast(s, r, COUNT, INT, 1),
            (p, c, s, r) -> p.broadcast(c.rank() == 1 ? s : null, r, COUNT, INT, 1)),
        row(
            "all_gather",
            (c, s, r) -> c.allGather(s, r, COUNT, INT),
            (p, c, s, r) -> p.allGather(s, r, COUNT, INT)),
        row(
            "reduce_scatter",
            (c, s, r) -> c.reduceScatter(s, r, COUNT, INT, SUM),
            (p, c, s, r) -> p.reduceScatter(s, r, COUNT, INT, SUM)),
        row(
            "reduce_scatter of a scaled sum",
            (c, s, r) -> c.reduceScatter(s, r, COUNT, INT, twice(c)),
            (p, c, s, r) -> p.reduceScatter(s, r, COUNT, INT, twice(c))),
        row(
            "reduce_scatter of bits",
            (c, s, r) -> c.reduceScatter(s, r, COUNT, INT, XOR),
            (p, c, s, r) -> p.reduceScatter(s, r, COUNT, INT, XOR)),
        row(
            "alltoall",
            (c, s, r) -> c.allToAll(s, r, COUNT, INT),
            (p, c, s, r) -> p.allToAll(s, r, COUNT, INT)),
        row(
            "alltoallv",
            (c, s, r) -> c.allToAllV(s, equal(c), offsets(c), r, equal(c), offsets(c), INT),
            (p, c, s, r) -> p.allToAllV(s, equal(c), offsets(c), r, equal(c), offsets(c), INT)),
        row(
            "gather",
            (c, s, r) -> c.gather(s, r, COUNT, INT, 1),
            (p, c, s, r) -> p.gather(s, c.rank() == 1 ? r : null, COUNT, INT, 1)),
        row(
            "scatter",
            (c, s, r) -> c.scatter(s, r, COUNT, INT, 1),
            (p, c, s, r) -> p.scatter(c.rank() == 1 ? s : null, r, COUNT, INT, 1)),
        row(
            "all_gather_v",
            (c, s, r) -> c.allGatherV(s, counts(c)[c.rank()], r, counts(c), offsets(c), INT),
            (p, c, s, r) -> p.allGatherV(s, counts(c)[c.rank()], r, counts(c), offsets(c), INT)),
        row(
            "gather_v",
            (c, s, r) -> c.gatherV(s, counts(c)[c.rank()], r, counts(c), offsets(c), INT, 2),
            (p, c, s, r) -> p.gatherV(s, counts(c)[c.rank()], r, counts(c), offsets(c), INT, 2)),
        row(
            "scatter_v",
            (c, s, r) -> c.scatterV(s, counts(c), offsets(c), r, counts(c)[c.rank()], INT, 0),
            (p, c, s, r) -> p.scatterV(s, counts(c), offsets(c), r, counts(c)[c.rank()], INT, 0)),
        row("barrier", (c, s, r) -> c.barrier(), (p, c, s, r) -> p.barrier()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("collectives")
  void eachStartDoesWhatThePlainCallDoes(String name, Plain plain, Made made) throws Exception {
    for (CommConfig config :
        List.of(
            RankThreads.config(1),
            CommConfig.standard()
                .withSettings(ConnectorGroup.NETWORK_ONLY)
                .withNet(new MemoryNet(5)))) {
      List<Communicator> ranks = Communicator.initAll(RANKS, config);
      try (Arena arena = Arena.ofShared()) {
        RankThreads.each(
            ranks,
            rank -> {
              compare(rank, arena, plain, made);
              return 0;
            });
        ranks.forEach(Communicator::close);
      }
    }
  }

  private static void compare(Communicator rank, Arena arena, Plain plain, Made made) {
    MemorySegment send = arena.allocate(ValueLayout.JAVA_INT, INTS);
    MemorySegment recv = arena.allocate(ValueLayout.JAVA_INT, INTS);
    MemorySegment expected = arena.allocate(ValueLayout.JAVA_INT, INTS);
    try (PersistentCall call = made.make(rank.persistent(), rank, send, recv)) {
      for (int start = 0; start < STARTS; start++) {
        for (int i = 0; i < INTS; i++) {
          send.setAtIndex(ValueLayout.JAVA_INT, i, 1000 * start + 100 * rank.rank() + i);
        }
        recv.fill((byte) -1);
        expected.fill((byte) -1);
        plain.call(rank, send, expected).await();
        Work work = call.start();
        work.await();
        assertThat(work.isDone()).isTrue();
        assertThat(recv.toArray(ValueLayout.JAVA_INT))
            .as("start %d on rank %d", start, rank.rank())
            .containsExactly(expected.toArray(ValueLayout.JAVA_INT));
      }
    }
  }

  private static CommException refused(ResultCode code, Runnable call) {
    CommException thrown = catchThrowableOfType(CommException.class, call::run);
    assertThat(thrown).isNotNull();
    assertThat(thrown.result()).isEqualTo(code);
    return thrown;
  }

  @Test
  void aSecondStartBeforeTheFirstIsDoneIsRefused() {
    List<Communicator> ranks = Communicator.initAll(2, RankThreads.config(2));
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(64, 64);
      MemorySegment other = arena.allocate(64, 64);
      PersistentCall call = ranks.get(0).persistent().allReduce(buffer, buffer, 4, INT, SUM);
      for (int i = 0; i < 2; i++) {
        Work first = call.start();
        assertThat(first.isDone()).isFalse();
        assertThat(refused(ResultCode.INVALID_USAGE, call::start))
            .hasMessageContaining(
                "all_reduce: the persistent call is started again before its last operation is"
                    + " done");
        // The other rank calls the plain all-reduce: to prepare is each rank's own affair.
        Work second = ranks.get(1).allReduce(other, other, 4, INT, SUM);
        first.await();
        second.await();
        assertThat(first.isDone()).isTrue();
      }
      ranks.forEach(Communicator::close);
    }
  }

  @Test
  void aCallIsStartedByOtherThreadsThanItsMaker() throws Exception {
    try (Arena arena = Arena.ofShared();
        Communicator alone = Communicator.initAll(1, RankThreads.config(8)).getFirst()) {
      MemorySegment send = arena.allocate(64, 64);
      MemorySegment recv = arena.allocate(64, 64);
      PersistentCall call = alone.persistent().allReduce(send, recv, 4, INT, SUM);
      for (int start = 1; start <= STARTS; start++) {
        send.set(ValueLayout.JAVA_INT, 0, start);
        Work work = RankThreads.get(RankThreads.inThread(call::start));
        RankThreads.get(
            RankThreads.inThread(() -> {
              work.await();
              return 0;
            }));
        assertThat(recv.get(ValueLayout.JAVA_INT, 0)).isEqualTo(start);
      }
    }
  }

  @Test
  void theWorkIsOneObjectWhoseStagesAreOfTheStartBeforeThem() throws Exception {
    try (Arena arena = Arena.ofShared();
        Communicator alone = Communicator.initAll(1, RankThreads.config(3)).getFirst()) {
      MemorySegment buffer = arena.allocate(64, 64);
      PersistentCall call = alone.persistent().allReduce(buffer, buffer, 4, INT, SUM);
      Work work = call.start();
      work.completion().toCompletableFuture().get(240, TimeUnit.SECONDS);
      assertThat(call.start()).isSameAs(work);
      assertThat(work.await(Duration.ofSeconds(240))).isTrue();
      work.awaitInterruptibly();
    }
  }

  @Test
  void wrongArgumentsAreRefusedWhenACallIsMadeAlsoWithinAGroup() {
    try (Arena arena = Arena.ofShared();
        Communicator alone = Communicator.initAll(1, RankThreads.config(4)).getFirst()) {
      MemorySegment buffer = arena.allocate(64, 64);
      PersistentCalls calls = alone.persistent();
      try (Group _ = Group.start()) {
        assertThat(
                refused(
                    ResultCode.INVALID_ARGUMENT,
                    () -> calls.allReduce(buffer, buffer, 17, INT, SUM)))
            .hasMessageContaining(
                "all_reduce: send is a segment of 64 bytes; expected at least 68");
        assertThat(
                refused(ResultCode.INVALID_ARGUMENT, () -> calls.allToAll(buffer, buffer, 4, INT)))
            .hasMessageContaining("alltoall: recv");
        assertThat(calls.barrier()).isNotNull();
      }
    }
  }

  @Test
  void aGroupTakesNoStart() {
    try (Communicator alone = Communicator.initAll(1, RankThreads.config(5)).getFirst()) {
      PersistentCall barrier = alone.persistent().barrier();
      try (Group _ = Group.start()) {
        assertThat(refused(ResultCode.INVALID_USAGE, barrier::start))
            .hasMessageContaining("barrier: a persistent call is started within a group");
      }
      barrier.start().await();
    }
  }

  @Test
  void nothingIsStartedOnceAnythingIsClosed() {
    try (Arena arena = Arena.ofShared()) {
      Communicator alone = Communicator.initAll(1, RankThreads.config(6)).getFirst();
      MemorySegment buffer = arena.allocate(64, 64);
      PersistentCall closed = alone.persistent().allReduce(buffer, buffer, 4, INT, SUM);
      PersistentCall open = alone.persistent().allToAll(buffer, arena.allocate(64), 4, INT);
      Work work = closed.start();
      closed.close();
      closed.close();
      work.await();
      assertThat(refused(ResultCode.INVALID_USAGE, closed::start))
          .hasMessageContaining("all_reduce: the persistent call is closed");
      Arena freed = Arena.ofShared();
      MemorySegment gone = freed.allocate(64, 64);
      PersistentCall dangling = alone.persistent().allGather(buffer, gone, 4, INT);
      PersistentCall pairs = alone.persistent().allToAll(gone, buffer, 4, INT);
      freed.close();
      for (PersistentCall each : List.of(dangling, pairs)) {
        assertThat(refused(ResultCode.INVALID_ARGUMENT, each::start))
            .hasMessageContaining("a segment that has been freed");
      }
      alone.close();
      assertThat(refused(ResultCode.INVALID_USAGE, open::start))
          .hasMessageContaining("alltoall: the communicator is closed");
      assertThat(refused(ResultCode.INVALID_USAGE, () -> alone.persistent().barrier()))
          .hasMessageContaining("barrier: the communicator is closed");
      open.close();
    }
  }

  @Test
  void anAbortEndsWhatWasStartedAndAllStartsToCome() throws Exception {
    List<Communicator> ranks = Communicator.initAll(2, RankThreads.config(7));
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(64, 64);
      PersistentCall call = ranks.get(0).persistent().allReduce(buffer, buffer, 4, INT, SUM);
      PersistentCall idle = ranks.get(0).persistent().barrier();
      Work work = call.start();
      CompletableFuture<Void> stage = work.completion().toCompletableFuture();
      ranks.get(1).abort();
      CommException waiting = catchThrowableOfType(CommException.class, work::await);
      assertThat(waiting.failedRank()).isOne();
      for (PersistentCall each : List.of(call, idle)) {
        CommException next = catchThrowableOfType(CommException.class, each::start);
        assertThat(next.failedRank()).isOne();
        assertThat(next.result()).isEqualTo(waiting.result());
      }
      CompletionException ended = catchThrowableOfType(CompletionException.class, stage::join);
      assertThat(ended).hasCauseInstanceOf(CommException.class);
      ranks.forEach(Communicator::close);
      call.close();
    }
  }
}
