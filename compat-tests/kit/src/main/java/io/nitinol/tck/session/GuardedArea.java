// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.net.Memory;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Native memory for messages, on a page boundary, with guard bytes on both sides that show writes
 * outside.
 */
public final class GuardedArea {
  private static final int PAGE = 4096;
  private static final long GUARD = 4096;

  private final String rule;
  private final MemorySegment whole;
  private final MemorySegment segment;

  /**
   * Memory of this size; a test takes it from its session, which looks at the guards.
   *
   * @param size in bytes
   * @param rule the rule that a write outside breaks
   */
  public GuardedArea(Arena arena, long size, String rule) {
    this.rule = rule;
    whole = arena.allocate(GUARD + Math.max(size, 1) + GUARD, PAGE);
    segment = whole.asSlice(GUARD, size);
    for (long i = 0; i < GUARD; i++) {
      whole.set(ValueLayout.JAVA_BYTE, i, guard(i));
      whole.set(ValueLayout.JAVA_BYTE, GUARD + size + i, guard(i));
    }
  }

  /** Returns the memory between the guards. */
  public MemorySegment segment() {
    return segment;
  }

  /** Returns the memory between the guards, to be registered. */
  public Memory memory() {
    return Memory.ofHost(segment);
  }

  /** Returns the memory from a byte on, to be registered. */
  public Memory memoryFrom(long from) {
    return Memory.ofHost(segment.asSlice(from));
  }

  /** Returns its size in bytes. */
  public long size() {
    return segment.byteSize();
  }

  /** Fills the area with bytes that depend on the seed and on the place. */
  public void fill(long seed) {
    Pattern.fill(segment, 0, size(), seed);
  }

  /** Fills a part, as if a message began there. */
  public void fill(long offset, long length, long seed) {
    Pattern.fill(segment, offset, length, seed);
  }

  /**
   * Returns a number that depends on the first bytes and the last, and on the first of each page.
   */
  public long sample() {
    long sum = 0;
    for (long i = 0; i < size(); i += i < PAGE ? 1 : PAGE) {
      sum = 31 * sum + segment.get(ValueLayout.JAVA_BYTE, i);
    }
    return size() == 0 ? 0 : 31 * sum + segment.get(ValueLayout.JAVA_BYTE, size() - 1);
  }

  /** Sets all bytes to one value. */
  public void set(byte value) {
    segment.fill(value);
  }

  /**
   * Compares the part with the bytes that {@link #fill(long, long, long)} with this seed wrote.
   *
   * @return the first wrong byte counted from {@code offset}; -1 where all are right
   */
  public long firstDifference(long offset, long length, long seed) {
    return Pattern.firstDifference(segment, offset, length, seed);
  }

  /**
   * Checks the guards.
   *
   * @throws RuleViolation when they were written to: of NET-RECV-05, or COLL-22
   */
  public void checkGuards() {
    for (long i = 0; i < GUARD; i++) {
      look(i, i - GUARD, i);
      look(GUARD + size() + i, size() + i, i);
    }
  }

  private void look(long at, long relative, long index) {
    byte value = whole.get(ValueLayout.JAVA_BYTE, at);
    if (value != guard(index)) {
      throw new RuleViolation(
          rule,
          ErrorText.of(
              "the byte at %s of an area of %s bytes, outside it, was changed to 0x%s",
              relative, size(), Integer.toHexString(value & 0xff)));
    }
  }

  private static byte guard(long index) {
    return (byte) (0xA5 ^ index);
  }
}
