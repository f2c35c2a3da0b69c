// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.core.call.Calls;
import io.nitinol.core.call.CollectiveCalls;
import io.nitinol.core.call.Operator;
import io.nitinol.core.call.ScaledSum;
import io.nitinol.core.call.Submitter;
import io.nitinol.core.call.TransferBatch;
import io.nitinol.core.call.TransferCalls;
import io.nitinol.core.call.UnevenCalls;
import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.core.transport.collnet.NetworkReductions;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What calls refuse and what they take; rank 1 of 4. */
class ArgumentsTest {
  private static final Communicator OWNER =
      Communicator.initAll(1, RankThreads.config(1)).getFirst();
  private static final Arena ARENA = Arena.ofShared();
  private static final MemorySegment BUFFER = ARENA.allocate(4096, 64);
  private static final DataType F = DataType.FLOAT32;
  private static final ReductionOp SUM = ReductionOp.SUM;

  private static final class Recorded extends Submitter {
    final List<String> log = new ArrayList<>();

    Recorded() {
      super(OWNER.engine(), (_, _, _) -> null, 4, false, NetworkReductions.NONE, false);
    }

    @Override
    public long submit(CollectiveCall call, @Nullable Runnable completion) {
      String buffers = at(call.input()) + " " + at(call.output());
      log.add(call.collective().label() + " " + buffers + " " + call.count() + " " + call.root());
      return 1;
    }

    private static String at(MemorySegment segment) {
      return segment.equals(MemorySegment.NULL)
          ? "null"
          : String.valueOf(segment.address() - BUFFER.address());
    }

    @Override
    public long submit(TransferBatch batch) {
      StringBuilder text = new StringBuilder();
      batch
          .pieces()
          .forEach(each ->
              text.append(each.sends() ? ">" : "<")
                  .append(each.peer())
                  .append('@')
                  .append(at(each.buffer()))
                  .append(':')
                  .append(each.buffer().byteSize())
                  .append(' '));
      log.add(text.toString().strip());
      return 1;
    }

    @Override
    public void check() {}
  }

  private static final Recorded RECORDED = new Recorded();
  private static final Calls CALLS =
      new Calls(1, 4, OWNER.engine(), RECORDED, ScalarKernels.instance(), null);
  private static final CollectiveCalls C = new CollectiveCalls(CALLS);
  private static final TransferCalls T = new TransferCalls(CALLS);
  private static final UnevenCalls U = new UnevenCalls(CALLS);
  private static final Operator SUMS = Objects.requireNonNull(Operator.of(SUM));

  @AfterAll
  static void close() {
    OWNER.close();
    ARENA.close();
  }

  private static MemorySegment at(long offset, long bytes) {
    return BUFFER.asSlice(offset, bytes);
  }

