// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The 16 bytes in front of each message's data: which operation it belongs to, as the sender was
 * called. A receiver that was called otherwise finds out before it touches the data.
 *
 * <pre>
 *   0  int   number of the collective on this communicator, low 32 bits
 *   4  byte  collective, byte data type, byte operator, byte root (low 8 bits)
 *   8  long  element count of the operation
 * </pre>
 *
 * In sends and receives between pairs: the number of the transfer on this connection, and its
 * length in bytes as the count.
 *
 * <p>All little-endian.
 */
public final class MessageHeader {
  /** Size in bytes. */
  public static final int BYTES = 16;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

  private MessageHeader() {}

  /** Returns the first word of the header of an operation. */
  public static long word(long sequence, int collective, int type, int op, int root) {
    return (sequence & 0xffff_ffffL)
        | (collective & 0xffL) << 32
        | (type & 0xffL) << 40
        | (op & 0xffL) << 48
        | (root & 0xffL) << 56;
  }

  /** Writes the header of the message whose data begins at {@code dataOffset}. */
  public static void write(MemorySegment memory, long dataOffset, long word, long count) {
    memory.set(WORD, dataOffset - BYTES, word);
    memory.set(WORD, dataOffset - BYTES + 8, count);
  }

  /** Returns the first word of the header in front of {@code dataOffset}. */
  public static long word(MemorySegment memory, long dataOffset) {
    return memory.get(WORD, dataOffset - BYTES);
  }

  /** Returns the element count in the header in front of {@code dataOffset}. */
  public static long count(MemorySegment memory, long dataOffset) {
    return memory.get(WORD, dataOffset - BYTES + 8);
  }

  /** Returns the operation number in a first word, its low 32 bits. */
  public static int sequence(long word) {
    return (int) word;
  }

  /** Returns the collective in a first word. */
  public static int collective(long word) {
    return (int) (word >>> 32) & 0xff;
  }

  /** Returns the data type's code in a first word. */
  public static int type(long word) {
    return (int) (word >>> 40) & 0xff;
  }

  /** Returns the operator's code in a first word. */
  public static int op(long word) {
    return (int) (word >>> 48) & 0xff;
  }

  /** Returns the low 8 bits of the root in a first word. */
  public static int root(long word) {
    return (int) (word >>> 56);
  }
}
