// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.Calls;
import io.nitinol.core.call.CollectiveCalls;
import io.nitinol.core.call.GroupCalls;
import io.nitinol.core.call.Operator;
import io.nitinol.core.call.TransferCalls;
import io.nitinol.core.call.UnevenCalls;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collectives of a communicator that are made once and started often, as a training loop does with
 * the same gradients; mirrors {@code MPI_Allreduce_init} and its like.
 *
 * <pre>{@code
 * PersistentCall sum =
 *     communicator.persistent().allReduce(grads, grads, count, DataType.FLOAT32, ReductionOp.SUM);
 * for (Batch batch : batches) {
 *   backward(batch, grads);
 *   sum.start().await();
 * }
 * sum.close();
 * }</pre>
 *
 * <p>Each method takes the arguments of the communicator's method of the same name, which says what
 * they mean, and checks them at once, also within a {@link Group}. A start checks only that the
 * buffers still live. To make a call is this rank's own affair: other ranks may start a persistent
 * call of their own, or make the plain call, at the same place in the order of operations. The
 * algorithm is chosen at each start, so that a tuner is asked, and buffers that all ranks see are
 * used, as for a plain call.
 *
 * <p>All collectives are here, the barrier too. {@code send} and {@code recv} are not: they are
 * called in groups, where nothing persistent is started. For device memory a stream that captures
 * is the same thing ({@link DeviceCommunicator}); only such as the CPU reaches has a segment, which
 * these methods take.
 *
 * <p>The methods throw a {@link CommException}, as the plain calls do: INVALID_ARGUMENT for a wrong
 * argument, INVALID_USAGE where the communicator is closed.
 */
@AnyThread
public final class PersistentCalls {
  private final Calls calls;
  private final CollectiveCalls collectives;
  private final TransferCalls transfers;
  private final UnevenCalls uneven;

  PersistentCalls(Calls calls) {
    this.calls = calls;
    this.collectives = new CollectiveCalls(calls);
    this.transfers = new TransferCalls(calls);
    this.uneven = new UnevenCalls(calls);
  }

