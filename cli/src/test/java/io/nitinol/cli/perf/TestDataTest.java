// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.cli.perf.collective.Piece;
import io.nitinol.spi.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class TestDataTest {

  private static final long SEED = 41;

  static Stream<Arguments> typesAndOps() {
    return Arrays.stream(DataType.values())
        .flatMap(type -> PerfOperator.reducing().stream().map(op -> Arguments.of(type, op)));
  }

  @ParameterizedTest
  @MethodSource("typesAndOps")
  void everyOrderOfReductionIsRight(DataType type, PerfOperator op) {
    for (int nRanks : new int[] {1, 2, 3, 4, 7, 8, 16, 64, 1024}) {
      int count = nRanks < 100 ? 501 : 33;
      try (Arena arena = Arena.ofConfined()) {
        ModelReduction model = new ModelReduction(arena, type, op, nRanks, count);
        List<MemorySegment> contributions = model.contributions(SEED);
        for (ModelReduction.Order order : ModelReduction.Order.values()) {
          MemorySegment result = model.reduce(contributions, order);
          TestData.Outcome outcome = check(type, op, nRanks, result, count);
          assertThat(outcome.wrong())
              .as("%d ranks, %s: %s", nRanks, order, outcome.describe())
              .isZero();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("typesAndOps")
  void noticesWhatGoesWrong(DataType type, PerfOperator op) {
    boolean idempotent = op == PerfOperator.MAX || op == PerfOperator.MIN;
    for (int nRanks : new int[] {2, 3, 8, 64}) {
      int count = 1024;
      try (Arena arena = Arena.ofConfined()) {
        ModelReduction model = new ModelReduction(arena, type, op, nRanks, count);
        List<MemorySegment> all = model.contributions(SEED);
        for (int rank : new int[] {0, nRanks / 2, nRanks - 1}) {
          List<MemorySegment> missing = new ArrayList<>(all);
          missing.remove(rank);
          assertWrong(type, op, nRanks, model, missing, "missing rank " + rank);
          List<MemorySegment> doubled = new ArrayList<>(all);
          doubled.add(all.get(rank));
          if (!idempotent) {
            assertWrong(type, op, nRanks, model, doubled, "doubled rank " + rank);
          }
          List<MemorySegment> replaced = new ArrayList<>(all);
          replaced.set(rank, all.get((rank + 1) % nRanks));
          assertWrong(type, op, nRanks, model, replaced, "another rank instead of " + rank);
          List<MemorySegment> swapped = new ArrayList<>(all);
          swapped.set(rank, swapHalves(arena, all.get(rank)));
          assertWrong(type, op, nRanks, model, swapped, "chunks of a contribution swapped");
        }
        assertWrong(type, op, nRanks, model, model.contributions(SEED - 1), "seed before");
        MemorySegment right = model.reduce(all, ModelReduction.Order.RING);
        assertThat(wrong(type, op, nRanks, right)).isZero();
        assertThat(wrong(type, op, nRanks, rotate(arena, right, type.size())))
            .as("shifted by one element")
            .isPositive();
        for (int chunk = 16; chunk < count; chunk *= 2) {
          assertThat(wrong(type, op, nRanks, rotate(arena, right, chunk * type.size())))
              .as("chunks of %d in the wrong place", chunk)
              .isPositive();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("typesAndOps")
  void countsAndNamesWrongElements(DataType type, PerfOperator op) {
    int nRanks = 4;
    int count = 2 * TestData.PERIOD + 100;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = expected(arena, type, op, nRanks, count);
      assertThat(check(type, op, nRanks, result, count)).isEqualTo(TestData.Outcome.RIGHT);
      long[] indices = {7, TestData.PERIOD - 1, TestData.PERIOD, count - 1};
      for (long index : indices) {
        // The highest byte is sign and exponent of a float.
        flip(result, (index + 1) * type.size() - 1);
      }
      TestData.Outcome outcome = check(type, op, nRanks, result, count);
      assertThat(outcome.wrong()).isEqualTo(indices.length);
      assertThat(outcome.firstIndex()).isEqualTo(7);
      assertThat(outcome.expected()).isNotEqualTo(outcome.actual()).contains("0x");
      assertThat(outcome.describe()).contains("index 7", outcome.expected(), outcome.actual());
    }
  }

  /** Each single bit of an element counts, but for the last ones of floating-point averages. */
  @ParameterizedTest
  @MethodSource("typesAndOps")
  void noticesEveryBit(DataType type, PerfOperator op) {
    boolean tolerant = type.isFloat() && op == PerfOperator.AVG;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = expected(arena, type, op, 3, 50);
      for (int bit = tolerant ? 2 : 0; bit < 8 * type.size(); bit++) {
        long at = 20L * type.size() + bit / 8;
        byte right = result.get(ValueLayout.JAVA_BYTE, at);
        result.set(ValueLayout.JAVA_BYTE, at, (byte) (right ^ (1 << bit % 8)));
        assertThat(check(type, op, 3, result, 50).firstIndex()).as("bit %d", bit).isEqualTo(20);
        result.set(ValueLayout.JAVA_BYTE, at, right);
      }
    }
  }

  /** Neither NaN nor, but for the extremes of minimum and maximum, infinity is expected. */
  @ParameterizedTest
  @MethodSource("typesAndOps")
  void floatsStayFinite(DataType type, PerfOperator op) {
    if (!type.isFloat()) {
      return;
    }
    ElementFormat format = ElementFormat.of(type);
    for (int nRanks : new int[] {1, 2, 5, 1024}) {
      TestValues values = TestValues.of(type, op, SEED, nRanks);
      for (int position = 0; position < 100; position++) {
        double expected = format.number(values.expected(position));
        assertThat(expected).isNotNaN();
        if (op != PerfOperator.MAX && op != PerfOperator.MIN) {
          assertThat(Double.isFinite(expected)).isTrue();
          assertThat(expected).isNotZero();
        }
      }
    }
  }

  /** Adding first and dividing then, as a switch in the network may do, is within the tolerance. */
  @ParameterizedTest
  @MethodSource("typesAndOps")
  void toleratesAveragesRoundedOnce(DataType type, PerfOperator op) {
    if (!type.isFloat() || op != PerfOperator.AVG) {
      return;
    }
    ElementFormat format = ElementFormat.of(type);
    for (int nRanks = 1; nRanks <= 1024; nRanks = nRanks * 3 / 2 + 1) {
      TestValues values = TestValues.of(type, op, SEED, nRanks);
      for (int position = 0; position < 100; position++) {
        double sum = 0;
        for (int rank = 0; rank < nRanks; rank++) {
          sum += format.number(values.value(position, rank));
        }
        long once = format.encode(sum / nRanks);
        assertThat(format.near(once, values.expected(position), TestData.AVERAGE_TOLERANCE))
            .as("%d ranks: %s", nRanks, format.describe(once))
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("typesAndOps")
  void fillsWhatValueSays(DataType type, PerfOperator op) {
    int count = TestData.PERIOD + 9;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate((long) count * type.size() + 1);
      TestData data = new TestData(TestValues.of(type, op, SEED, 3), 1, 0);
      TestData.fill(data, buffer, 1, count);
      ElementFormat format = ElementFormat.of(type);
      for (long index : new long[] {0, 1, 77, TestData.PERIOD - 1, TestData.PERIOD, count - 1}) {
        long bits = 0;
        for (int i = type.size() - 1; i >= 0; i--) {
          long at = 1 + index * type.size() + i;
          bits = bits << 8 | (buffer.get(ValueLayout.JAVA_BYTE, at) & 0xff);
        }
        assertThat(format.describe(bits)).isEqualTo(format.describe(data.bits(index)));
      }
    }
  }

  @Test
  void checks64MebibytesOfBytes() {
    long count = 64 << 20;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = arena.allocate(count);
      int nRanks = 4;
      TestValues values = TestValues.of(DataType.INT8, PerfOperator.SUM, SEED, nRanks);
      for (int position = 0; position < TestData.PERIOD; position++) {
        result.set(ValueLayout.JAVA_BYTE, position, (byte) values.expected(position));
      }
      for (long at = TestData.PERIOD; at < count; at += TestData.PERIOD) {
        MemorySegment.copy(result, 0, result, at, Math.min(TestData.PERIOD, count - at));
      }
      TestData.Outcome outcome = check(DataType.INT8, PerfOperator.SUM, nRanks, result, count);
      assertThat(outcome).isEqualTo(TestData.Outcome.RIGHT);
    }
  }

  @Test
  void rejectsBuffersThatAreTooShort() {
    TestData data = new TestData(TestValues.of(DataType.INT32, PerfOperator.SUM, SEED, 1), 0, 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(39);
      assertThatThrownBy(() -> TestData.fill(data, buffer, 0, 10))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> TestData.check(data, buffer, 0, 10))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  /** What starts somewhere in a contribution is the same as what is found there. */
  @ParameterizedTest
  @EnumSource(DataType.class)
  void startsAnywhere(DataType type) {
    int count = 2 * TestData.PERIOD;
    TestValues values = TestValues.of(type, PerfOperator.NONE, SEED, 3);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment whole = arena.allocate((long) count * type.size());
      TestData.fill(new TestData(values, 2, 0), whole, 0, count);
      for (long from : new long[] {0, 1, 100, TestData.PERIOD - 1, TestData.PERIOD, 70_000}) {
        TestData part = new TestData(values, 2, from);
        assertThat(TestData.check(part, whole, from * type.size(), count - from).wrong())
            .as("from %d", from)
            .isZero();
        assertThat(TestData.check(part, whole, (from + 1) * type.size(), count - from - 1).wrong())
            .isPositive();
        TestData other = new TestData(values, 1, from);
        assertThat(TestData.check(other, whole, from * type.size(), count - from).wrong())
            .isPositive();
      }
    }
  }

  /** What is only copied keeps its bits: another zero or another NaN is wrong. */
  @Test
  void copiesAreExact() {
    TestValues values = TestValues.of(DataType.FLOAT8E4M3, PerfOperator.NONE, SEED, 1);
    TestData data = new TestData(values, 0, 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(5000);
      TestData.fill(data, buffer, 0, 5000);
      int zeros = 0;
      for (long at = 0; at < 5000; at++) {
        byte bits = buffer.get(ValueLayout.JAVA_BYTE, at);
        if ((bits & 0x7f) == 0) {
          buffer.set(ValueLayout.JAVA_BYTE, at, (byte) (bits ^ 0x80));
          zeros++;
        }
      }
      assertThat(zeros).isPositive();
      assertThat(TestData.check(data, buffer, 0, 5000).wrong()).isEqualTo(zeros);
    }
  }

  @Test
  void findsWhatIsNotFilled() {
    byte filling = 7;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(100).fill(filling);
      assertThat(TestData.notFilledWith(filling, buffer, 0, 100)).isZero();
      assertThat(TestData.notFilledWith(filling, buffer, 100, 100)).isZero();
      for (long at : new long[] {10, 50, 89}) {
        buffer.set(ValueLayout.JAVA_BYTE, at, (byte) 8);
      }
      assertThat(TestData.notFilledWith(filling, buffer, 0, 100)).isEqualTo(3);
      assertThat(TestData.notFilledWith(filling, buffer, 10, 90)).isEqualTo(3);
      assertThat(TestData.notFilledWith(filling, buffer, 11, 89)).isEqualTo(1);
      assertThat(TestData.notFilledWith((byte) 9, buffer, 90, 100)).isEqualTo(10);
    }
  }

  private static TestData.Outcome check(
      DataType type, PerfOperator op, int nRanks, MemorySegment result, long count) {
    TestValues values = TestValues.of(type, op, SEED, nRanks);
    return TestData.check(new TestData(values, Piece.REDUCTION, 0), result, 0, count);
  }

  private static void assertWrong(
      DataType type,
      PerfOperator op,
      int nRanks,
      ModelReduction model,
      List<MemorySegment> contributions,
      String what) {
    MemorySegment result = model.reduce(contributions, ModelReduction.Order.RING);
    assertThat(wrong(type, op, nRanks, result)).as("%d ranks, %s", nRanks, what).isPositive();
  }

  private static long wrong(DataType type, PerfOperator op, int nRanks, MemorySegment result) {
    long count = result.byteSize() / type.size();
    return check(type, op, nRanks, result, count).wrong();
  }

  private static MemorySegment expected(
      Arena arena, DataType type, PerfOperator op, int nRanks, int count) {
    ModelReduction model = new ModelReduction(arena, type, op, nRanks, count);
    return model.reduce(model.contributions(SEED), ModelReduction.Order.RING);
  }

  private static MemorySegment rotate(Arena arena, MemorySegment segment, long bytes) {
    MemorySegment rotated = arena.allocate(segment.byteSize());
    long rest = segment.byteSize() - bytes;
    MemorySegment.copy(segment, bytes, rotated, 0, rest);
    MemorySegment.copy(segment, 0, rotated, rest, bytes);
    return rotated;
  }

  private static MemorySegment swapHalves(Arena arena, MemorySegment segment) {
    return rotate(arena, segment, segment.byteSize() / 2);
  }

  private static void flip(MemorySegment segment, long at) {
    segment.set(ValueLayout.JAVA_BYTE, at, (byte) ~segment.get(ValueLayout.JAVA_BYTE, at));
  }
}
