// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.spi.testing.Thorough;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Where the elements are: counts, offsets, blocks, sharing; not what is computed on them. */
class BlockFunctionTest {

  private static final int N_RANKS = 3;

  static Stream<Arguments> typesAndOps() {
    return Arrays.stream(DataType.values())
        .flatMap(type -> Arrays.stream(ReductionOp.values()).map(op -> Arguments.of(type, op)));
  }

  /**
   * An element's result is that of a call for this element alone, and nothing else is touched. The
   * build takes whole blocks at one place that is not aligned, and {@code -Pthorough} at four.
   */
  @Tag(Thorough.TAG)
  @ParameterizedTest
  @MethodSource("typesAndOps")
  void placesEveryElement(DataType type, ReductionOp op) {
    ReduceFunction function = ScalarKernels.instance().function(type, op, N_RANKS);
    int block = Block.BYTES / type.size();
    SplittableRandom random = new SplittableRandom(7);
    for (int count : new int[] {0, 1, 2, 3, 5, 31, block - 1, block, block + 1, 2 * block + 3}) {
      int[] shifts = count < block - 1 || Thorough.ON ? new int[] {0, 1, 3, 8} : new int[] {1};
      for (int shift : shifts) {
        try (Arena arena = Arena.ofConfined()) {
          long size = (long) count * type.size();
          MemorySegment a = arena.allocate(size + 32);
          MemorySegment src = arena.allocate(size + 32);
          KernelElements.fillRandomly(a, random);
          KernelElements.fillRandomly(src, random);
          for (Step step : Step.values()) {
            MemorySegment expected = oneByOne(arena, function, step, type, a, src, shift, count);
            for (Place place : Place.values()) {
              MemorySegment a2 = copyOf(arena, a);
              MemorySegment src2 = copyOf(arena, src);
              MemorySegment dst =
                  place == Place.IN_A ? a2 : place == Place.IN_SRC ? src2 : copyOf(arena, a);
              // In place the destination is where the operand is; apart it is somewhere else.
              long at = place == Place.IN_A ? shift : place == Place.IN_SRC ? shift + 2 : 5;
              MemorySegment before = copyOf(arena, dst);
              step.run(function, a2, shift, src2, shift + 2, dst, at, count);
              assertThat(dst.asSlice(at, size).mismatch(expected))
                  .as("%s, %s, %d elements at %d", step, place, count, at)
                  .isEqualTo(-1);
              assertThat(dst.asSlice(0, at).mismatch(before.asSlice(0, at))).isEqualTo(-1);
              assertThat(dst.asSlice(at + size).mismatch(before.asSlice(at + size))).isEqualTo(-1);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Step.class)
  void rejectsRangesOutsideTheSegments(Step step) {
    ReduceFunction function = ScalarKernels.instance().function(DataType.INT32, ReductionOp.SUM, 1);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment big = arena.allocate(64 << 10).fill((byte) 1);
      MemorySegment dst = arena.allocate(64 << 10);
      long count = big.byteSize() / 4;
      assertThatThrownBy(() -> step.run(function, big, 0, big, 4, dst, 0, count))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> step.run(function, big, 0, big, 0, dst, 4, count))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> step.run(function, big, 0, big, 0, dst, 0, -1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> step.run(function, big, 0, big, 0, dst, 0, Long.MAX_VALUE / 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(dst.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }
  }

  @Test
  void doesNotAllocateInSteadyState() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocate(3 * Block.BYTES + 8);
      MemorySegment src = arena.allocate(3 * Block.BYTES + 8);
      Step[] steps = Step.values();
      for (DataType type : DataType.values()) {
        for (ReductionOp op : ReductionOp.values()) {
          long count = a.byteSize() / type.size();
          long least = Long.MAX_VALUE;
          for (int round = 0; round < 20 && least > 0; round++) {
            long before = ThreadAllocation.bytes();
            for (int i = 0; i < 100; i++) {
              ReduceFunction function = ScalarKernels.instance().function(type, op, N_RANKS);
              for (Step step : steps) {
                step.run(function, a, 0, src, 0, a, 0, count);
              }
            }
            least = Math.min(least, ThreadAllocation.bytes() - before);
          }
          assertThat(least).as("bytes allocated by 600 calls of %s %s", type, op).isZero();
        }
      }
    }
  }

  private static MemorySegment oneByOne(
      Arena arena,
      ReduceFunction function,
      Step step,
      DataType type,
      MemorySegment a,
      MemorySegment src,
      long shift,
      int count) {
    MemorySegment expected = arena.allocate((long) count * type.size());
    for (int i = 0; i < count; i++) {
      long at = (long) i * type.size();
      step.run(function, a, shift + at, src, shift + 2 + at, expected, at, 1);
    }
    return expected;
  }

  private static MemorySegment copyOf(Arena arena, MemorySegment segment) {
    return arena.allocate(segment.byteSize()).copyFrom(segment);
  }

  private enum Place {
    IN_A,
    IN_SRC,
    APART
  }

  private enum Step {
    COPY,
    REDUCE,
    REDUCE_FINAL,
    COPY_FINAL,
    COMBINE,
    COMBINE_FINAL;

    void run(
        ReduceFunction function,
        MemorySegment a,
        long aOffset,
        MemorySegment src,
        long srcOffset,
        MemorySegment dst,
        long dstOffset,
        long count) {
      switch (this) {
        case COPY -> function.copy(src, srcOffset, dst, dstOffset, count);
        case REDUCE -> function.reduce(a, aOffset, src, srcOffset, dst, dstOffset, count);
        case REDUCE_FINAL ->
            function.reduceFinal(a, aOffset, src, srcOffset, dst, dstOffset, count);
        case COPY_FINAL -> function.copyFinal(src, srcOffset, dst, dstOffset, count);
        case COMBINE -> function.combine(a, aOffset, src, srcOffset, dst, dstOffset, count);
        case COMBINE_FINAL ->
            function.combineFinal(a, aOffset, src, srcOffset, dst, dstOffset, count);
      }
    }
  }
}
