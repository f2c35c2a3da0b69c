// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every function, bit for bit the same as its scalar twin, which is tested against arithmetic. */
class VectorKernelsTest {

  private static final KernelProvider SCALAR = ScalarKernels.instance();
  private static final KernelProvider VECTOR = new VectorKernels();

  /** All pairs of 8 bits; all values of 16 bits against random ones; else special and random. */
  @ParameterizedTest
  @EnumSource
  void everyValue(DataType type) {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    int count = 1 << 16;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocate((long) count * type.size());
      MemorySegment b = arena.allocate((long) count * type.size());
      for (int i = 0; i < count; i++) {
        set(type, a, i, type.size() == 1 ? i >> 8 : type.size() == 2 ? i : value(type, random));
        set(type, b, i, type.size() == 1 ? i : value(type, random));
      }
      for (ReductionOp op : ReductionOp.values()) {
        for (int nRanks : new int[] {1, 2, 3, 7, 128, 1000, 65537, Integer.MAX_VALUE}) {
          if (op == ReductionOp.AVG || nRanks == 1) {
            String what = "%s %s, n %d, seed %d".formatted(type, op, nRanks, seed);
            ReduceFunction expected = SCALAR.function(type, op, nRanks);
            compare(what, expected, VECTOR.function(type, op, nRanks), a, 0, b, 0, count);
            compare(what, expected, VECTOR.function(type, op, nRanks), b, 0, a, 0, count);
          }
        }
      }
      for (int i = 0; i < 40; i++) {
        long scalar = i == 0 ? 1 : value(type, random);
        String what = "%s times %x, seed %d".formatted(type, scalar, seed);
        ReduceFunction expected = SCALAR.preMulSum(type, scalar);
        compare(what, expected, VECTOR.preMulSum(type, scalar), a, 0, b, 0, count);
      }
    }
  }

  /** Counts around a vector's and a piece's size, and addresses of any alignment. */
  @ParameterizedTest
  @EnumSource
  void everyCountAndAlignment(DataType type) {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    int piece = (int) VectorScratch.PIECE_BYTES / type.size();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocate(3 * VectorScratch.PIECE_BYTES);
      MemorySegment b = arena.allocate(3 * VectorScratch.PIECE_BYTES);
      for (int i = 0; i < a.byteSize() / type.size(); i++) {
        set(type, a, i, value(type, random));
        set(type, b, i, value(type, random));
      }
      for (ReductionOp op : ReductionOp.values()) {
        ReduceFunction expected = SCALAR.function(type, op, 3);
        ReduceFunction actual = VECTOR.function(type, op, 3);
        for (int i = 0; i <= 304; i++) {
          int count = i <= 300 ? i : piece + (i - 302) + (i == 304 ? piece : 0);
          int aAt = random.nextInt(70);
          int bAt = random.nextInt(70);
          String what =
              "%s %s, %d at %d and %d, seed %d".formatted(type, op, count, aAt, bAt, seed);
          compare(what, expected, actual, a, aAt, b, bAt, count);
        }
      }
    }
  }

  @Test
  void rangesAreChecked() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment big = arena.allocate(1024).fill((byte) 1);
      MemorySegment dst = arena.allocate(1024);
      for (DataType type : DataType.values()) {
        for (ReductionOp op : ReductionOp.values()) {
          ReduceFunction function = VECTOR.function(type, op, 2);
          long count = big.byteSize() / type.size();
          for (Step step : Step.values()) {
            assertThatThrownBy(() -> step.run(function, big, 0, big, 1, dst, 0, count))
                .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> step.run(function, big, 0, big, 0, dst, 1, count))
                .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> step.run(function, big, 0, big, -1, dst, 0, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> step.run(function, big, 0, big, 0, dst, 0, -1))
                .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> step.run(function, big, 0, big, 0, dst, 0, 1L << 62))
                .isInstanceOf(IndexOutOfBoundsException.class);
          }
        }
      }
      assertThat(dst.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }
  }

  @Test
  void memoryThatIsGoneIsAnError() {
    Arena arena = Arena.ofConfined();
    MemorySegment gone = arena.allocate(4096);
    arena.close();
    for (DataType type : DataType.values()) {
      ReduceFunction function = VECTOR.function(type, ReductionOp.SUM, 1);
      assertThatThrownBy(() -> function.combine(gone, 0, gone, 0, gone, 0, 4096 / type.size()))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void functionsAreMadeOnce() {
    assertThat(VECTOR.unavailable()).isNull();
    assertThat(VECTOR.priority()).isGreaterThan(SCALAR.priority());
    ReduceFunction three = VECTOR.function(DataType.FLOAT32, ReductionOp.AVG, 3);
    assertThat(VECTOR.function(DataType.FLOAT32, ReductionOp.AVG, 3)).isSameAs(three);
    assertThat(VECTOR.function(DataType.FLOAT32, ReductionOp.AVG, 4)).isNotSameAs(three);
    assertThatThrownBy(() -> VECTOR.function(DataType.INT8, ReductionOp.AVG, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0");
  }

  private static void compare(
      String what,
      ReduceFunction expected,
      ReduceFunction actual,
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      int count) {
    try (Arena arena = Arena.ofConfined()) {
      for (Step step : Step.values()) {
        MemorySegment right = copyOf(arena, a);
        step.run(expected, a, aAt, b, bAt, right, aAt, count);
        MemorySegment apart = copyOf(arena, a);
        step.run(actual, a, aAt, b, bAt, apart, aAt, count);
        assertSame(what + " " + step, right, apart);
        MemorySegment inA = copyOf(arena, a);
        step.run(actual, inA, aAt, b, bAt, inA, aAt, count);
        assertSame(what + " in place on the left, " + step, right, inA);
        MemorySegment rightInB = copyOf(arena, b);
        step.run(expected, a, aAt, b, bAt, rightInB, bAt, count);
        MemorySegment inB = copyOf(arena, b);
        step.run(actual, a, aAt, inB, bAt, inB, bAt, count);
        assertSame(what + " in place on the right, " + step, rightInB, inB);
      }
    }
  }

  private static void assertSame(String what, MemorySegment expected, MemorySegment actual) {
    long at = expected.mismatch(actual);
    if (at >= 0) {
      throw new AssertionError(
          "%s: byte %d is %x and should be %x"
              .formatted(
                  what,
                  at,
                  actual.get(ValueLayout.JAVA_BYTE, at),
                  expected.get(ValueLayout.JAVA_BYTE, at)));
    }
  }

  private static MemorySegment copyOf(Arena arena, MemorySegment segment) {
    return arena.allocate(segment.byteSize()).copyFrom(segment);
  }

  /** Random bits, special values and their neighbours, and numbers near enough to interact. */
  private static long value(DataType type, RandomGenerator random) {
    int width = 8 * type.size();
    long sign = random.nextBoolean() ? 1L << (width - 1) : 0;
    long ones = sign | (-1L >>> (64 - width + 1));
    long infinity =
        switch (type) {
          case FLOAT64 -> 0x7ff0000000000000L;
          case FLOAT32 -> 0x7f800000;
          case FLOAT16, FLOAT8E5M2 -> 0x7cL << (width - 8);
          case BFLOAT16 -> 0x7f80;
          default -> ones >> 1;
        };
    return switch (random.nextInt(8)) {
      case 0 -> sign | random.nextInt(3);
      case 1 -> sign | (infinity + random.nextInt(-2, 3));
      case 2 -> ones - random.nextInt(3);
      case 3 -> sign | (random.nextLong() & (infinity >> 5)); // subnormal, or little more
      case 4, 5 -> sign | ((infinity >> 1) + (random.nextLong() & (infinity >> 3)));
      default -> random.nextLong();
    };
  }

  private static void set(DataType type, MemorySegment segment, long index, long bits) {
    switch (type.size()) {
      case 1 -> segment.setAtIndex(ValueLayout.JAVA_BYTE, index, (byte) bits);
      case 2 -> segment.setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, index, (short) bits);
      case 4 -> segment.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index, (int) bits);
      default -> segment.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, index, bits);
    }
  }

  private enum Step {
    COPY,
    COPY_FINAL,
    REDUCE,
    REDUCE_FINAL,
    COMBINE,
    COMBINE_FINAL;

    void run(
        ReduceFunction function,
        MemorySegment a,
        long aAt,
        MemorySegment b,
        long bAt,
        MemorySegment dst,
        long dstAt,
        long count) {
      switch (this) {
        case COPY -> function.copy(b, bAt, dst, dstAt, count);
        case COPY_FINAL -> function.copyFinal(b, bAt, dst, dstAt, count);
        case REDUCE -> function.reduce(a, aAt, b, bAt, dst, dstAt, count);
        case REDUCE_FINAL -> function.reduceFinal(a, aAt, b, bAt, dst, dstAt, count);
        case COMBINE -> function.combine(a, aAt, b, bAt, dst, dstAt, count);
        case COMBINE_FINAL -> function.combineFinal(a, aAt, b, bAt, dst, dstAt, count);
      }
    }
  }
}
