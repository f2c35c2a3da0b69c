// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.core.call.Calls;
import io.nitinol.core.call.CollectiveCalls;
import io.nitinol.core.call.Operator;
import io.nitinol.core.call.Submitter;
import io.nitinol.core.call.TransferBatch;
import io.nitinol.core.call.TransferCalls;
import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.core.transport.collnet.NetworkReductions;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What groups submit, and when; the operations themselves are only written down. */
class GroupTest {
  private final Communicator owner = Communicator.initAll(1, RankThreads.config(1)).getFirst();
  private final Arena arena = Arena.ofShared();
  private final List<String> log = new ArrayList<>();

  /** Rank 1 of 3 of a communicator whose operations are only written down, under its name. */
  private final class Recorded extends Submitter {
    final String name;
    final Calls calls;
    final CollectiveCalls collectives;
    final TransferCalls transfers;
    final List<Runnable> completions = new ArrayList<>();
    int failAt = -1;
    @Nullable CommException failed;
    private int submitted;

    Recorded(String name) {
      super(owner.engine(), (_, _, _) -> null, 3, false, NetworkReductions.NONE, false);
      this.name = name;
      Engine engine = owner.engine();
      calls = new Calls(1, 3, engine, this, ScalarKernels.instance(), null);
      collectives = new CollectiveCalls(calls);
      transfers = new TransferCalls(calls);
    }

    private long next(String what) {
      if (submitted == failAt) {
        throw new CommException(ResultCode.REMOTE_ERROR, 2, "rank 2 died", null);
      }
      log.add(name + " " + what);
      return ++submitted;
    }

    @Override
    public long submit(CollectiveCall call, @Nullable Runnable completion) {
      if (completion != null) {
        completions.add(completion);
      }
      int op = call.function() == null ? 0 : call.op();
      String elements = call.count() + " " + call.type().label();
      return next(call.collective().label() + " " + elements + " op " + op);
    }

    @Override
    public long submit(TransferBatch batch) {
      List<String> texts = new ArrayList<>();
      for (TransferBatch.Piece piece : batch.pieces()) {
        texts.add((piece.sends() ? ">" : "<") + piece.peer() + ":" + piece.buffer().byteSize());
      }
      return next(String.join(" ", texts));
    }

    @Override
    public void check() {
      if (failed != null) {
        throw failed;
      }
    }

    Work allReduce(MemorySegment buffer, long count) {
      return work(
          collectives.allReduce(
              Group.current(),
              buffer,
              buffer,
              count,
              DataType.INT32,
              Operator.of(ReductionOp.SUM)));
    }

    Work work(long number) {
      return Work.of(owner.engine(), Group.current(), number);
    }
  }

  private final Recorded a = new Recorded("a");
  private final Recorded b = new Recorded("b");

  @AfterEach
  void close() {
    assertThat(Group.current()).as("the test's group has ended").isNull();
    owner.close();
    arena.close();
  }

  private MemorySegment ints(int... values) {
    return arena.allocateFrom(ValueLayout.JAVA_INT, values);
  }

  @Test
  void messagesAreOneOperationBeforeTheCollectives() {
    MemorySegment buffer = ints(new int[30]);
    try (Group _ = Group.start()) {
      a.transfers.send(Group.current(), buffer, 2, DataType.INT32, 0);
      a.collectives.broadcast(Group.current(), null, buffer, 5, DataType.INT32, 0);
      a.transfers.recv(Group.current(), buffer.asSlice(20), 3, DataType.INT32, 2);
      a.transfers.gather(Group.current(), buffer, null, 1, DataType.INT8, 2);
      a.collectives.allGather(Group.current(), buffer, ints(new int[6]), 2, DataType.INT32);
      assertThat(log).isEmpty();
    }
    assertThat(log)
        .containsExactly(
            "a >0:8 <2:12 >2:1", "a broadcast 5 int32 op 0", "a all_gather 2 int32 op 0");
  }

  @Test
  void onlyTheOutermostEndSubmits() {
    MemorySegment buffer = ints(1);
    Group outer = Group.start();
    Group inner = Group.start();
    a.transfers.send(Group.current(), buffer, 1, DataType.INT32, 0);
    assertThatThrownBy(outer::close).hasMessageContaining("1 group(s) within it");
    inner.close();
    inner.close(); // does nothing
    assertThat(log).isEmpty();
    a.transfers.send(Group.current(), buffer, 1, DataType.INT32, 2);
    Group.end();
    assertThat(log).containsExactly("a >0:4 >2:4");
    outer.close(); // does nothing
    assertThatThrownBy(Group::end).hasMessageContaining("has started no group");
  }

