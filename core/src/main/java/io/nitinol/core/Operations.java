// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What the ranks of a {@link Communicator} do together: collectives, sends and receives, and the
 * operators made for them. What holds for all of them, buffers and errors above all, is said there.
 */
public abstract sealed class Operations permits Communicator {
  private final Calls calls;
  private final CollectiveCalls collectives;
  private final TransferCalls transfers;

  Operations(Calls calls) {
    this.calls = calls;
    this.collectives = new CollectiveCalls(calls);
    this.transfers = new TransferCalls(calls);
  }

  /**
   * Makes an operator for this communicator: the sum of all ranks' contributions, each multiplied
   * by its rank's scalar first; mirrors {@code ncclRedOpCreatePreMulSum}. Every rank makes one of
   * its own, with any scalar, and all use theirs in the same call. Local to this rank.
   *
   * @param type the type of the elements
   * @param scalar rounded to nearest where the type is a floating-point one; else it must be one of
   *     the type's numbers
   * @throws CommException INVALID_ARGUMENT when the type has no such number
   */
  public PreMulSum preMulSum(DataType type, double scalar) {
    BufferCheck.given("pre-multiplied sum", "type", type);
    return scaled(type, Scalar.of(type, scalar));
  }

  /**
   * As {@link #preMulSum(DataType, double)}, with an integer, which must be in the range of the
   * type where that is an integer one; for {@link DataType#UINT64} it is read as unsigned.
   */
  public PreMulSum preMulSum(DataType type, long scalar) {
    BufferCheck.given("pre-multiplied sum", "type", type);
    return scaled(type, Scalar.of(type, scalar));
  }

  /**
   * As {@link #preMulSum(DataType, double)}, with the element at the start of a segment of any
   * kind, which is read at once (NCCL's {@code ncclScalarHostImmediate}).
   */
  public PreMulSum preMulSum(DataType type, MemorySegment scalar) {
    BufferCheck.given("pre-multiplied sum", "type", type);
    BufferCheck.given("pre-multiplied sum", "scalar", scalar);
    return scaled(type, Scalar.of(type, scalar));
  }

  private PreMulSum scaled(DataType type, long bits) {
    return new PreMulSum(calls, type, calls.preMulSum(type, bits));
  }

