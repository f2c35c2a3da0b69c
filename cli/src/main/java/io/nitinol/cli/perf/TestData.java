// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.cli.perf.collective.Piece;
import io.nitinol.spi.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What ranks contribute in a checked run, and whether the result is right: nccl-tests' {@code
 * verifiable}. The data is such that a reduction has one right result in whatever order it is done
 * (see {@link TestValues}), and depends on seed, rank and index, so that a contribution that is
 * lost, doubled, out of place or left over from the run before shows.
 *
 * <p>Along the index the data repeats every {@value #PERIOD} elements, a prime. So whole periods
 * can be compared at the speed of memory, and yet every block that is moved by {@code m * 2^k}
 * elements is noticed as long as {@code m} is less than the period, which covers all sizes of
 * chunks, slots and buffers.
 *
 * @param values the data of all ranks
 * @param source the rank whose contribution this is, or {@link Piece#REDUCTION} for the result
 * @param from the index of the first element
 */
record TestData(TestValues values, int source, long from) {

  /** Elements until the data repeats. */
  static final int PERIOD = 65_521;

  /** How many representable numbers a floating-point average may be off, as in nccl-tests. */
  static final int AVERAGE_TOLERANCE = 2;

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

    /** Returns both; the other one's indices count from {@code offset}. */
    Outcome and(Outcome other, long offset) {
      if (other.wrong == 0) {
        return this;
      }
      return wrong > 0
          ? new Outcome(wrong + other.wrong, firstIndex, expected, actual)
          : new Outcome(other.wrong, other.firstIndex + offset, other.expected, other.actual);
    }

    /** Says in one line what is wrong first. */
    String describe() {
      return wrong == 0
          ? "all elements are right"
          : "%d elements are wrong, the first at index %d: expected %s, got %s"
              .formatted(wrong, firstIndex, expected, actual);
    }
  }

  /** Returns the bits of an element, in the low end of the result. */
  long bits(long index) {
    return at((int) ((from + index) % PERIOD));
  }

  private long at(int position) {
    return source == Piece.REDUCTION ? values.expected(position) : values.value(position, source);
  }

  /**
   * Writes data.
   *
   * @param dst buffer, written from {@code start}, which needs no alignment
   * @param count number of elements
   * @throws IndexOutOfBoundsException if the buffer is shorter
   */
  static void fill(TestData data, MemorySegment dst, long start, long count) {
    long bytes = count * data.type().size();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment period = data.period(arena, count);
      for (long at = 0; at < bytes; at += period.byteSize()) {
        MemorySegment.copy(period, 0, dst, start + at, Math.min(period.byteSize(), bytes - at));
      }
    }
  }

  /**
   * Compares a buffer with data.
   *
   * @param buffer read from {@code start}, which needs no alignment
   * @param count number of elements
   * @throws IndexOutOfBoundsException if the buffer is shorter
   */
  static Outcome check(TestData data, MemorySegment buffer, long start, long count) {
    long bytes = count * data.type().size();
    Outcome outcome = Outcome.RIGHT;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment period = data.period(arena, count);
      for (long at = 0; at < bytes; at += period.byteSize()) {
        long begin = start + at;
        long length = Math.min(period.byteSize(), bytes - at);
        long same = MemorySegment.mismatch(buffer, begin, begin + length, period, 0, length);
        if (same >= 0) {
          outcome =
              outcome.and(
                  data.compare(buffer.asSlice(begin, length), period, same),
                  at / data.type().size());
        }
      }
    }
    return outcome;
  }

  /** Returns how many bytes from {@code begin} to {@code end} are not {@code filling}. */
  static long notFilledWith(byte filling, MemorySegment buffer, long begin, long end) {
    boolean equal =
        begin == end
            || (buffer.get(ValueLayout.JAVA_BYTE, begin) == filling
                // Each byte is like the one before, which is found out faster than byte by byte.
                && MemorySegment.mismatch(buffer, begin, end - 1, buffer, begin + 1, end) < 0);
    if (equal) {
      return 0;
    }
    long different = 0;
    for (long at = begin; at < end; at++) {
      if (buffer.get(ValueLayout.JAVA_BYTE, at) != filling) {
        different++;
      }
    }
    return different;
  }

  /** Goes through a stretch that is known to differ from byte {@code same} on. */
  private Outcome compare(MemorySegment actuals, MemorySegment period, long same) {
    ElementFormat format = values.format;
    int size = type().size();
    long wrong = 0;
    Outcome first = Outcome.RIGHT;
    for (long at = same - same % size; at < actuals.byteSize(); at += size) {
      long actual = get(type(), actuals, at);
      long expected = get(type(), period, at);
      if (actual == expected || accepts(actual, expected)) {
        continue;
      }
      if (wrong++ == 0) {
        first = new Outcome(1, at / size, format.describe(expected), format.describe(actual));
      }
    }
    return new Outcome(wrong, first.firstIndex, first.expected, first.actual);
  }

  /** A copy has the same bits; a reduction may differ in the sign of zero, and so on. */
  private boolean accepts(long actual, long expected) {
    return source == Piece.REDUCTION
        && values.format.near(
            actual, expected, values.op == PerfOperator.AVG ? AVERAGE_TOLERANCE : 0);
  }

  /** Computes one period of elements, or {@code count} of them if that is fewer. */
  private MemorySegment period(Arena arena, long count) {
    int length = (int) Math.min(PERIOD, count);
    MemorySegment period = arena.allocate((long) length * type().size());
    int position = (int) (from % PERIOD);
    for (int index = 0; index < length; index++) {
      set(type(), period, (long) index * type().size(), at(position));
      position = position + 1 == PERIOD ? 0 : position + 1;
    }
    return period;
  }

  private DataType type() {
    return values.format.type();
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
}
