// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The table in the receiver's memory that says how long the messages of a receive of several pieces
 * are: 4 bytes for each piece, little-endian, unsigned. The sender keeps a copy, of which it writes
 * those of one receive behind the data. The size of a single message travels in the immediate.
 */
public final class SizeRecords {
  /** The size of the table. */
  public static final long SIZE = 4L * Slots.PIECES * Slots.COUNT;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment table;

  /**
   * Takes a table over.
   *
   * @param table {@link #SIZE} bytes; stays the caller's
   */
  SizeRecords(MemorySegment table) {
    if (table.byteSize() != SIZE) {
      throw new IllegalArgumentException("size table " + table + " does not have " + SIZE);
    }
    this.table = table;
  }

  /** Returns where the sizes of a receive begin in the table, in bytes. */
  static long offset(long receive) {
    return 4L * Slots.PIECES * Slots.index(receive);
  }

  /** Returns how many bytes the sizes of a receive have. */
  static int length(int pieces) {
    return 4 * pieces;
  }

  void set(long receive, int piece, long size) {
    table.set(INT, offset(receive) + 4L * piece, (int) size);
  }

  long get(long receive, int piece) {
    return Integer.toUnsignedLong(table.get(INT, offset(receive) + 4L * piece));
  }
}
