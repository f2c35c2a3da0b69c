// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfDevice;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.cli.perf.collective.PerfSession;
import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.spi.DataType;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ranks that are threads and share memory, with collectives that can be broken. */
final class FakeSessions {

  /** What rank 1 does wrong, or all ranks where they would have to. */
  enum Mistake {
    NONE,
    NOTHING_DONE,
    LAST_BIT_FLIPPED,
    WRITTEN_BEHIND,
    WRITTEN_BEFORE,
    CONTRIBUTION_WRITTEN,
    ONE_ELEMENT_FURTHER,
    BLOCKS_SWAPPED,
    OTHER_ROOT,
    RESULT_ON_ALL_RANKS,
    RESULT_OF_THE_TIME_BEFORE,
    SCALAR_FORGOTTEN
  }

  /** Computes what a rank gets from what all ranks have published. */
  private interface Computation {
    void into(MemorySegment result);
  }

  private record Message(int from, int to, MemorySegment buffer) {}

  private final int size;
  private final Mistake mistake;
  private final CyclicBarrier barrier;
  private final MemorySegment[] sends;
  private final long[][] offsets;
  private final ReduceFunction[] functions;
  private final List<Queue<Message>> messages = new ArrayList<>();
  private final byte[][] exchanged;

  FakeSessions(int size, Mistake mistake) {
    this.size = size;
    this.mistake = mistake;
    this.barrier = new CyclicBarrier(size);
    this.sends = new MemorySegment[size];
    this.offsets = new long[size][];
    this.functions = new ReduceFunction[size];
    this.exchanged = new byte[size][];
    for (int rank = 0; rank < size; rank++) {
      messages.add(new ArrayDeque<>());
    }
  }

