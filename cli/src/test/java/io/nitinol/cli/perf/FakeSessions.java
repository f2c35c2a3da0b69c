// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ranks that are threads and share memory, with an all-reduce that can be broken. */
final class FakeSessions {
  /** Changes what one all-reduce of one rank leaves behind. */
  interface Fault {
    void apply(int rank, MemorySegment send, MemorySegment recv, long bytes);
  }

  private final CyclicBarrier barrier;
  private final MemorySegment[] sends;
  private final byte[][] messages;
  private final Fault fault;
  private final boolean skips;

  FakeSessions(int size, boolean skips, Fault fault) {
    this.barrier = new CyclicBarrier(size);
    this.sends = new MemorySegment[size];
    this.messages = new byte[size][];
    this.skips = skips;
    this.fault = fault;
  }

  List<Session> all() {
    List<Session> all = new ArrayList<>();
    for (int rank = 0; rank < sends.length; rank++) {
      all.add(new Fake(rank));
    }
    return all;
  }

  private void meet() {
    try {
      barrier.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("another rank has failed", e);
    }
  }

  private final class Fake implements Session {
    private final int rank;

    Fake(int rank) {
      this.rank = rank;
    }

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public int size() {
      return sends.length;
    }

    @Override
    public String device() {
      return "fake";
    }

    @Override
    public String network() {
      return "none";
    }

    @Override
    public void allReduce(
        MemorySegment send, MemorySegment recv, long count, DataType type, ReductionOp op) {
      long bytes = count * type.size();
      sends[rank] = send;
      meet();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment sum = arena.allocate(Math.max(1, bytes));
        ReduceFunction function = ScalarKernels.instance().function(type, op, size());
        if (size() == 1) {
          function.copyFinal(sends[0], 0, sum, 0, count);
        } else {
          function.copy(sends[0], 0, sum, 0, count);
          for (int other = 1; other < size() - 1; other++) {
            function.reduce(sum, 0, sends[other], 0, sum, 0, count);
          }
          function.reduceFinal(sum, 0, sends[size() - 1], 0, sum, 0, count);
        }
        meet();
        if (!skips) {
          MemorySegment.copy(sum, 0, recv, 0, bytes);
        }
        fault.apply(rank, send, recv, bytes);
      }
    }

    @Override
    public void finish() {}

    @Override
    public byte[][] exchange(byte[] mine) {
      messages[rank] = mine;
      meet();
      byte[][] all = messages.clone();
      meet();
      return all;
    }
  }
}
