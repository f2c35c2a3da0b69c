// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.spi.testing.Thorough;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every type and operator, bit by bit, against exact arithmetic. */
class ScalarKernelsTest {

  private static final KernelProvider KERNELS = ScalarKernels.instance();

  static Stream<Arguments> typesAndOps() {
    return Arrays.stream(DataType.values())
        .flatMap(type ->
            Arrays.stream(ReductionOp.values())
                .filter(op -> op != ReductionOp.AVG)
                .map(op -> Arguments.of(type, op)));
  }

  @ParameterizedTest
  @MethodSource("typesAndOps")
  void reducesExactly(DataType type, ReductionOp op) {
    long seed = seed();
    long[][] pairs = pairs(type, new SplittableRandom(seed));
    long[] actual = reduce(KERNELS.function(type, op, 1), type, pairs[0], pairs[1]);
    for (int i = 0; i < actual.length; i++) {
      long expected = Reference.reduce(type, op, pairs[0][i], pairs[1][i]);
      // Which NaN a minimum of NaNs is does not matter here, as it does not depend on their order.
      boolean anyNaN = op == ReductionOp.MIN || op == ReductionOp.MAX;
      if (anyNaN
          ? actual[i] != expected && !bothNaN(type, actual[i], expected)
          : actual[i] != (Reference.isNaN(type, expected) ? nan(type) : expected)) {
        throw new AssertionError(
            "%s %s of %x and %x: expected %x, got %x, seed %d"
                .formatted(type, op, pairs[0][i], pairs[1][i], expected, actual[i], seed));
      }
    }
  }

  @Tag(Thorough.TAG)
  @ParameterizedTest
  @EnumSource
  void averages(DataType type) {
    long seed = seed();
    RandomGenerator random = new SplittableRandom(seed);
    int[] few = {1, 3, 7, 128, 65537, Integer.MAX_VALUE};
    int[] many = {1, 2, 3, 5, 7, 64, 127, 128, 1000, 65537, Integer.MAX_VALUE};
    for (int nRanks : Thorough.ON ? many : few) {
      long[][] pairs = averagePairs(type, random);
      ReduceFunction function = KERNELS.function(type, ReductionOp.AVG, nRanks);
      int n = pairs[0].length;
      long[] partial = reduce(function, type, pairs[0], pairs[1]);
      long[] complete = reduceFinal(function, type, pairs[0], pairs[1]);
      long[] scaled = copy(function, type, pairs[1], false);
      long[] alone = copy(function, type, pairs[1], true);
      for (int i = 0; i < n; i++) {
        long own = Reference.average(type, pairs[1][i], nRanks);
        long sum = Reference.reduce(type, ReductionOp.SUM, pairs[0][i], own);
        int at = i;
        Supplier<String> what =
            () -> "n %d, element %x, seed %d".formatted(nRanks, pairs[1][at], seed);
        assertSame(type, own, scaled[i], what);
        assertSame(type, sum, partial[i], what);
        assertSame(type, Reference.post(type, sum, nRanks), complete[i], what);
        assertSame(type, Reference.post(type, own, nRanks), alone[i], what);
      }
    }
  }

  /** Partial results are scaled already: only the operator is applied to them, and the division. */
  @ParameterizedTest
  @EnumSource
  void combinesPartialResultsOfAverages(DataType type) {
    long seed = seed();
    RandomGenerator random = new SplittableRandom(seed);
    int nRanks = 7;
    long[][] pairs = averagePairs(type, random);
    ReduceFunction function = KERNELS.function(type, ReductionOp.AVG, nRanks);
    long[] partial = compute(function::combine, type, pairs[0], pairs[1]);
    long[] complete = compute(function::combineFinal, type, pairs[0], pairs[1]);
    for (int i = 0; i < partial.length; i++) {
      long sum = Reference.reduce(type, ReductionOp.SUM, pairs[0][i], pairs[1][i]);
      int at = i;
      Supplier<String> what =
          () -> "%x and %x, seed %d".formatted(pairs[0][at], pairs[1][at], seed);
      assertSame(type, sum, partial[i], what);
      assertSame(type, Reference.post(type, sum, nRanks), complete[i], what);
    }
  }

