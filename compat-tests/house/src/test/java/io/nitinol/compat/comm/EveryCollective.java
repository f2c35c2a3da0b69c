// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import io.nitinol.chaos.ExactElements;
import io.nitinol.core.Communicator;
import io.nitinol.core.Group;
import io.nitinol.core.HostOperator;
import io.nitinol.core.Work;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Runs every collective once, and a send and a receive around the ring of ranks, and compares all
 * results with what the ranks contributed. Throws AssertionError at the first wrong element.
 */
final class EveryCollective {
  private static final byte POISON = (byte) 0xA5;
  private static final int GUARD = 64;

  private final Communicator comm;
  private final DataType type;
  private final ReductionOp op;
  private final long count;
  private final int me;
  private final int n;

  /** An element of a result. */
  private interface Model {
    long at(long index);
  }

  /**
   * Creates a run.
   *
   * @param count elements, or elements for each rank
   */
  EveryCollective(Communicator comm, DataType type, ReductionOp op, long count) {
    this.comm = comm;
    this.type = type;
    this.op = op;
    this.count = count;
    this.me = comm.rank();
    this.n = comm.size();
  }

  /** Runs what tests of many ranks run: several types and operators, counts that divide nothing. */
  static void runAll(Communicator comm) {
    new EveryCollective(comm, DataType.FLOAT32, ReductionOp.SUM, 1).run();
    new EveryCollective(comm, DataType.INT8, ReductionOp.MAX, 37).run();
    new EveryCollective(comm, DataType.FLOAT16, ReductionOp.SUM, 331).run();
    new EveryCollective(comm, DataType.UINT64, ReductionOp.PROD, 1021).run();
    new EveryCollective(comm, DataType.FLOAT64, ReductionOp.MIN, 5_003).run();
  }

