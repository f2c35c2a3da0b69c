// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What ranks contribute in a checked run, and whether the result is right: nccl-tests' {@code
 * verifiable}. The data is such that the reduction has one right result in whatever order it is
 * done (see {@link TestValues}), and depends on seed, rank and index, so that a contribution that
 * is lost, doubled, out of place or left over from the run before shows.
 *
 * <p>Along the index the data repeats every {@value #PERIOD} elements, a prime. So whole periods
 * can be compared at the speed of memory, and yet every block that is moved by {@code m * 2^k}
 * elements is noticed as long as {@code m} is less than the period, which covers all sizes of
 * chunks, slots and buffers.
 */
final class TestData {

  /** Elements until the data repeats. */
  static final int PERIOD = 65_521;

  /** How many representable numbers a floating-point average may be off, as in nccl-tests. */
  static final int AVERAGE_TOLERANCE = 2;

  private TestData() {}

  /**
   * The outcome of a check.
   *
   * @param wrong number of wrong elements
   * @param firstIndex index of the first wrong element, -1 if there is none
   * @param expected what it should be, and {@code actual} what it is: number and bits
   * @param actual see {@code expected}
   */
  record Outcome(long wrong, long firstIndex, String expected, String actual) {

    static final Outcome RIGHT = new Outcome(0, -1, "", "");

    /** Says in one line what is wrong first. */
    String describe() {
      return wrong == 0
          ? "all elements are right"
          : "%d elements are wrong, the first at index %d: expected %s, got %s"
              .formatted(wrong, firstIndex, expected, actual);
    }
  }

  /** Returns the bits of one rank's element, in the low end of the result. */
  static long value(DataType type, ReductionOp op, long seed, long index, int rank, int nRanks) {
    return TestValues.of(type, op, seed, nRanks).value((int) (index % PERIOD), rank);
  }

  /**
   * Writes a rank's contribution.
   *
   * @param dst buffer, written from its start; needs no alignment
   * @param count number of elements
   * @throws IndexOutOfBoundsException if the buffer is shorter than {@code count} elements
   */
  static void fill(
      DataType type,
      ReductionOp op,
      long seed,
      int rank,
      int nRanks,
      MemorySegment dst,
      long count) {
    TestValues values = TestValues.of(type, op, seed, nRanks);
    long bytes = count * type.size();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment period = period(arena, type, count, at -> values.value(at, rank));
      for (long at = 0; at < bytes; at += period.byteSize()) {
        MemorySegment.copy(period, 0, dst, at, Math.min(period.byteSize(), bytes - at));
      }
    }
  }

  /**
   * Compares a buffer with the reduction of what {@link #fill} gives for all ranks.
   *
   * @param result buffer, read from its start; needs no alignment
   * @param count number of elements
   * @throws IndexOutOfBoundsException if the buffer is shorter than {@code count} elements
   */
  static Outcome check(
      DataType type, ReductionOp op, long seed, int nRanks, MemorySegment result, long count) {
    TestValues values = TestValues.of(type, op, seed, nRanks);
    int tolerance = type.isFloat() && op == ReductionOp.AVG ? AVERAGE_TOLERANCE : 0;
    long bytes = count * type.size();
    Outcome outcome = Outcome.RIGHT;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment period = period(arena, type, count, values::expected);
      for (long at = 0; at < bytes; at += period.byteSize()) {
        long length = Math.min(period.byteSize(), bytes - at);
        long same = MemorySegment.mismatch(result, at, at + length, period, 0, length);
        if (same >= 0) {
          long from = same - same % type.size();
          outcome = compare(type, tolerance, result, at, period, from, length, outcome);
        }
      }
    }
    return outcome;
  }

  /** Goes through a stretch that is known to differ somewhere; adds to {@code outcome}. */
  private static Outcome compare(
      DataType type,
      int tolerance,
      MemorySegment result,
      long start,
      MemorySegment period,
      long from,
      long to,
      Outcome outcome) {
    ElementFormat format = ElementFormat.of(type);
    long wrong = 0;
    Outcome first = outcome;
    for (long at = from; at < to; at += type.size()) {
      long actual = get(type, result, start + at);
      long expected = get(type, period, at);
      if (actual == expected || format.near(actual, expected, tolerance)) {
        continue;
      }
      if (first.firstIndex < 0) {
        first =
            new Outcome(
                0, (start + at) / type.size(), format.describe(expected), format.describe(actual));
      }
      wrong++;
    }
    return new Outcome(first.wrong + wrong, first.firstIndex, first.expected, first.actual);
  }

  /** Computes one period of elements, or {@code count} of them if that is fewer. */
  private static MemorySegment period(Arena arena, DataType type, long count, Elements elements) {
    int length = (int) Math.min(PERIOD, count);
    MemorySegment period = arena.allocate((long) length * type.size());
    for (int position = 0; position < length; position++) {
      set(type, period, (long) position * type.size(), elements.at(position));
    }
    return period;
  }

  private static long get(DataType type, MemorySegment segment, long offset) {
    return switch (type.size()) {
      case Byte.BYTES -> segment.get(ValueLayout.JAVA_BYTE, offset) & 0xffL;
      case Short.BYTES -> segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, offset) & 0xffffL;
      case Integer.BYTES -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, offset) & 0xffff_ffffL;
      default -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    };
  }

  private static void set(DataType type, MemorySegment segment, long offset, long bits) {
    switch (type.size()) {
      case Byte.BYTES -> segment.set(ValueLayout.JAVA_BYTE, offset, (byte) bits);
      case Short.BYTES -> segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, offset, (short) bits);
      case Integer.BYTES -> segment.set(ValueLayout.JAVA_INT_UNALIGNED, offset, (int) bits);
      default -> segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, bits);
    }
  }

  private interface Elements {
    long at(int position);
  }
}
