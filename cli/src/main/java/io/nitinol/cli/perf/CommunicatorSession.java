// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.Operator;
import io.nitinol.cli.perf.collective.Session;
import io.nitinol.core.Communicator;
import io.nitinol.core.Work;
import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A rank of a communicator. */
final class CommunicatorSession implements Session {
  private final Communicator communicator;
  private final SelectedNet net;
  private @Nullable Work last;

  CommunicatorSession(Communicator communicator, SelectedNet net) {
    this.communicator = communicator;
    this.net = net;
  }

  /** Returns whether communicators of this version can do what the plan asks for. */
  static boolean can(PerfPlan plan) {
    return plan.collective().label().equals("all_reduce")
        && !plan.ops().contains(Operator.MULSUM)
        && plan.timing().aggregate() == 1;
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
  public String device() {
    return Runtime.getRuntime().availableProcessors() + " cores, Java " + Runtime.version();
  }

  @Override
  public String network() {
    String adapters = net.adapters().isEmpty() ? "" : ", " + String.join(", ", net.adapters());
    return net.name() + " (v" + net.providedVersion() + adapters + "): " + communicator.describe();
  }

  @Override
  public void scalar(DataType type, double scalar) {
    throw missing();
  }

  @Override
  public void allReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, Operator op) {
    last = communicator.allReduce(send, recv, count, type, Objects.requireNonNull(op.reduction()));
  }

  @Override
  public void reduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, Operator op, int root) {
    throw missing();
  }

  @Override
  public void broadcast(
      MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
    throw missing();
  }

  @Override
  public void allGather(MemorySegment send, MemorySegment recv, long count, DataType type) {
    throw missing();
  }

  @Override
  public void reduceScatter(
      MemorySegment send, MemorySegment recv, long count, DataType type, Operator op) {
    throw missing();
  }

  @Override
  public void allToAll(MemorySegment send, MemorySegment recv, long count, DataType type) {
    throw missing();
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
    throw missing();
  }

  @Override
  public void gather(MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
    throw missing();
  }

  @Override
  public void scatter(MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
    throw missing();
  }

  @Override
  public void send(MemorySegment buffer, long count, DataType type, int peer) {
    throw missing();
  }

  @Override
  public void recv(MemorySegment buffer, long count, DataType type, int peer) {
    throw missing();
  }

  @Override
  public void groupStart() {
    throw missing();
  }

  @Override
  public void groupEnd() {
    throw missing();
  }

  private static UnsupportedOperationException missing() {
    return new UnsupportedOperationException("this version's communicator has only all-reduce");
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
}