  /**
   * Reduces {@code count} elements of all ranks' {@code send} buffers into every rank's {@code
   * recv} buffer; mirrors {@code ncclAllReduce}. All ranks get the same bits.
   *
   * @param send this rank's contribution, {@code count} elements, of any alignment
   * @param recv where the result goes; at the very address of {@code send} for in place, or else
   *     not overlapping it
   * @param count how many elements, the same on all ranks; 0 does nothing
   * @param type the type of the elements
   * @param op the operator
   * @return the operation
   */
  public Work allReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, ReductionOp op) {
    return collectives.allReduce(send, recv, count, type, op, null);
  }

  /** As the other all-reduce, with a pre-multiplied sum. */
  public Work allReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, PreMulSum op) {
    return collectives.allReduce(send, recv, count, type, null, op);
  }

  /**
   * Reduces {@code count} elements of all ranks' {@code send} buffers into the {@code recv} buffer
   * of rank {@code root}; mirrors {@code ncclReduce}.
   *
   * @param send this rank's contribution
   * @param recv where the result goes, on the root; at the very address of {@code send} for in
   *     place, or else not overlapping it. Not looked at on other ranks
   */
  public Work reduce(
      MemorySegment send,
      @Nullable MemorySegment recv,
      long count,
      DataType type,
      ReductionOp op,
      int root) {
    return collectives.reduce(send, recv, count, type, op, null, root);
  }

  /** As the other reduction to one rank, with a pre-multiplied sum. */
  public Work reduce(
      MemorySegment send,
      @Nullable MemorySegment recv,
      long count,
      DataType type,
      PreMulSum op,
      int root) {
    return collectives.reduce(send, recv, count, type, null, op, root);
  }

  /**
   * Copies {@code count} elements of the {@code send} buffer of rank {@code root} into every rank's
   * {@code recv} buffer; mirrors {@code ncclBroadcast}. Where two ranks each name themselves as the
   * root both may be done, since a root waits for nobody: the next collective that they do together
   * fails with INVALID_USAGE then.
   *
   * @param send the data, on the root; not looked at on other ranks
   * @param recv where it goes; on the root at the very address of {@code send} for in place, or
   *     else not overlapping it
   */
  public Work broadcast(
      @Nullable MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
    return collectives.broadcast(send, recv, count, type, root);
  }

  /**
   * Gives every rank the data of every rank, in the order of ranks; mirrors {@code ncclAllGather}.
   *
   * @param send this rank's {@code sendCount} elements
   * @param recv {@code size} times {@code sendCount} elements; in place where {@code send} is this
   *     rank's part of it, or else not overlapping it
   */
  public Work allGather(MemorySegment send, MemorySegment recv, long sendCount, DataType type) {
    return collectives.allGather(send, recv, sendCount, type);
  }

  /**
   * Reduces the data of all ranks and gives each rank its part of the result; mirrors {@code
   * ncclReduceScatter}.
   *
   * @param send {@code size} times {@code recvCount} elements
   * @param recv {@code recvCount} elements of the result, from element {@code rank} times {@code
   *     recvCount} on; in place where that is their place in {@code send}, or else not overlapping
   */
  public Work reduceScatter(
      MemorySegment send, MemorySegment recv, long recvCount, DataType type, ReductionOp op) {
    return collectives.reduceScatter(send, recv, recvCount, type, op, null);
  }

  /** As the other reduce-scatter, with a pre-multiplied sum. */
  public Work reduceScatter(
      MemorySegment send, MemorySegment recv, long recvCount, DataType type, PreMulSum op) {
    return collectives.reduceScatter(send, recv, recvCount, type, null, op);
  }

  /**
   * Sends {@code countPerPeer} elements to every rank and receives as many from each; mirrors
   * {@code ncclAlltoAll}. Part {@code i} of {@code send} goes to rank {@code i}, whose part ends as
   * part {@code i} of {@code recv}. There is no in place: the buffers must not overlap.
   */
  public Work allToAll(MemorySegment send, MemorySegment recv, long countPerPeer, DataType type) {
    return transfers.allToAll(send, recv, countPerPeer, type);
  }

  /**
   * Sends and receives different numbers of elements, of every rank; {@code MPI_Alltoallv}. The
   * arrays have one entry for each rank and are read at once. What a rank sends to another must be
   * what that one expects of it.
   *
   * @param sendCounts how many elements go to each rank
   * @param sendOffsets where they begin in {@code send}, in elements
   * @param recvCounts how many elements come from each rank
   * @param recvOffsets where they go in {@code recv}, in elements; no two parts may overlap, nor
   *     any with what is sent
   */
  public Work allToAllV(
      MemorySegment send,
      long[] sendCounts,
      long[] sendOffsets,
      MemorySegment recv,
      long[] recvCounts,
      long[] recvOffsets,
      DataType type) {
    return transfers.allToAllV(send, sendCounts, sendOffsets, recv, recvCounts, recvOffsets, type);
  }

  /**
   * Brings {@code sendCount} elements of every rank to rank {@code root}, in the order of ranks;
   * mirrors {@code ncclGather}.
   *
   * @param recv on the root, {@code size} times {@code sendCount} elements; in place where {@code
   *     send} is its own part of it. Not looked at on other ranks
   */
  public Work gather(
      MemorySegment send, @Nullable MemorySegment recv, long sendCount, DataType type, int root) {
    return transfers.gather(send, recv, sendCount, type, root);
  }

  /**
   * Brings part {@code i} of the {@code send} buffer of rank {@code root} to rank {@code i};
   * mirrors {@code ncclScatter}.
   *
   * @param send on the root, {@code size} times {@code recvCount} elements. Not looked at on other
   *     ranks
   * @param recv {@code recvCount} elements; in place where it is the root's own part of {@code
   *     send}
   */
  public Work scatter(
      @Nullable MemorySegment send, MemorySegment recv, long recvCount, DataType type, int root) {
    return transfers.scatter(send, recv, recvCount, type, root);
  }

  /**
   * Sends to one rank, which receives the same number of elements; mirrors {@code ncclSend}. It is
   * done when the buffer may be written again, which may be not before the other rank receives:
   * ranks that send and receive call both in one {@link Group}. Messages between two ranks are
   * received in the order in which they are sent. To itself a rank can send within a group only.
   *
   * @param peer the rank to send to
   */
  public Work send(MemorySegment buffer, long count, DataType type, int peer) {
    return transfers.send(buffer, count, type, peer);
  }

  /**
   * Receives from one rank, which sends the same number of elements; mirrors {@code ncclRecv}.
   *
   * @param peer the rank to receive from
   */
  public Work recv(MemorySegment buffer, long count, DataType type, int peer) {
    return transfers.recv(buffer, count, type, peer);
  }
}
