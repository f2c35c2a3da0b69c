// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.CommException;
import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.ring.Ring;
import io.nitinol.core.schedule.ring.RingAllReduce;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.core.transport.net.NetTransport;
import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Engines of all ranks in one process, joined by a {@link MemoryNet} and by memory. */
final class EngineGroup implements AutoCloseable {
  /** The most bytes of a message between pairs, and of a slot of a team. */
  static final int PAIR_BYTES = 256;

  static final int TEAM_BYTES = 512;

  /** Makes what a rank does on a channel, when that is asked for the first time. */
  interface Plans {
    Schedule[] of(int rank, Collective collective, Choice choice, int channel);
  }

  final MemoryNet net;
  final MemoryConnectors links;
  final List<Engine> engines = new ArrayList<>();
  final List<CommFailures> failures = new ArrayList<>();
  final Choice ring;
  private final Arena arena = Arena.ofShared();

  EngineGroup(int n, int channels, ChunkShape shape, int kernelThreads, String idle, long seed) {
    this(n, channels, shape, kernelThreads, idle, seed, 0);
  }

  EngineGroup(
      int n,
      int channels,
      ChunkShape shape,
      int kernelThreads,
      String idle,
      long seed,
      long stallNanos) {
    this(n, channels, shape, kernelThreads, idle, seed, stallNanos, rings(n, shape));
  }

  EngineGroup(
      int n,
      int channels,
      ChunkShape shape,
      int kernelThreads,
      String idle,
      long seed,
      long stallNanos,
      Plans plans) {
    net = new MemoryNet(seed);
    ring = new Choice(Algorithm.RING, Protocol.SIMPLE, channels);
    links =
        new MemoryConnectors(
            n,
            new NetTransport(net, MemoryNet.context(net), arena),
            shape.slotBytes(),
            PAIR_BYTES,
            TEAM_BYTES);
    for (int r = 0; r < n; r++) {
      failures.add(new CommFailures(r, this::announce));
    }
    for (int r = 0; r < n; r++) {
      int rank = r;
      Map<List<Object>, Schedule[]> known = new HashMap<>();
      engines.add(
          new Engine(
              "test" + r,
              links.of(r),
              (collective, choice, channel) -> {
                synchronized (known) {
                  return known.computeIfAbsent(
                      List.of(collective, choice, channel),
                      key -> plans.of(rank, collective, choice, channel));
                }
              },
              r,
              n,
              channels,
              failures.get(r),
              IdleStrategy.of(idle, true),
              kernelThreads,
              stallNanos));
    }
    engines.forEach(Engine::start);
  }

  private static Plans rings(int n, ChunkShape shape) {
    int[] order = new int[n];
    Arrays.setAll(order, i -> i);
    return (rank, collective, choice, channel) ->
        new Schedule[] {new RingAllReduce(Ring.of(order, rank), shape, channel)};
  }

  /** Submits an all-reduce over the ring for one rank. */
  long allReduce(
      int rank,
      MemorySegment input,
      MemorySegment output,
      long count,
      DataType type,
      ReductionOp op,
      ReduceFunction function) {
    CollectiveCall call =
        new CollectiveCall(
            Collective.ALL_REDUCE, input, output, count, type, op.code(), function, 0);
    return engines.get(rank).submit(call, ring, null);
  }

  /**
   * Submits an all-reduce of {@code count} bytes in place for one rank.
   *
   * @param memory where the buffer lies
   */
  long allReduce(int rank, Arena memory, long count) {
    MemorySegment buffer = memory.allocate(Math.max(1, count), 64);
    ReduceFunction sum = ScalarKernels.instance().function(DataType.INT8, ReductionOp.SUM, 1);
    return allReduce(rank, buffer, buffer, count, DataType.INT8, ReductionOp.SUM, sum);
  }

  /** Waits for the failure of one rank; its test has a limit of time. */
  CommException awaitFailure(int rank) {
    CommException failure = failures.get(rank).get();
    while (failure == null) {
      LockSupport.parkNanos(1_000_000);
      failure = failures.get(rank).get();
    }
    return failure;
  }

  /** Lets all ranks do something on all channels, so that the rings are connected. */
  EngineGroup connected() {
    try (Arena buffers = Arena.ofShared()) {
      long count = 10_000;
      long work = 0;
      for (int r = 0; r < engines.size(); r++) {
        MemorySegment buffer = buffers.allocate(count, 64);
        ReduceFunction sum =
            ScalarKernels.instance().function(DataType.INT8, ReductionOp.SUM, engines.size());
        work = allReduce(r, buffer, buffer, count, DataType.INT8, ReductionOp.SUM, sum);
      }
      for (Engine engine : engines) {
        engine.await(work, 0);
      }
    }
    return this;
  }

  private void announce(int rank, String reason) {
    failures.forEach(f -> f.notice(rank, reason));
  }

  @Override
  public void close() {
    for (Engine engine : engines) {
      engine.drain(1_000_000_000L);
    }
    boolean quiet = true;
    for (Engine engine : engines) {
      quiet &= engine.close().isNone();
    }
    if (!quiet) {
      throw new AssertionError("an engine is still in use");
    }
    arena.close();
  }
}
