// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.numeric;

import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.spi.DataType;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.KernelStep;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results that a reduction of a few ranks may have, bit by bit: those of the scalar kernels in
 * every order of the ranks. For at most five ranks, which have 105 orders.
 */
public final class AnyOrder implements AutoCloseable {
  private static final int MOST_RANKS = 5;

  private final Arena arena = Arena.ofShared();
  private final DataType type;
  private final long count;
  private final List<MemorySegment> results;

  /**
   * Computes the results.
   *
   * @param reductions what each rank asks for; they differ in the scalar only
   * @param inputs the contribution of each rank, as many elements each
   */
  public AnyOrder(List<DeviceReduction> reductions, List<byte[]> inputs) {
    int ranks = inputs.size();
    if (ranks < 1 || ranks > MOST_RANKS) {
      throw new IllegalArgumentException(ranks + " ranks, expected 1 to " + MOST_RANKS);
    }
    type = reductions.getFirst().type();
    count = inputs.getFirst().length / type.size();
    ReduceFunction function = function(reductions.getFirst());
    if (ranks == 1) {
      MemorySegment result = fresh();
      function.copyFinal(segment(inputs.getFirst()), 0, result, 0, count);
      results = List.of(result);
      return;
    }
    Map<Integer, List<MemorySegment>> partial = new HashMap<>();
    for (int rank = 0; rank < ranks; rank++) {
      MemorySegment own = fresh();
      function(reductions.get(rank)).copy(segment(inputs.get(rank)), 0, own, 0, count);
      partial.put(1 << rank, List.of(own));
    }
    int all = (1 << ranks) - 1;
    for (int set = 1; set <= all; set++) {
      if (Integer.bitCount(set) > 1) {
        partial.put(set, combined(function, partial, set, set == all));
      }
    }
    results = List.copyOf(partial.getOrDefault(all, List.of()));
  }

  private List<MemorySegment> combined(
      ReduceFunction function, Map<Integer, List<MemorySegment>> partial, int set, boolean last) {
    List<MemorySegment> made = new ArrayList<>();
    int first = Integer.lowestOneBit(set);
    for (int left = (set - 1) & set; left > 0; left = (left - 1) & set) {
      if ((left & first) == 0) {
        continue; // the other half of a pair that comes as well
      }
      for (MemorySegment a : partial.getOrDefault(left, List.of())) {
        for (MemorySegment b : partial.getOrDefault(set & ~left, List.of())) {
          MemorySegment result = fresh();
          if (last) {
            function.combineFinal(a, 0, b, 0, result, 0, count);
          } else {
            function.combine(a, 0, b, 0, result, 0, count);
          }
          made.add(result);
        }
      }
    }
    return made;
  }

  /** Returns the reference for a reduction. */
  private static ReduceFunction function(DeviceReduction reduction) {
    ScalarKernels scalar = ScalarKernels.instance();
    return reduction.preMultiplied()
        ? scalar.preMulSum(reduction.type(), reduction.scalarBits())
        : scalar.function(reduction.type(), reduction.op(), reduction.ranks());
  }

  /**
   * Computes one step as the scalar kernels do.
   *
   * @param left the partial result, which the two COPY steps ignore
   * @param right the other operand
   * @return the result
   */
  public static byte[] step(DeviceReduction reduction, KernelStep step, byte[] left, byte[] right) {
    ReduceFunction function = function(reduction);
    long count = right.length / reduction.type().size();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocate(Math.max(1, left.length), 8);
      MemorySegment b = arena.allocate(Math.max(1, right.length), 8);
      MemorySegment result = arena.allocate(Math.max(1, right.length), 8);
      MemorySegment.copy(left, 0, a, ValueLayout.JAVA_BYTE, 0, left.length);
      MemorySegment.copy(right, 0, b, ValueLayout.JAVA_BYTE, 0, right.length);
      switch (step) {
        case COPY -> function.copy(b, 0, result, 0, count);
        case COPY_FINAL -> function.copyFinal(b, 0, result, 0, count);
        case REDUCE -> function.reduce(a, 0, b, 0, result, 0, count);
        case REDUCE_FINAL -> function.reduceFinal(a, 0, b, 0, result, 0, count);
        case COMBINE -> function.combine(a, 0, b, 0, result, 0, count);
        case COMBINE_FINAL -> function.combineFinal(a, 0, b, 0, result, 0, count);
      }
      return result.asSlice(0, right.length).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /**
   * Finds the first element that is none of the results.
   *
   * @param from the first element of the part that is looked at
   * @param part the bytes of that part
   * @return what is wrong with it; null where all are right
   */
  public @Nullable String firstWrong(long from, byte[] part) {
    MemorySegment seen = MemorySegment.ofArray(part);
    long elements = part.length / type.size();
    for (long i = 0; i < elements; i++) {
      long bits = KitElements.get(seen, type, i * type.size());
      boolean right = false;
      for (MemorySegment result : results) {
        right |= KitElements.get(result, type, (from + i) * type.size()) == bits;
      }
      if (!right) {
        return ErrorText.of(
            "element %d of %d is %s, expected %s",
            i,
            elements,
            KitElements.describe(type, bits),
            KitElements.describe(
                type, KitElements.get(results.getFirst(), type, (from + i) * type.size())));
      }
    }
    return null;
  }

  private MemorySegment fresh() {
    return arena.allocate(Math.max(1, count * type.size()), 8);
  }

  private MemorySegment segment(byte[] bytes) {
    MemorySegment copy = arena.allocate(Math.max(1, bytes.length), 8);
    MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return copy;
  }

  @Override
  public void close() {
    arena.close();
  }
}