  /**
   * Makes {@link Communicator#allReduce(MemorySegment, MemorySegment, long, DataType,
   * ReductionOp)}.
   */
  public PersistentCall allReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, ReductionOp op) {
    return prepare(
        keeper -> collectives.allReduce(keeper, send, recv, count, type, Operator.of(op)));
  }

  /** As the other all-reduce, with a pre-multiplied sum. */
  public PersistentCall allReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, PreMulSum op) {
    return prepare(
        keeper -> collectives.allReduce(keeper, send, recv, count, type, PreMulSum.sum(op)));
  }

  /** As the other all-reduce, with an operator beyond NCCL's. */
  public PersistentCall allReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, HostOperator op) {
    return prepare(keeper ->
        collectives.allReduce(keeper, send, recv, count, type, HostOperator.reduction(op)));
  }

  /**
   * Makes {@link Communicator#reduce(MemorySegment, MemorySegment, long, DataType, ReductionOp,
   * int)}.
   */
  public PersistentCall reduce(
      MemorySegment send,
      @Nullable MemorySegment recv,
      long count,
      DataType type,
      ReductionOp op,
      int root) {
    return prepare(
        keeper -> collectives.reduce(keeper, send, recv, count, type, Operator.of(op), root));
  }

  /** As the other reduction to one rank, with a pre-multiplied sum. */
  public PersistentCall reduce(
      MemorySegment send,
      @Nullable MemorySegment recv,
      long count,
      DataType type,
      PreMulSum op,
      int root) {
    return prepare(
        keeper -> collectives.reduce(keeper, send, recv, count, type, PreMulSum.sum(op), root));
  }

  /** As the other reduction to one rank, with an operator beyond NCCL's. */
  public PersistentCall reduce(
      MemorySegment send,
      @Nullable MemorySegment recv,
      long count,
      DataType type,
      HostOperator op,
      int root) {
    return prepare(keeper ->
        collectives.reduce(keeper, send, recv, count, type, HostOperator.reduction(op), root));
  }

  /** Makes {@link Communicator#broadcast}. */
  public PersistentCall broadcast(
      @Nullable MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
    return prepare(keeper -> collectives.broadcast(keeper, send, recv, count, type, root));
  }

  /** Makes {@link Communicator#allGather}. */
  public PersistentCall allGather(
      MemorySegment send, MemorySegment recv, long sendCount, DataType type) {
    return prepare(keeper -> collectives.allGather(keeper, send, recv, sendCount, type));
  }

  /**
   * Makes {@link Communicator#reduceScatter(MemorySegment, MemorySegment, long, DataType,
   * ReductionOp)}.
   */
  public PersistentCall reduceScatter(
      MemorySegment send, MemorySegment recv, long recvCount, DataType type, ReductionOp op) {
    return prepare(
        keeper -> collectives.reduceScatter(keeper, send, recv, recvCount, type, Operator.of(op)));
  }

  /** As the other reduce-scatter, with a pre-multiplied sum. */
  public PersistentCall reduceScatter(
      MemorySegment send, MemorySegment recv, long recvCount, DataType type, PreMulSum op) {
    return prepare(keeper ->
        collectives.reduceScatter(keeper, send, recv, recvCount, type, PreMulSum.sum(op)));
  }

  /** As the other reduce-scatter, with an operator beyond NCCL's. */
  public PersistentCall reduceScatter(
      MemorySegment send, MemorySegment recv, long recvCount, DataType type, HostOperator op) {
    return prepare(keeper ->
        collectives.reduceScatter(keeper, send, recv, recvCount, type, HostOperator.reduction(op)));
  }

  /** Makes {@link Communicator#allToAll}. */
  public PersistentCall allToAll(
      MemorySegment send, MemorySegment recv, long countPerPeer, DataType type) {
    return prepare(keeper -> transfers.allToAll(keeper, send, recv, countPerPeer, type));
  }

  /** Makes {@link Communicator#gather}. */
  public PersistentCall gather(
      MemorySegment send, @Nullable MemorySegment recv, long sendCount, DataType type, int root) {
    return prepare(keeper -> transfers.gather(keeper, send, recv, sendCount, type, root));
  }

  /** Makes {@link Communicator#scatter}. */
  public PersistentCall scatter(
      @Nullable MemorySegment send, MemorySegment recv, long recvCount, DataType type, int root) {
    return prepare(keeper -> transfers.scatter(keeper, send, recv, recvCount, type, root));
  }

  /** Makes {@link Communicator#allToAllV}, whose arrays are read now and not again. */
  public PersistentCall allToAllV(
      MemorySegment send,
      long[] sendCounts,
      long[] sendOffsets,
      MemorySegment recv,
      long[] recvCounts,
      long[] recvOffsets,
      DataType type) {
    return prepare(keeper ->
        uneven.allToAllV(
            keeper, send, sendCounts, sendOffsets, recv, recvCounts, recvOffsets, type));
  }

  /** Makes {@link Communicator#allGatherV}, whose arrays are read now and not again. */
  public PersistentCall allGatherV(
      MemorySegment send,
      long sendCount,
      MemorySegment recv,
      long[] recvCounts,
      long[] recvOffsets,
      DataType type) {
    return prepare(
        keeper -> uneven.allGatherV(keeper, send, sendCount, recv, recvCounts, recvOffsets, type));
  }

  /** Makes {@link Communicator#gatherV}, whose arrays are read now and not again. */
  public PersistentCall gatherV(
      MemorySegment send,
      long sendCount,
      @Nullable MemorySegment recv,
      long @Nullable [] recvCounts,
      long @Nullable [] recvOffsets,
      DataType type,
      int root) {
    return prepare(keeper ->
        uneven.gatherV(keeper, send, sendCount, recv, recvCounts, recvOffsets, type, root));
  }

  /** Makes {@link Communicator#scatterV}, whose arrays are read now and not again. */
  public PersistentCall scatterV(
      @Nullable MemorySegment send,
      long @Nullable [] sendCounts,
      long @Nullable [] sendOffsets,
      MemorySegment recv,
      long recvCount,
      DataType type,
      int root) {
    return prepare(keeper ->
        uneven.scatterV(keeper, send, sendCounts, sendOffsets, recv, recvCount, type, root));
  }

  /** Makes {@link Communicator#barrier}. */
  public PersistentCall barrier() {
    return prepare(keeper -> collectives.barrier(keeper));
  }

  private PersistentCall prepare(Consumer<GroupCalls> call) {
    return new PersistentCall(calls.prepare(call));
  }
}