  /** Runs all of them. */
  void run() {
    int root = (int) (count % n);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment one = input(arena, count);
      MemorySegment all = input(arena, n * count);
      MemorySegment small = result(arena, count);
      check("all-reduce", comm.allReduce(one, small, count, type, op), small, count, this::reduced);
      small = result(arena, count);
      check(
          "reduce",
          comm.reduce(one, small, count, type, op, root),
          small,
          me == root ? count : 0,
          this::reduced);
      small = result(arena, count);
      check(
          "broadcast",
          comm.broadcast(one, small, count, type, root),
          small,
          count,
          i -> of(root, i));
      small = result(arena, count);
      check(
          "reduce-scatter",
          comm.reduceScatter(all, small, count, type, op),
          small,
          count,
          i -> reduced(me * count + i));
      small = result(arena, count);
      check(
          "scatter",
          comm.scatter(all, small, count, type, root),
          small,
          count,
          i -> of(root, me * count + i));
      MemorySegment large = result(arena, n * count);
      check(
          "all-gather",
          comm.allGather(one, large, count, type),
          large,
          n * count,
          i -> of((int) (i / count), i % count));
      large = result(arena, n * count);
      check(
          "gather",
          comm.gather(one, large, count, type, root),
          large,
          me == root ? n * count : 0,
          i -> of((int) (i / count), i % count));
      large = result(arena, n * count);
      check(
          "all-to-all",
          comm.allToAll(all, large, count, type),
          large,
          n * count,
          i -> of((int) (i / count), me * count + i % count));
      uneven(arena, all);
      ofEachLength(arena, one, root);
      bits(arena);
      comm.barrier().await();
      around(arena, one);
    }
  }

  /** Rank {@code r} gives rank {@code s} as many elements as their distance says, at most. */
  private void uneven(Arena arena, MemorySegment all) {
    long[] sends = new long[n];
    long[] recvs = new long[n];
    long[] offsets = new long[n];
    for (int r = 0; r < n; r++) {
      sends[r] = Math.min(count, (r - me + n) % n);
      recvs[r] = Math.min(count, (me - r + n) % n);
      offsets[r] = r * count;
    }
    MemorySegment large = result(arena, n * count);
    comm.allToAllV(all, sends, offsets, large, recvs, offsets, type).await();
    for (int r = 0; r < n; r++) {
      int from = r;
      compare(
          "all-to-all-v from rank " + r,
          large.asSlice(r * count * type.size()),
          recvs[r],
          count * type.size(),
          i -> of(from, me * count + i));
    }
  }

  /** Rank {@code r} has {@code r} elements less than {@code count}, or none. */
  private void ofEachLength(Arena arena, MemorySegment one, int root) {
    long[] counts = new long[n];
    long[] offsets = new long[n];
    for (int r = 0; r < n; r++) {
      counts[r] = Math.max(0, count - r);
      offsets[r] = r * count;
    }
    MemorySegment large = result(arena, n * count);
    comm.allGatherV(one, counts[me], large, counts, offsets, type).await();
    compareParts("all-gather-v", large, counts);
    large = result(arena, n * count);
    comm.gatherV(one, counts[me], large, counts, offsets, type, root).await();
    compareParts("gather-v", large, me == root ? counts : new long[n]);
    MemorySegment small = result(arena, count);
    check(
        "scatter-v",
        comm.scatterV(
            me == root ? large : null,
            me == root ? counts : null,
            me == root ? offsets : null,
            small,
            counts[me],
            type,
            root),
        small,
        counts[me],
        i -> of(me, i));
  }

  private void compareParts(String what, MemorySegment large, long[] counts) {
    for (int r = 0; r < n; r++) {
      int from = r;
      compare(
          what + " from rank " + r,
          large.asSlice(r * count * type.size()),
          counts[r],
          count * type.size(),
          i -> of(from, i));
    }
  }

  private void bits(Arena arena) {
    MemorySegment mine = arena.allocate(8 * count, 8);
    MemorySegment reduced = arena.allocate(8 * count, 8);
    for (HostOperator each :
        List.of(HostOperator.BIT_AND, HostOperator.BIT_OR, HostOperator.BIT_XOR)) {
      for (long i = 0; i < count; i++) {
        mine.setAtIndex(ValueLayout.JAVA_LONG, i, pattern(me, i));
      }
      comm.allReduce(mine, reduced, count, DataType.INT64, each).await();
      for (long i = 0; i < count; i++) {
        long expected = pattern(0, i);
        for (int r = 1; r < n; r++) {
          long other = pattern(r, i);
          expected =
              each.equals(HostOperator.BIT_AND)
                  ? expected & other
                  : each.equals(HostOperator.BIT_OR) ? expected | other : expected ^ other;
        }
        if (reduced.getAtIndex(ValueLayout.JAVA_LONG, i) != expected) {
          throw new AssertionError(
              "a bitwise operator on rank %s of %s: element %s is wrong".formatted(me, n, i));
        }
      }
    }
  }

  private static long pattern(int rank, long index) {
    return (rank + 1) * 0x9e3779b97f4a7c15L + index * 0x5851f42d4c957f2dL;
  }

  private void around(Arena arena, MemorySegment one) {
    int next = (me + 1) % n;
    int previous = (me + n - 1) % n;
    MemorySegment small = result(arena, count);
    Work sent;
    Work received;
    try (Group _ = Group.start()) {
      sent = comm.send(one, count, type, next);
      received = comm.recv(small, count, type, previous);
    }
    sent.await();
    check("receive", received, small, count, i -> of(previous, i));
  }

  private long of(int rank, long index) {
    return ExactElements.value(count, rank, index, op);
  }

  private long reduced(long index) {
    long value = of(0, index);
    for (int r = 1; r < n; r++) {
      value = ExactElements.combine(value, of(r, index), op);
    }
    return value;
  }

  private MemorySegment input(Arena arena, long elements) {
    MemorySegment input = arena.allocate(elements * type.size(), 8);
    for (long i = 0; i < elements; i++) {
      ExactElements.set(input, type, i, of(me, i));
    }
    return input;
  }

  private MemorySegment result(Arena arena, long elements) {
    MemorySegment result = arena.allocate(elements * type.size() + GUARD, 8);
    result.fill(POISON);
    return result;
  }

  private void check(String what, Work work, MemorySegment result, long elements, Model model) {
    work.await();
    compare(what, result, elements, result.byteSize(), model);
  }

  /**
   * Compares the first {@code elements} elements; the bytes from there to {@code end} are poison.
   */
  private void compare(String what, MemorySegment result, long elements, long end, Model model) {
    try (Arena arena = Arena.ofConfined()) {
      long bytes = elements * type.size();
      MemorySegment expected = arena.allocate(end, 8);
      expected.fill(POISON);
      for (long i = 0; i < elements; i++) {
        ExactElements.set(expected, type, i, model.at(i));
      }
      long wrong = MemorySegment.mismatch(result, 0, end, expected, 0, end);
      if (wrong >= 0) {
        throw new AssertionError(
            "%s of %s %s with %s on rank %s of %s%s, found byte %s"
                .formatted(
                    what,
                    count,
                    type,
                    op,
                    me,
                    n,
                    wrong < bytes
                        ? ": element " + wrong / type.size() + " is wrong"
                        : ": byte " + wrong + " behind the " + bytes + " of the result was written",
                    result.get(ValueLayout.JAVA_BYTE, wrong)));
      }
    }
  }
}