  @Tag(Thorough.TAG)
  @ParameterizedTest
  @EnumSource
  void multipliesEachContributionByTheScalar(DataType type) {
    long seed = seed();
    RandomGenerator random = new SplittableRandom(seed);
    long[] edges = KernelElements.edges(type);
    for (int round = 0; round < (Thorough.ON ? 40 : 8); round++) {
      long scalar = round % 2 == 0 ? random.nextLong() : edges[random.nextInt(edges.length)];
      long[][] pairs = averagePairs(type, random);
      ReduceFunction function = KERNELS.preMulSum(type, scalar);
      long[] scaled = copy(function, type, pairs[1], round % 4 < 2);
      long[] partial = compute(function::reduce, type, pairs[0], pairs[1]);
      long[] complete = compute(function::reduceFinal, type, pairs[0], pairs[1]);
      long[] combined = compute(function::combine, type, pairs[0], pairs[1]);
      long[] combinedLast = compute(function::combineFinal, type, pairs[0], pairs[1]);
      for (int i = 0; i < partial.length; i++) {
        long own = Reference.scaled(type, pairs[1][i], scalar & Reference.mask(type));
        long sum = Reference.reduce(type, ReductionOp.SUM, pairs[0][i], own);
        long both = Reference.reduce(type, ReductionOp.SUM, pairs[0][i], pairs[1][i]);
        int at = i;
        Supplier<String> what =
            () -> "scalar %x, element %x, seed %d".formatted(scalar, pairs[1][at], seed);
        assertSame(type, own, scaled[i], what);
        assertSame(type, sum, partial[i], what);
        assertSame(type, sum, complete[i], what);
        assertSame(type, both, combined[i], what);
        assertSame(type, both, combinedLast[i], what);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aScalarOfOneKeepsEveryBit(DataType type) {
    long one = type.isFloat() ? Reference.encode(type, 1) : 1;
    long[] own = averagePairs(type, new SplittableRandom(1))[1];
    ReduceFunction function = KERNELS.preMulSum(type, one);
    assertThat(copy(function, type, own, false)).isEqualTo(own);
    assertThat(copy(function, type, own, true)).isEqualTo(own);
  }

  /** What makes the result independent of the order in which ranks are combined. */
  @ParameterizedTest
  @EnumSource
  void minimumAndMaximumPassOverNaN(DataType type) {
    if (!type.isFloat()) {
      return;
    }
    long nan = Reference.encode(type, Double.NaN);
    long one = Reference.encode(type, 1);
    long zero = 0;
    long minusZero = Reference.encode(type, -0.0);
    for (ReductionOp op : new ReductionOp[] {ReductionOp.MIN, ReductionOp.MAX}) {
      ReduceFunction function = KERNELS.function(type, op, 1);
      long[] left = {nan, one, nan, zero, minusZero};
      long[] right = {one, nan, nan, minusZero, zero};
      long[] actual = reduce(function, type, left, right);
      assertThat(actual[0]).isEqualTo(one);
      assertThat(actual[1]).isEqualTo(one);
      assertThat(Reference.isNaN(type, actual[2])).isTrue();
      long expected = op == ReductionOp.MIN ? minusZero : zero;
      assertThat(actual[3]).isEqualTo(expected);
      assertThat(actual[4]).isEqualTo(expected);
    }
    for (ReductionOp op : new ReductionOp[] {ReductionOp.SUM, ReductionOp.PROD}) {
      long[] actual =
          reduce(KERNELS.function(type, op, 1), type, new long[] {nan, one}, new long[] {one, nan});
      assertThat(Arrays.stream(actual).allMatch(bits -> Reference.isNaN(type, bits))).isTrue();
    }
  }

  /** What ranks rely on that reduce for themselves: no trace of which operand was on the left. */
  @ParameterizedTest
  @MethodSource("typesAndOps")
  void theOrderOfTwoOperandsCannotBeSeen(DataType type, ReductionOp op) {
    long[][] pairs = pairs(type, new SplittableRandom(5));
    ReduceFunction function = KERNELS.function(type, op, 1);
    assertThat(compute(function::combine, type, pairs[0], pairs[1]))
        .isEqualTo(compute(function::combine, type, pairs[1], pairs[0]));
  }

  @Test
  void functionsAreMadeOnce() {
    for (DataType type : DataType.values()) {
      for (ReductionOp op : ReductionOp.values()) {
        ReduceFunction three = KERNELS.function(type, op, 3);
        assertThat(KERNELS.function(type, op, 4) == three).isEqualTo(op != ReductionOp.AVG);
        assertThat(KERNELS.function(type, op, 3)).isSameAs(three);
      }
    }
    assertThatThrownBy(() -> KERNELS.function(DataType.INT8, ReductionOp.AVG, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0");
  }

  /** All pairs of 8-bit floats; all 16-bit values against random ones; else edges and random. */
  private static long[][] pairs(DataType type, RandomGenerator random) {
    if (type.size() == 1) {
      return new long[][] {
        LongStream.range(0, 65536).map(i -> i >> 8).toArray(),
        LongStream.range(0, 65536).map(i -> i & 255).toArray()
      };
    }
    long[] edges = KernelElements.edges(type);
    LongStream edgesLeft = Arrays.stream(edges).flatMap(a -> Arrays.stream(edges).map(b -> a));
    LongStream edgesRight = Arrays.stream(edges).flatMap(a -> Arrays.stream(edges));
    int more = 100_000;
    long mask = Reference.mask(type);
    LongStream left =
        type.size() == 2
            ? LongStream.range(0, more).map(i -> i & mask)
            : random.longs(more).map(bits -> bits & mask);
    long[] lefts = LongStream.concat(edgesLeft, left).toArray();
    long[] rights =
        LongStream.concat(edgesRight, random.longs(more).map(bits -> bits & mask)).toArray();
    if (type.isFloat()) {
      // Random bits are mostly too far apart to interact: give every other pair like exponents.
      int exponentLow = type == DataType.FLOAT64 ? 52 : type == DataType.FLOAT32 ? 23 : 7;
      for (int i = edges.length * edges.length; i < lefts.length; i += 2) {
        long mantissa = (1L << exponentLow) - 1;
        rights[i] = (lefts[i] & ~mantissa) | (rights[i] & mantissa);
      }
    }
    return new long[][] {lefts, rights};
  }

  private static long[][] averagePairs(DataType type, RandomGenerator random) {
    long mask = Reference.mask(type);
    long[] own =
        type.size() <= 2
            ? LongStream.rangeClosed(0, mask).toArray()
            : LongStream.concat(
                    Arrays.stream(KernelElements.edges(type)),
                    random.longs(5000).map(x -> x & mask))
                .toArray();
    return new long[][] {random.longs(own.length).map(x -> x & mask).toArray(), own};
  }

  private static long[] reduce(ReduceFunction function, DataType type, long[] left, long[] right) {
    return compute(function::reduce, type, left, right);
  }

  private static long[] reduceFinal(
      ReduceFunction function, DataType type, long[] left, long[] right) {
    return compute(function::reduceFinal, type, left, right);
  }

  /** One of the methods of {@link ReduceFunction} with two operands. */
  private interface Binary {
    void compute(
        MemorySegment a,
        long aOffset,
        MemorySegment b,
        long bOffset,
        MemorySegment dst,
        long dstOffset,
        long count);
  }

  private static long[] compute(Binary method, DataType type, long[] left, long[] right) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = segment(arena, type, left);
      MemorySegment b = segment(arena, type, right);
      method.compute(a, 0, b, 0, b, 0, left.length);
      return array(type, b);
    }
  }

  private static long[] copy(ReduceFunction function, DataType type, long[] own, boolean last) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = segment(arena, type, own);
      MemorySegment b = arena.allocate(a.byteSize());
      if (last) {
        function.copyFinal(a, 0, b, 0, own.length);
      } else {
        function.copy(a, 0, b, 0, own.length);
      }
      return array(type, b);
    }
  }

  private static MemorySegment segment(Arena arena, DataType type, long[] elements) {
    MemorySegment segment = arena.allocate((long) elements.length * type.size());
    IntStream.range(0, elements.length)
        .forEach(i -> KernelElements.set(type, segment, (long) i * type.size(), elements[i]));
    return segment;
  }

  private static long[] array(DataType type, MemorySegment segment) {
    return LongStream.range(0, segment.byteSize() / type.size())
        .map(i -> KernelElements.get(type, segment, i * type.size()))
        .toArray();
  }

  /** Asks for {@code what} where it is needed only: there are millions of elements. */
  private static void assertSame(DataType type, long expected, long actual, Supplier<String> what) {
    if (actual != expected && !(actual == nan(type) && Reference.isNaN(type, expected))) {
      throw new AssertionError(
          "%s, %s: expected %x, got %x".formatted(type, what.get(), expected, actual));
    }
  }

  /** The only NaN that a sum or product may be. */
  private static long nan(DataType type) {
    return Reference.mask(type) >>> 1;
  }

  private static boolean bothNaN(DataType type, long a, long b) {
    return Reference.isNaN(type, a) && Reference.isNaN(type, b);
  }

  private static long seed() {
    return new SplittableRandom().nextLong();
  }
}
