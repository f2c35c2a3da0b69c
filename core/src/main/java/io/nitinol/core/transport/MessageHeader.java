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
 *   0  long  bits 0 to 16   number of the collective on this communicator
 *            bits 17 to 20  roots of the collectives before, folded
 *            bits 21 to 36  root
 *            bits 37 to 47  algorithm, protocol and channels (see Choice.code)
 *            bits 48 to 51  collective
 *            bits 52 to 55  data type
 *            bits 56 to 63  operator
 *   8  long  element count of the operation
 * </pre>
 *
 * Of each number that is longer the low bits. The order of messages is kept, so what these bits
 * cannot tell apart never meets.
 *
 * <p>In sends and receives between pairs: the number of the transfer on this connection, and its
 * length in bytes as the count.
 *
 * <p>All little-endian.
 */
public final class MessageHeader {
  /** Size in bytes. */
  public static final int BYTES = 16;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final long SEQUENCE = 0x1_ffff;
  private static final int PAST_AT = 17;
  private static final long PAST = 0xf;
  private static final int ROOT_AT = 21;
  private static final long ROOT = 0xffff;
  private static final int CHOICE_AT = 37;
  private static final long CHOICE = 0x7ff;

  private MessageHeader() {}

  /**
   * Returns the first word of the header of an operation.
   *
   * @param choice how it is done, as {@code Choice.code}
   * @param past what {@link #past} made of the operations before
   */
  public static long word(
      long sequence, int collective, int type, int op, int root, int choice, int past) {
    return (sequence & SEQUENCE)
        | (past & PAST) << PAST_AT
        | (root & ROOT) << ROOT_AT
        | (choice & CHOICE) << CHOICE_AT
        | (collective & 0xfL) << 48
        | (type & 0xfL) << 52
        | (op & 0xffL) << 56;
  }

  /**
   * Adds a root to those of the operations before. Two ranks that both take themselves for the root
   * of a broadcast send and do not listen: only the next operation can tell.
   */
  public static int past(int before, int root) {
    return (before * 3 + (root ^ root >>> 4 ^ root >>> 8)) & (int) PAST;
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

  /** Returns the operation number in a first word, its low 17 bits. */
  public static int sequence(long word) {
    return (int) (word & SEQUENCE);
  }

  /** Returns what the word says of the roots of the operations before. */
  public static int past(long word) {
    return (int) (word >>> PAST_AT & PAST);
  }

  /** Returns the low 16 bits of the root in a first word. */
  public static int root(long word) {
    return (int) (word >>> ROOT_AT & ROOT);
  }

  /** Returns how the operation is done, as {@code Choice.code}. */
  public static int choice(long word) {
    return (int) (word >>> CHOICE_AT & CHOICE);
  }

  /** Returns the word without how the operation is done. */
  public static long withoutChoice(long word) {
    return word & ~(CHOICE << CHOICE_AT);
  }

  /** Returns the word without the operations before. */
  public static long withoutPast(long word) {
    return word & ~(PAST << PAST_AT);
  }

  /** Returns the collective in a first word. */
  public static int collective(long word) {
    return (int) (word >>> 48) & 0xf;
  }

  /** Returns the data type's code in a first word. */
  public static int type(long word) {
    return (int) (word >>> 52) & 0xf;
  }

  /** Returns the operator's code in a first word. */
  public static int op(long word) {
    return (int) (word >>> 56) & 0xff;
  }
}