  @Test
  void aThreadEndsOnlyItsOwnGroups() throws Exception {
    try (Group group = Group.start()) {
      RankThreads.get(
          RankThreads.inThread(() -> {
            assertThatThrownBy(group::close).hasMessageContaining("ends a group of thread");
            a.transfers.send(Group.current(), ints(1), 1, DataType.INT32, 0); // in no group
            return "";
          }));
      assertThat(log).containsExactly("a >0:4");
    }
  }

  @Test
  void communicatorsGetTheirOperationsInTurn() {
    try (Group _ = Group.start()) {
      a.collectives.broadcast(Group.current(), null, ints(1), 1, DataType.INT32, 0);
      a.collectives.broadcast(Group.current(), null, ints(1, 2), 2, DataType.INT32, 0);
      b.collectives.broadcast(Group.current(), null, ints(1, 2, 3), 3, DataType.INT32, 0);
      b.transfers.send(Group.current(), ints(1), 1, DataType.INT32, 0);
    }
    assertThat(log)
        .containsExactly(
            "a broadcast 1 int32 op 0",
            "b >0:4",
            "a broadcast 2 int32 op 0",
            "b broadcast 3 int32 op 0");
  }

  @Test
  void smallAllReducesThatFollowEachOtherAreOne() {
    MemorySegment first = ints(1, 2);
    MemorySegment second = ints(3);
    MemorySegment result = ints(0, 99);
    List<Work> works = new ArrayList<>();
    try (Group _ = Group.start()) {
      works.add(a.allReduce(first, 2));
      works.add(a.allReduce(ints(), 0));
      works.add(
          a.work(
              a.collectives.allReduce(
                  Group.current(),
                  second,
                  result,
                  1,
                  DataType.INT32,
                  Operator.of(ReductionOp.SUM))));
      a.collectives.allReduce(
          Group.current(), first, first, 1, DataType.INT32, Operator.of(ReductionOp.MAX));
      a.allReduce(ints(new int[3000]), 3000); // too large
      a.allReduce(ints(1), 1);
      a.collectives.broadcast(Group.current(), null, ints(1), 1, DataType.INT32, 0);
      a.allReduce(ints(1), 1);
    }
    assertThat(log)
        .containsExactly(
            "a all_reduce 3 int32 op 0",
            "a all_reduce 1 int32 op 2",
            "a all_reduce 3000 int32 op 0",
            "a all_reduce 1 int32 op 0",
            "a broadcast 1 int32 op 0",
            "a all_reduce 1 int32 op 0");
    first.fill((byte) 0);
    second.fill((byte) 0);
    a.completions.getFirst().run(); // nothing was reduced: the inputs come back
    assertThat(first.toArray(ValueLayout.JAVA_INT)).containsExactly(1, 2);
    assertThat(second.toArray(ValueLayout.JAVA_INT)).containsExactly(0);
    assertThat(result.toArray(ValueLayout.JAVA_INT)).containsExactly(3, 99);
    assertThat(works).hasSize(3);
  }

  @Test
  void manySmallAllReducesAreCutAt64KiB() {
    try (Group _ = Group.start()) {
      for (int i = 0; i < 20; i++) {
        a.allReduce(ints(new int[2048]), 2048);
      }
    }
    assertThat(log)
        .containsExactly(
            "a all_reduce 16384 int32 op 0",
            "a all_reduce 16384 int32 op 0",
            "a all_reduce 8192 int32 op 0");
  }

  @Test
  void resultsThatOverlapAreRefused() {
    MemorySegment buffer = ints(1, 2, 3);
    Group group = Group.start();
    a.allReduce(buffer, 2);
    a.allReduce(buffer.asSlice(4), 2);
    assertThatThrownBy(group::close).hasMessageContaining("overlap");
    assertThat(log).isEmpty();
  }

