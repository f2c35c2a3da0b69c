// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.verbs.NativeWords;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The table in the receiver's memory with the lengths of the messages of a receive of several
 * pieces: 4 bytes for each piece, little-endian, unsigned. The sender keeps a copy, of which it
 * writes those of one receive behind the data. The size of a single message travels in the
 * immediate.
 */
public final class SizeRecords {
  /** The size of the table. */
  public static final long SIZE = 4L * IbSlots.PIECES * IbSlots.COUNT;

  /** The largest size that is told. */
  private static final long MOST = 0xffff_ffffL;

  private static final VarHandle INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle().withInvokeExactBehavior();

  private final long table;

  /**
   * Takes a table over.
   *
   * @param table {@link #SIZE} bytes; stays the caller's
   */
  SizeRecords(MemorySegment table) {
    if (table.byteSize() != SIZE) {
      throw new IllegalArgumentException("size table " + table + " does not have " + SIZE);
    }
    this.table = table.address();
  }

  /** Returns where the sizes of a receive begin in the table, in bytes. */
  static long offset(long receive) {
    return 4L * IbSlots.PIECES * IbSlots.index(receive);
  }

  /** Returns how many bytes the sizes of a receive have. */
  static int length(int pieces) {
    return 4 * pieces;
  }

  /**
   * Returns a size as it travels: 32 bits, unsigned, and the largest of them for what is more. A
   * message that long fits into no receive, and must not look as if it did.
   */
  static int word(long size) {
    return (int) Math.min(size, MOST);
  }

  /** Returns a length that came as a word, for messages. */
  static String text(long size) {
    return size == MOST ? size + " or more bytes" : size + " bytes";
  }

  void set(long receive, int piece, long size) {
    INT.set(NativeWords.ALL, table + offset(receive) + 4L * piece, word(size));
  }

  long get(long receive, int piece) {
    int word = (int) INT.get(NativeWords.ALL, table + offset(receive) + 4L * piece);
    return Integer.toUnsignedLong(word);
  }
}
