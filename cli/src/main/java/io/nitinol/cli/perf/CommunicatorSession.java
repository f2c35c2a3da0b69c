// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfDevice;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.cli.perf.collective.PerfSession;
import io.nitinol.core.Communicator;
import io.nitinol.core.Group;
import io.nitinol.core.PreMulSum;
import io.nitinol.core.Work;
import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A rank of a communicator. */
final class CommunicatorSession implements PerfSession {
  private final Communicator communicator;
  private final SelectedNet net;
  private @Nullable PreMulSum scaledSum;
  private @Nullable Work last;

  CommunicatorSession(Communicator communicator, SelectedNet net) {
    this.communicator = communicator;
    this.net = net;
  }

  @Override
  public int rank() {
    return communicator.rank();
  }

  @Override
  public int size() {
    return communicator.size();
  }

  @Override
  public PerfDevice device() {
    return PerfDevice.host(
        Runtime.getRuntime().availableProcessors() + " cores, Java " + Runtime.version());
  }

  @Override
  public String network() {
    return net.name() + " (v" + net.providedVersion() + "): " + communicator.describe();
  }

  @Override
  public void scalar(DataType type, double scalar) {
    scaledSum = communicator.preMulSum(type, scalar);
  }

  @Override
  public void allReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, PerfOperator op) {
    ReductionOp reduction = op.reduction();
    last =
        reduction == null
            ? communicator.allReduce(send, recv, count, type, scaledSum())
            : communicator.allReduce(send, recv, count, type, reduction);
  }

  @Override
  public void reduce(
      MemorySegment send,
      MemorySegment recv,
      long count,
      DataType type,
      PerfOperator op,
      int root) {
    ReductionOp reduction = op.reduction();
    last =
        reduction == null
            ? communicator.reduce(send, recv, count, type, scaledSum(), root)
            : communicator.reduce(send, recv, count, type, reduction, root);
  }

  @Override
  public void broadcast(
      MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
    last = communicator.broadcast(send, recv, count, type, root);
  }

  @Override
  public void allGather(MemorySegment send, MemorySegment recv, long count, DataType type) {
    last = communicator.allGather(send, recv, count, type);
  }

  @Override
  public void reduceScatter(
      MemorySegment send, MemorySegment recv, long count, DataType type, PerfOperator op) {
    ReductionOp reduction = op.reduction();
    last =
        reduction == null
            ? communicator.reduceScatter(send, recv, count, type, scaledSum())
            : communicator.reduceScatter(send, recv, count, type, reduction);
  }

  @Override
  public void allToAll(MemorySegment send, MemorySegment recv, long count, DataType type) {
    last = communicator.allToAll(send, recv, count, type);
  }

  @Override
  public void allToAllV(
      MemorySegment send,
      long[] sendCounts,
      long[] sendOffsets,
      MemorySegment recv,
      long[] recvCounts,
      long[] recvOffsets,
      DataType type) {
    last =
        communicator.allToAllV(send, sendCounts, sendOffsets, recv, recvCounts, recvOffsets, type);
  }

  @Override
  public void gather(MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
    last = communicator.gather(send, recv, count, type, root);
  }

  @Override
  public void scatter(MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
    last = communicator.scatter(send, recv, count, type, root);
  }

  @Override
  public Runnable allGatherV(
      MemorySegment send, MemorySegment recv, long[] counts, long[] offsets, DataType type) {
    return () -> last = communicator.allGatherV(send, counts[rank()], recv, counts, offsets, type);
  }

  @Override
  public Runnable gatherV(
      MemorySegment send,
      MemorySegment recv,
      long[] counts,
      long[] offsets,
      DataType type,
      int root) {
    return () ->
        last = communicator.gatherV(send, counts[rank()], recv, counts, offsets, type, root);
  }

  @Override
  public Runnable scatterV(
      MemorySegment send,
      long[] counts,
      long[] offsets,
      MemorySegment recv,
      DataType type,
      int root) {
    return () ->
        last = communicator.scatterV(send, counts, offsets, recv, counts[rank()], type, root);
  }

  @Override
  public void barrier() {
    last = communicator.barrier();
  }

  @Override
  public void send(MemorySegment buffer, long count, DataType type, int peer) {
    last = communicator.send(buffer, count, type, peer);
  }

  @Override
  public void recv(MemorySegment buffer, long count, DataType type, int peer) {
    last = communicator.recv(buffer, count, type, peer);
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // groupEnd closes it
  public void groupStart() {
    Group.start();
  }

  @Override
  public void groupEnd() {
    Group.end();
  }

  @Override
  public void finish() {
    Work work = last;
    if (work != null) {
      work.await(); // operations are done in the order in which they were started
      last = null;
    }
  }

  @Override
  public byte[][] exchange(byte[] mine) {
    return communicator.exchange(mine);
  }

  @Override
  public void abort() {
    communicator.abort();
  }

  private PreMulSum scaledSum() {
    PreMulSum sum = scaledSum;
    if (sum == null) {
      throw new IllegalStateException("a sum of products without a scalar");
    }
    return sum;
  }
}
