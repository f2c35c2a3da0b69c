// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.spi.DataType;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reduces the ranks' contributions in one thread, in the orders that algorithms have. */
final class ModelReduction {

  enum Order {
    /** Along the ring from rank 1 round to rank 0. */
    RING,
    /** The same against its sense. */
    REVERSE,
    /** Two subtrees of partial results, then the root's own. */
    TREE
  }

  private final Arena arena;
  private final DataType type;
  private final PerfOperator op;
  private final int nRanks;
  private final int count;
  private final ReduceFunction function;

  ModelReduction(Arena arena, DataType type, PerfOperator op, int nRanks, int count) {
    this.arena = arena;
    this.type = type;
    this.op = op;
    this.nRanks = nRanks;
    this.count = count;
    // Contributions are multiplied already.
    PerfOperator applied = op == PerfOperator.MULSUM ? PerfOperator.SUM : op;
    this.function = ScalarKernels.instance().function(type, applied.reduction(), nRanks);
  }

  /** Returns what all ranks contribute, by rank; multiplied where that comes first. */
  List<MemorySegment> contributions(long seed) {
    TestValues values = TestValues.of(type, op, seed, nRanks);
    List<MemorySegment> contributions = new ArrayList<>();
    for (int rank = 0; rank < nRanks; rank++) {
      MemorySegment buffer = newBuffer();
      TestData.fill(new TestData(values, rank, 0), buffer, 0, count);
      if (op == PerfOperator.MULSUM) {
        ElementFormat format = ElementFormat.of(type);
        double scalar = TestValues.scalar(type, rank);
        long bits = type.isFloat() ? format.encode(scalar) : (long) scalar;
        ScalarKernels.instance().preMulSum(type, bits).copy(buffer, 0, buffer, 0, count);
      }
      contributions.add(buffer);
    }
    return contributions;
  }

  /** Returns the reduction of any number of contributions, scaled for {@code nRanks}. */
  MemorySegment reduce(List<MemorySegment> contributions, Order order) {
    List<MemorySegment> others = new ArrayList<>(contributions.subList(1, contributions.size()));
    if (order == Order.REVERSE) {
      Collections.reverse(others);
    }
    MemorySegment last = contributions.getFirst();
    MemorySegment result = newBuffer();
    if (others.isEmpty()) {
      function.copyFinal(last, 0, result, 0, count);
    } else {
      MemorySegment partial = order == Order.TREE ? tree(others) : chain(others);
      function.reduceFinal(partial, 0, last, 0, result, 0, count);
    }
    return result;
  }

  private MemorySegment chain(List<MemorySegment> contributions) {
    MemorySegment partial = newBuffer();
    function.copy(contributions.getFirst(), 0, partial, 0, count);
    for (MemorySegment own : contributions.subList(1, contributions.size())) {
      function.reduce(partial, 0, own, 0, partial, 0, count);
    }
    return partial;
  }

  private MemorySegment tree(List<MemorySegment> contributions) {
    int half = contributions.size() / 2;
    if (half == 0) {
      return chain(contributions);
    }
    MemorySegment left = tree(contributions.subList(0, half));
    MemorySegment right = tree(contributions.subList(half, contributions.size()));
    // Both are scaled already, if this is an average.
    boolean adds = op == PerfOperator.AVG || op == PerfOperator.MULSUM;
    ScalarKernels.instance()
        .function(type, (adds ? PerfOperator.SUM : op).reduction(), nRanks)
        .reduce(left, 0, right, 0, left, 0, count);
    return left;
  }

  private MemorySegment newBuffer() {
    return arena.allocate((long) count * type.size());
  }
}
