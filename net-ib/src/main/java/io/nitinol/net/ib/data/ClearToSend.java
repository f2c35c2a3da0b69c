// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.verbs.NativeWords;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The table in the sender's memory with the places of its next messages; NCCL's {@code
 * ncclIbSendFifo}. The receiver keeps a copy, of which it writes entries that lie next to one
 * another with one RDMA write: those of a receive of several pieces, or one of each of several
 * receives, which have a part of the table of their own for that. One entry for each piece,
 * little-endian:
 *
 * <pre>
 *  0 address   8 room   16 keys, one for each of the receiver's ports   48 pieces of the receive
 * 52 tag      56 number of the receive, plus 1; 4 bytes   60 check of all of it
 * </pre>
 *
 * <p>An entry is as large as a cache line and begins on one, so that it does not come in two parts
 * however the bus orders writes. A device that is software, such as rxe, copies it like any other
 * memory, though, and what a copy stores last need not be seen last: of an entry whose check does
 * not fit, a part is still to come. One thread at a time uses it, and the network card.
 */
public final class ClearToSend {
  /** The size of an entry, and how it is aligned. */
  public static final int ENTRY = 64;

  /** How many keys an entry has, and so how many ports a device has at most. */
  public static final int KEYS = 8;

  /** The size of the first part, for receives of one piece; the other has room for all pieces. */
  private static final long SINGLES = (long) ENTRY * IbSlots.COUNT;

  /** The size of the table. */
  public static final long SIZE = SINGLES + (long) ENTRY * IbSlots.PIECES * IbSlots.COUNT;

  private static final VarHandle LONG =
      ValueLayout.JAVA_LONG
          .withOrder(ByteOrder.LITTLE_ENDIAN)
          .varHandle()
          .withInvokeExactBehavior();
  private static final VarHandle INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle().withInvokeExactBehavior();

  private static final long ADDRESS_OFFSET = 0;
  private static final long ROOM_OFFSET = 8;
  private static final long KEYS_OFFSET = 16;
  private static final long PIECES_OFFSET = 48;
  private static final long TAG_OFFSET = 52;
  private static final long NUMBER_OFFSET = 56;

  /** The part of the last word that is the number. */
  private static final long NUMBERS = 0xffff_ffffL;

  private final long table;

  /**
   * Takes a table over, whose content is zero.
   *
   * @param table {@link #SIZE} bytes that begin on a cache line; stays the caller's
   */
  ClearToSend(MemorySegment table) {
    if (table.byteSize() != SIZE || table.address() % ENTRY != 0) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "clear-to-send table %s does not have %s bytes at a multiple of %s",
              table, SIZE, ENTRY));
    }
    this.table = table.address();
  }

  /** Returns where the entries of a receive begin in the table, in bytes. */
  static long offset(long receive, int pieces) {
    return pieces == 1
        ? (long) IbSlots.index(receive) * ENTRY
        : SINGLES + (long) IbSlots.index(receive) * IbSlots.PIECES * ENTRY;
  }

  /**
   * Returns which of some queue pairs carries the entries of a receive. All that is ever written to
   * one place of the table takes the same, and so arrives in order: an entry that is written again
   * after a failover, and found complete before that arrives, must not come behind the entry of the
   * next receive there. Neighbours share one, so that one write can have both.
   */
  static int lane(long receive, int lanes) {
    return IbSlots.index(receive) * lanes / IbSlots.COUNT;
  }

  /** Writes the entry of piece {@code piece} of {@code pieces} of a receive. */
  void write(long receive, int piece, int pieces, long address, long room, int[] keys, int tag) {
    long at = offset(receive, pieces) + (long) piece * ENTRY;
    LONG.set(NativeWords.ALL, table + at + ADDRESS_OFFSET, address);
    LONG.set(NativeWords.ALL, table + at + ROOM_OFFSET, room);
    for (int i = 0; i < keys.length; i++) {
      INT.set(NativeWords.ALL, table + at + KEYS_OFFSET + 4L * i, keys[i]);
    }
    INT.set(NativeWords.ALL, table + at + PIECES_OFFSET, pieces);
    INT.set(NativeWords.ALL, table + at + TAG_OFFSET, tag);
    long check = check(receive, address, room, pieces, tag);
    for (int key : keys) {
      check = check(check, key);
    }
    LONG.setRelease(
        NativeWords.ALL, table + at + NUMBER_OFFSET, number(receive) | check << Integer.SIZE);
  }

  /** Returns whether the entry at an offset is of a receive, or at least the end of it is. */
  boolean has(long receive, long at) {
    return (last(at) & NUMBERS) == number(receive);
  }

  /**
   * Returns whether the entry at an offset has come whole.
   *
   * @param check what the two ways to check make of its fields and of the keys that it has
   */
  boolean isWhole(long receive, long at, long check) {
    return last(at) == (number(receive) | check << Integer.SIZE);
  }

  private long last(long at) {
    return (long) LONG.getAcquire(NativeWords.ALL, table + at + NUMBER_OFFSET);
  }

  private static long number(long receive) {
    return receive + 1 & NUMBERS;
  }

  /** Begins a check, of which the lower 32 bits count. */
  static long check(long receive, long address, long room, int pieces, int tag) {
    long check = check(check(receive, address), room);
    return check(check, (long) pieces << Integer.SIZE ^ tag);
  }

  /** Goes on with a check. */
  static long check(long check, long next) {
    long mixed = (check ^ next) * 0x9e37_79b9_7f4a_7c15L;
    return mixed ^ mixed >>> 32;
  }

  /** Returns the remote address in the entry at an offset. */
  long address(long at) {
    return (long) LONG.get(NativeWords.ALL, table + at + ADDRESS_OFFSET);
  }

  /** Returns how many bytes the piece has room for. */
  long room(long at) {
    return (long) LONG.get(NativeWords.ALL, table + at + ROOM_OFFSET);
  }

  /** Returns the key of the piece for what comes in through the receiver's port {@code port}. */
  int key(long at, int port) {
    return (int) INT.get(NativeWords.ALL, table + at + KEYS_OFFSET + 4L * port);
  }

  /** Returns how many pieces the receive has. */
  int pieces(long at) {
    return (int) INT.get(NativeWords.ALL, table + at + PIECES_OFFSET);
  }

  /** Returns the tag of the piece. */
  int tag(long at) {
    return (int) INT.get(NativeWords.ALL, table + at + TAG_OFFSET);
  }
}