  List<PerfSession> all() {
    List<PerfSession> all = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      all.add(new Fake(rank));
    }
    return all;
  }

  private void meet() {
    try {
      barrier.await(240, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("another rank has failed", e);
    }
  }

  private final class Fake implements PerfSession {
    private final int rank;
    private final List<Message> sent = new ArrayList<>();
    private final List<Message> received = new ArrayList<>();
    private MemorySegment before = MemorySegment.NULL;
    private long scalar;
    private int groups;

    Fake(int rank) {
      this.rank = rank;
    }

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public PerfDevice device() {
      return PerfDevice.host("fake");
    }

    @Override
    public String network() {
      return "none";
    }

    @Override
    public void scalar(DataType type, double number) {
      ElementFormat format = ElementFormat.of(type);
      double used = mistake == Mistake.SCALAR_FORGOTTEN && rank == 1 ? 1 : number;
      scalar = type.isFloat() ? format.encode(used) : format.truncate((long) used);
    }

    @Override
    public void allReduce(
        MemorySegment send, MemorySegment recv, long count, DataType type, PerfOperator op) {
      functions[rank] = function(type, op);
      collective(send, recv, type, result -> reduction(result, 0, count, type));
    }

    @Override
    public void reduce(
        MemorySegment send,
        MemorySegment recv,
        long count,
        DataType type,
        PerfOperator op,
        int root) {
      functions[rank] = function(type, op);
      collective(send, at(root, recv), type, result -> reduction(result, 0, count, type));
    }

    @Override
    public void broadcast(
        MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
      collective(send, recv, type, result -> copy(sends[used(root)], 0, result, 0, count, type));
    }

    @Override
    public void allGather(MemorySegment send, MemorySegment recv, long count, DataType type) {
      collective(send, recv, type, result -> blocks(result, 0, count, type));
    }

    @Override
    public void reduceScatter(
        MemorySegment send, MemorySegment recv, long count, DataType type, PerfOperator op) {
      functions[rank] = function(type, op);
      int block = block(rank);
      collective(send, recv, type, result -> reduction(result, block * count, count, type));
    }

    @Override
    public void allToAll(MemorySegment send, MemorySegment recv, long count, DataType type) {
      collective(send, recv, type, result -> blocks(result, rank * count, count, type));
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
      offsets[rank] = sendOffsets;
      collective(
          send,
          recv,
          type,
          result -> {
            for (int peer = 0; peer < size; peer++) {
              int from = block(peer);
              long most = Math.min(recvCounts[peer], recvCounts[from]);
              copy(sends[from], offsets[from][rank], result, recvOffsets[peer], most, type);
            }
          });
    }

    @Override
    public void gather(
        MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
      collective(send, at(root, recv), type, result -> blocks(result, 0, count, type));
    }

    @Override
    public void scatter(
        MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
      int block = block(rank);
      collective(
          send,
          recv,
          type,
          result -> copy(sends[used(root)], block * count, result, 0, count, type));
    }

    @Override
    public Runnable allGatherV(
        MemorySegment send, MemorySegment recv, long[] counts, long[] offsets, DataType type) {
      return () -> collective(send, recv, type, result -> uneven(result, counts, offsets, type));
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
          collective(send, at(root, recv), type, result -> uneven(result, counts, offsets, type));
    }

    @Override
    public Runnable scatterV(
        MemorySegment send,
        long[] counts,
        long[] offsets,
        MemorySegment recv,
        DataType type,
        int root) {
      MemorySegment own = recv.asSlice(0, counts[rank] * type.size());
      long from = offsets[block(rank)];
      return () ->
          collective(
              send,
              own,
              type,
              result -> copy(sends[used(root)], from, result, 0, counts[rank], type));
    }

    @Override
    public void barrier() {
      if (mistake != Mistake.NOTHING_DONE) {
        meet();
      }
    }

    @Override
    public void send(MemorySegment buffer, long count, DataType type, int peer) {
      sent.add(new Message(rank, peer, buffer.asSlice(0, count * type.size())));
    }

    @Override
    public void recv(MemorySegment buffer, long count, DataType type, int peer) {
      received.add(new Message(peer, rank, buffer.asSlice(0, count * type.size())));
    }

    @Override
    public void groupStart() {
      groups++;
    }

    @Override
    public void groupEnd() {
      if (--groups > 0) {
        return;
      }
      for (int i = 0; i < sent.size(); i++) { // collectives in a group were not put off
        Message mine = sent.get(i);
        Message theirs = received.get(i);
        synchronized (messages) {
          messages.get(mine.to).add(mine);
        }
        collective(
            mine.buffer,
            theirs.buffer,
            DataType.INT8,
            result -> {
              synchronized (messages) {
                MemorySegment.copy(
                    messages.get(rank).remove().buffer, 0, result, 0, result.byteSize());
              }
            });
      }
      sent.clear();
      received.clear();
    }

    @Override
    public void finish() {}

    @Override
    public byte[][] exchange(byte[] mine) {
      exchanged[rank] = mine;
      meet();
      byte[][] all = exchanged.clone();
      meet();
      return all;
    }

    /** Where a rank's result goes, if it gets any; nowhere else. */
    private MemorySegment at(int root, MemorySegment recv) {
      boolean gets = rank == used(root) || mistake == Mistake.RESULT_ON_ALL_RANKS;
      return gets ? recv : MemorySegment.NULL;
    }

    private int used(int root) {
      return mistake == Mistake.OTHER_ROOT ? (root + 1) % size : root;
    }

    private int block(int peer) {
      return mistake == Mistake.BLOCKS_SWAPPED ? peer ^ (peer == size - 1 ? 0 : 1) % size : peer;
    }

    private ReduceFunction function(DataType type, PerfOperator op) {
      return op == PerfOperator.MULSUM
          ? ScalarKernels.instance().preMulSum(type, scalar)
          : ScalarKernels.instance().function(type, op.reduction(), size);
    }

    private void collective(
        MemorySegment send, MemorySegment recv, DataType type, Computation computation) {
      sends[rank] = send;
      meet();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment result = arena.allocate(Math.max(1, recv.byteSize()));
        result = result.asSlice(0, recv.byteSize());
        if (recv.address() != 0) { // else this rank gets nothing
          computation.into(result);
        }
        meet();
        deliver(result, send, recv, type);
      }
      meet();
    }

    private void deliver(
        MemorySegment result, MemorySegment send, MemorySegment recv, DataType type) {
      long length = recv.byteSize();
      boolean wrong = rank == 1 && length > 0;
      switch (mistake) {
        case NOTHING_DONE -> {}
        case ONE_ELEMENT_FURTHER -> {
          long most = length - type.size();
          MemorySegment.copy(result, 0, recv, wrong ? type.size() : 0, wrong ? most : length);
        }
        case RESULT_OF_THE_TIME_BEFORE -> {
          MemorySegment stale = before.byteSize() == length ? before : result;
          MemorySegment.copy(wrong ? stale : result, 0, recv, 0, length);
          before = Arena.ofAuto().allocate(Math.max(1, length)).asSlice(0, length);
          before.copyFrom(result);
        }
        default -> MemorySegment.copy(result, 0, recv, 0, length);
      }
      if (wrong) {
        switch (mistake) {
          case LAST_BIT_FLIPPED -> flip(recv.address() + length - 1);
          case WRITTEN_BEHIND -> flip(recv.address() + length + 3);
          case WRITTEN_BEFORE -> flip(recv.address() - 1);
          case CONTRIBUTION_WRITTEN -> flip(send.address());
          default -> {}
        }
      }
    }

    private void reduction(MemorySegment result, long from, long count, DataType type) {
      long start = from * type.size();
      if (size == 1) {
        functions[0].copyFinal(sends[0], start, result, 0, count);
        return;
      }
      functions[0].copy(sends[0], start, result, 0, count);
      for (int other = 1; other < size - 1; other++) {
        functions[other].reduce(result, 0, sends[other], start, result, 0, count);
      }
      functions[size - 1].reduceFinal(result, 0, sends[size - 1], start, result, 0, count);
    }

    private void blocks(MemorySegment result, long from, long count, DataType type) {
      for (int peer = 0; peer < size; peer++) {
        copy(sends[block(peer)], from, result, peer * count, count, type);
      }
    }

    private void uneven(MemorySegment result, long[] counts, long[] offsets, DataType type) {
      for (int peer = 0; peer < size; peer++) {
        int from = block(peer);
        long most = Math.min(counts[peer], counts[from]);
        copy(sends[from], 0, result, offsets[peer], most, type);
      }
    }

    private static void copy(
        MemorySegment from,
        long fromIndex,
        MemorySegment to,
        long toIndex,
        long count,
        DataType type) {
      MemorySegment.copy(
          from, fromIndex * type.size(), to, toIndex * type.size(), count * type.size());
    }

    private static void flip(long address) {
      MemorySegment one = MemorySegment.ofAddress(address).reinterpret(1);
      one.set(ValueLayout.JAVA_BYTE, 0, (byte) (one.get(ValueLayout.JAVA_BYTE, 0) ^ 1));
    }
  }
}