  /** What a caller gives whose compiler does not check for it. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T absent() {
    return null;
  }

  private static Arguments refused(String expected, Runnable call) {
    return Arguments.of(expected, call);
  }

  static Stream<Arguments> mistakes() {
    MemorySegment a = at(0, 160);
    MemorySegment b = at(1024, 160);
    long[] four = {1, 1, 1, 1};
    long[] at = {0, 1, 2, 3};
    ScaledSum foreign = PreMulSum.sum(OWNER.preMulSum(F, 2.0));
    ScaledSum ints = CALLS.scaledSum(DataType.INT32, 3);
    return Stream.of(
        refused("all_reduce: send is null", () -> C.allReduce(null, absent(), b, 1, F, SUMS)),
        refused("all_reduce: recv is null", () -> C.allReduce(null, a, absent(), 1, F, SUMS)),
        refused("all_reduce: type is null", () -> C.allReduce(null, a, b, 1, absent(), SUMS)),
        refused("all_reduce: op is null", () -> C.allReduce(null, a, b, 1, F, null)),
        refused("send: buffer is null", () -> T.send(null, absent(), 1, F, 0)),
        refused(
            "alltoallv: sendCounts is null",
            () -> U.allToAllV(null, a, absent(), at, b, four, at, F)),
        refused(
            "alltoallv: type is null", () -> U.allToAllV(null, a, four, at, b, four, at, absent())),
        refused(
            "all_gather_v: recvCounts[1] is 1; expected 2, what this rank itself has",
            () -> U.allGatherV(null, a, 2, b, four, at, F)),
        refused(
            "all_gather_v: recv is a buffer that begins where send does",
            () -> U.allGatherV(null, at(1028, 4), 1, b, four, new long[] {1, 0, 2, 3}, F)),
        refused(
            "all_gather_v: recvOffsets is an array of 3; expected one entry for each of 4 ranks",
            () -> U.allGatherV(null, a, 1, b, four, new long[3], F)),
        refused(
            "gather_v: recvCounts is null; expected one entry for each of 4 ranks",
            () -> U.gatherV(null, a, 1, b, null, at, F, 1)),
        refused("gather_v: recv is null", () -> U.gatherV(null, a, 1, null, four, at, F, 1)),
        refused("gather_v: root is 4", () -> U.gatherV(null, a, 1, b, four, at, F, 4)),
        refused(
            "scatter_v: sendCounts[1] is 1; expected 3, what this rank itself has",
            () -> U.scatterV(null, a, four, at, b, 3, F, 1)),
        refused(
            "scatter_v: recv is a segment of 160 bytes; expected at least 164 bytes",
            () -> U.scatterV(null, null, null, null, b, 41, F, 0)),
        refused(
            "all_reduce: op is bit_and of float elements; expected elements of int8 or uint8 or"
                + " int32 or uint32 or int64 or uint64",
            () -> C.allReduce(null, a, b, 1, F, HostOperator.reduction(HostOperator.BIT_AND))),
        refused(
            "all_reduce: op is an operator of float elements; expected elements of int32",
            () ->
                C.allReduce(
                    null, a, b, 1, F, HostOperator.reduction(HostOperator.ofInts(Math::max)))),
        refused("elements: values is null", () -> Elements.of((float[]) absent())),
        refused(
            "all_reduce: values is null",
            () -> OWNER.blocking().allReduce((Elements) absent(), SUM)),
        refused("send: values is null", () -> OWNER.blocking().send((Elements) absent(), 0)),
        refused("init: id is null", () -> Communicator.init(absent(), 1, 0)),
        refused("init: config is null", () -> Communicator.initAll(1, absent())),
        refused("pre-multiplied sum: type is null", () -> OWNER.preMulSum(absent(), 2.0)),
        refused(
            "reduce: root is 4; expected a rank from 0 to 3",
            () -> C.reduce(null, a, b, 1, F, SUMS, 4)),
        refused("broadcast: root is -1", () -> C.broadcast(null, a, b, 1, F, -1)),
        refused("reduce: count is -1", () -> C.reduce(null, a, b, -1, F, SUMS, 0)),
        refused("reduce: recv is null", () -> C.reduce(null, a, null, 1, F, SUMS, 1)),
        refused("broadcast: send is null", () -> C.broadcast(null, null, b, 1, F, 1)),
        refused(
            "reduce: recv is a buffer 4 bytes behind send",
            () -> C.reduce(null, a, at(4, 160), 2, F, SUMS, 1)),
        refused(
            "all_gather: recv is a segment of 160 bytes; expected at least 176 bytes",
            () -> C.allGather(null, a, b, 11, F)),
        refused(
            "all_gather: count is 576460752303423488; expected so few",
            () -> C.allGather(null, a, b, 1L << 59, DataType.FLOAT64)),
        refused(
            "all_gather: recv is a buffer that begins where send does; expected send 4 bytes"
                + " behind",
            () -> C.allGather(null, a, a, 1, F)),
        refused(
            "all_gather: recv is a buffer 8 bytes before send",
            () -> C.allGather(null, at(8, 4), a, 1, F)),
        refused(
            "reduce_scatter: recv is a buffer 8 bytes behind send",
            () -> C.reduceScatter(null, a, at(8, 4), 1, F, SUMS)),
        refused(
            "reduce_scatter: send is a segment of the Java heap",
            () -> C.reduceScatter(null, MemorySegment.ofArray(new float[4]), b, 1, F, SUMS)),
        refused(
            "all_reduce: op is a pre-multiplied sum of another communicator",
            () -> C.allReduce(null, a, b, 1, F, foreign)),
        refused(
            "all_reduce: op is a pre-multiplied sum of int32; expected one of float",
            () -> C.allReduce(null, a, b, 1, F, ints)),
        refused(
            "alltoall: recv is a buffer that begins where send does",
            () -> T.allToAll(null, a, a, 1, F)),
        refused(
            "alltoall: recv is a segment of 160 bytes; expected at least 176",
            () -> T.allToAll(null, BUFFER, b, 11, F)),
        refused(
            "alltoallv: sendCounts is an array of 1; expected one entry for each of 4 ranks",
            () -> U.allToAllV(null, a, new long[1], at, b, four, at, F)),
        refused(
            "alltoallv: recvOffsets[2] is -1",
            () -> U.allToAllV(null, a, four, at, b, four, new long[] {0, 1, -1, 3}, F)),
        refused(
            "alltoallv: send is a segment of 160 bytes; expected at least 164",
            () -> U.allToAllV(null, a, four, new long[] {0, 40, 1, 2}, b, four, at, F)),
        refused(
            "alltoallv: count is -5",
            () -> U.allToAllV(null, a, four, at, b, new long[] {0, -5, 0, 0}, at, F)),
        refused(
            "alltoallv: recv is a buffer",
            () -> U.allToAllV(null, a, four, at, at(12, 64), four, at, F)),
        refused("gather: recv is null", () -> T.gather(null, a, null, 1, F, 1)),
        refused("gather: root is 9", () -> T.gather(null, a, b, 1, F, 9)),
        refused(
            "gather: recv is a buffer 12 bytes before send",
            () -> T.gather(null, at(12, 4), a, 1, F, 1)),
        refused("scatter: send is null", () -> T.scatter(null, null, b, 1, F, 1)),
        refused(
            "scatter: recv is a read-only segment",
            () -> T.scatter(null, a, b.asReadOnly(), 1, F, 1)),
        refused(
            "scatter: recv is a buffer 8 bytes behind send",
            () -> T.scatter(null, a, at(8, 4), 1, F, 1)),
        refused("send: peer is 4", () -> T.send(null, a, 1, F, 4)),
        refused(
            "recv: buffer is a segment of 160 bytes; expected at least 164 bytes",
            () -> T.recv(null, a, 41, F, 0)));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void mistakesNameTheCallTheArgumentAndWhatWasExpected(String expected, Runnable call) {
    int before = RECORDED.log.size();
    CommException failure =
        Objects.requireNonNull(catchThrowableOfType(CommException.class, call::run));
    assertThat(failure.result()).isEqualTo(ResultCode.INVALID_ARGUMENT);
    assertThat(failure.failedRank()).isEqualTo(-1);
    assertThat(failure).hasMessageStartingWith(expected);
    assertThat(RECORDED.log).hasSize(before);
  }

  static Stream<Arguments> inPlace() {
    return Stream.of(
        Arguments.of(
            "reduce 0 null 3 0", (Runnable) () -> C.reduce(null, BUFFER, null, 3, F, SUMS, 0)),
        Arguments.of(
            "reduce 0 0 3 1", (Runnable) () -> C.reduce(null, BUFFER, BUFFER, 3, F, SUMS, 1)),
        Arguments.of(
            "broadcast null 0 3 0", (Runnable) () -> C.broadcast(null, BUFFER, BUFFER, 3, F, 0)),
        Arguments.of(
            "broadcast 0 0 3 1", (Runnable) () -> C.broadcast(null, BUFFER, BUFFER, 3, F, 1)),
        Arguments.of(
            "all_gather 8 0 2 0", (Runnable) () -> C.allGather(null, at(8, 8), BUFFER, 2, F)),
        Arguments.of(
            "reduce_scatter 0 8 2 0",
            (Runnable) () -> C.reduceScatter(null, BUFFER, at(8, 8), 2, F, SUMS)),
        Arguments.of(
            ">1@8:8 <0@0:8 <1@8:8 <2@16:8 <3@24:8",
            (Runnable) () -> T.gather(null, at(8, 8), BUFFER, 2, F, 1)),
        Arguments.of(">3@0:8", (Runnable) () -> T.gather(null, BUFFER, null, 2, F, 3)),
        Arguments.of(
            ">0@0:8 >1@8:8 >2@16:8 >3@24:8 <1@8:8",
            (Runnable) () -> T.scatter(null, BUFFER, at(8, 8), 2, F, 1)),
        Arguments.of(
            ">1@4:4 <1@68:4 >2@8:4 <0@64:4 >3@12:4 <3@76:4 >0@0:4 <2@72:4",
            (Runnable) () -> T.allToAll(null, BUFFER, at(64, 16), 1, F)));
  }

  @ParameterizedTest
  @MethodSource("inPlace")
  void whatIsSubmitted(String expected, Runnable call) {
    call.run();
    assertThat(RECORDED.log.getLast()).isEqualTo(expected);
  }

  @Test
  void countsMayExceed32Bits() {
    MemorySegment large = MemorySegment.ofAddress(1 << 20).reinterpret(1L << 40);
    C.allReduce(null, large, large, 3L << 32, F, SUMS);
    assertThat(RECORDED.log.getLast()).endsWith(" 12884901888 0");
  }
}
