// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** One operation with the data of all ranks and what has to come of it. */
final class SwitchWork {
  private static final ReductionOp[] OPS = {
    ReductionOp.SUM, ReductionOp.PROD, ReductionOp.MAX, ReductionOp.MIN
  };

  final Descriptor of;
  final MemorySegment[] sends;
  final MemorySegment[] receives;
  private final MemorySegment[] expected;

  private SwitchWork(Descriptor of, int nranks) {
    this.of = of;
    this.sends = new MemorySegment[nranks];
    this.receives = new MemorySegment[nranks];
    this.expected = new MemorySegment[nranks];
  }

  /** Makes any operation of up to so many bytes. */
  static SwitchWork random(Random random, long number, int nranks, int mostBytes, Arena arena) {
    DataType type = DataType.values()[random.nextInt(DataType.values().length)];
    ReductionOp op = OPS[random.nextInt(OPS.length)];
    int most = random.nextInt(4) == 0 ? mostBytes : Math.min(mostBytes, 1 << random.nextInt(20));
    int bytes = random.nextInt(most + 1) / type.size() * type.size();
    Descriptor of = new Descriptor();
    switch (random.nextInt(3)) {
      case 0 -> of.allReduce(number, bytes / type.size(), type, op);
      case 1 -> {
        long perRank = bytes / nranks + 1;
        long offset = random.nextBoolean() ? 0 : random.nextLong(perRank * nranks);
        of.allGather(number, perRank, offset, random.nextLong(perRank * nranks - offset + 1));
      }
      default -> {
        int size = type.size();
        long perRank = bytes / size / nranks + 1;
        long offset = random.nextBoolean() ? 0 : random.nextLong(perRank * nranks);
        long length = random.nextLong(perRank * nranks - offset + 1);
        of.reduceScatter(number, perRank * size, offset * size, length * size, type, op);
      }
    }
    return of(of, random, nranks, arena);
  }

  /** Makes data for an operation, any bits whatever, and computes the results. */
  static SwitchWork of(Descriptor of, Random random, int nranks, Arena arena) {
    SwitchWork work = new SwitchWork(of, nranks);
    MemorySegment whole = arena.allocate(Math.max(1, of.windowBytes()));
    for (int r = 0; r < nranks; r++) {
      long up = of.kind() == Collective.ALL_GATHER ? work.own(r) : of.windowBytes();
      work.sends[r] = arena.allocate(up, 8);
      byte[] bytes = new byte[(int) up];
      random.nextBytes(bytes);
      MemorySegment.copy(bytes, 0, work.sends[r], ValueLayout.JAVA_BYTE, 0, bytes.length);
      long down = of.kind() == Collective.REDUCE_SCATTER ? work.own(r) : of.windowBytes();
      work.receives[r] = arena.allocate(down, 8);
    }
    if (of.kind() == Collective.ALL_GATHER) {
      for (int r = 0; r < nranks; r++) {
        MemorySegment.copy(work.sends[r], 0, whole, work.ownStart(r), work.own(r));
      }
    } else {
      ReduceFunction function = ScalarKernels.instance().function(of.type(), of.op(), 1);
      long count = of.windowBytes() / of.type().size();
      MemorySegment.copy(work.sends[0], 0, whole, 0, of.windowBytes());
      for (int r = 1; r < nranks && count > 0; r++) {
        function.combine(whole, 0, work.sends[r], 0, whole, 0, count);
      }
    }
    for (int r = 0; r < nranks; r++) {
      work.expected[r] =
          of.kind() == Collective.REDUCE_SCATTER
              ? whole.asSlice(work.ownStart(r), work.own(r))
              : whole.asSlice(0, of.windowBytes());
    }
    return work;
  }

  private long ownStart(int rank) {
    return Math.clamp(rank * of.bytesPerRank() - of.windowOffset(), 0, of.windowBytes());
  }

  private long own(int rank) {
    return Math.clamp((rank + 1) * of.bytesPerRank() - of.windowOffset(), 0, of.windowBytes())
        - ownStart(rank);
  }

  /** Compares what a rank has received, bit by bit. */
  void check(int rank) {
    assertThat(receives[rank].mismatch(expected[rank]))
        .as("first wrong byte of rank %d of %d in %s", rank, sends.length, of)
        .isEqualTo(-1);
  }
}