  @Test
  void mistakesAreReportedTogetherAtTheEndAndNothingIsSubmitted() {
    MemorySegment buffer = ints(1, 2);
    Group group = Group.start();
    Work good = a.allReduce(buffer, 1);
    Work bad = a.allReduce(buffer, 3);
    Work other = b.work(b.transfers.send(Group.current(), buffer, 1, DataType.INT32, 3));
    CommException failure =
        Objects.requireNonNull(catchThrowableOfType(CommException.class, group::close));
    assertThat(failure.result()).isEqualTo(ResultCode.INVALID_ARGUMENT);
    assertThat(failure)
        .hasMessageContaining("2 of 3 calls cannot be done, so none was submitted")
        .hasMessageContaining("call 2, all_reduce: send is a segment of 8 bytes")
        .hasMessageContaining("call 3, send: peer is 3; expected a rank from 0 to 2");
    assertThat(log).isEmpty();
    for (Work work : List.of(good, bad, other)) {
      assertThatThrownBy(work::await).hasMessageContaining("its group was not submitted");
    }
    a.allReduce(buffer, 2); // works on
    assertThat(log).containsExactly("a all_reduce 2 int32 op 0");
  }

  @Test
  void aWorkCannotBeAskedForBeforeTheEnd() {
    try (Group _ = Group.start()) {
      Work work = a.allReduce(ints(1), 1);
      for (Runnable asking : List.<Runnable>of(work::await, work::isDone, work::completion)) {
        CommException failure =
            Objects.requireNonNull(catchThrowableOfType(CommException.class, asking::run));
        assertThat(failure.result()).isEqualTo(ResultCode.INVALID_USAGE);
        assertThat(failure).hasMessageContaining("its group has not ended");
      }
    }
  }

  @Test
  void aCommunicatorThatHasFailedKeepsTheWholeGroupBack() {
    b.failed = new CommException(ResultCode.REMOTE_ERROR, 2, "rank 2 died", null);
    Group group = Group.start();
    a.allReduce(ints(1), 1);
    a.allReduce(ints(1), 1);
    b.allReduce(ints(1), 1);
    assertThatThrownBy(group::close).hasMessageContaining("rank 2 died");
    assertThat(log).isEmpty();
  }

  @Test
  void aFailureWhileSubmittingSaysHowFarItCame() {
    b.failAt = 0;
    Group group = Group.start();
    Work first = a.allReduce(ints(1), 1);
    Work second = b.allReduce(ints(1), 1);
    assertThatThrownBy(group::close)
        .hasMessageContaining("1 operation(s) were submitted, then rank 2 died");
    assertThat(log).containsExactly("a all_reduce 1 int32 op 0");
    assertThatThrownBy(second::isDone).hasMessageContaining("was not submitted");
    assertThat(first.isDone()).isFalse(); // of the owner's engine, which knows nothing of it
  }

  @Test
  void whatIsDiscardedIsNotSubmitted() {
    assertThatThrownBy(() ->
            Group.run(() -> {
              a.allReduce(ints(1), 1);
              throw new IllegalStateException("the application's own");
            }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the application's own");
    Group.run(() -> b.allReduce(ints(1), 1));
    assertThat(log).containsExactly("b all_reduce 1 int32 op 0");
  }

  @Test
  void whatARankSendsToItselfItMustReceiveInTheSameGroup() {
    MemorySegment buffer = ints(1, 2);
    assertThatThrownBy(() -> a.transfers.send(Group.current(), buffer, 1, DataType.INT32, 1))
        .hasMessageContaining("send: rank 1 sends messages of [4] bytes to itself")
        .hasMessageContaining("receives []");
    try (Group _ = Group.start()) {
      a.transfers.send(Group.current(), buffer, 1, DataType.INT32, 1);
      a.transfers.recv(Group.current(), buffer.asSlice(4), 1, DataType.INT32, 1);
    }
    assertThat(log).containsExactly("a >1:4 <1:4");
    Group group = Group.start();
    a.allReduce(buffer, 1);
    a.transfers.send(Group.current(), buffer, 1, DataType.INT32, 1);
    assertThatThrownBy(group::close).hasMessageContaining("expected the same in one group");
    assertThat(log).hasSize(1);
  }

  @Test
  void aCloseBeforeTheEndIsAMistakeOfTheGroup() {
    Group group = Group.start();
    a.allReduce(ints(1), 1);
    a.calls.end();
    assertThatThrownBy(group::close).hasMessageContaining("group: the communicator is closed");
    assertThat(log).isEmpty();
  }
}
