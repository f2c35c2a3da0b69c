// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/**
 * The announcements of one comm, one for each slot: the number of a receive in 8 bytes, and for
 * each of its pieces the room in 8 bytes and the tag in 4. Both sides are of one byte order, as all
 * of libfabric's tags are.
 */
final class OfiAnnouncements {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int PIECE = Long.BYTES + Integer.BYTES;

  /** The longest one in bytes. */
  static final int LONGEST = bytes(OfiCommEnd.PIECES);

  private final MemorySegment memory;

  OfiAnnouncements(SegmentAllocator allocator) {
    this.memory = allocator.allocate((long) OfiCommEnd.SLOTS * LONGEST, Long.BYTES);
  }

  /** Returns the bytes of an announcement of {@code pieces} pieces. */
  static int bytes(int pieces) {
    return Long.BYTES + pieces * PIECE;
  }

  /** Returns of how many pieces an announcement of so many bytes is; -1 where there is none. */
  static int pieces(long bytes) {
    long pieces = (bytes - Long.BYTES) / PIECE;
    return pieces >= 1 && pieces <= OfiCommEnd.PIECES && bytes == bytes((int) pieces)
        ? (int) pieces
        : -1;
  }

  MemorySegment memory() {
    return memory;
  }

  /** Returns the address of the one in a slot. */
  long address(int slot) {
    return memory.address() + (long) slot * LONGEST;
  }

  void number(int slot, long number) {
    memory.set(LONG, (long) slot * LONGEST, number);
  }

  void piece(int slot, int piece, long room, int tag) {
    memory.set(LONG, at(slot, piece), room);
    memory.set(INT, at(slot, piece) + Long.BYTES, tag);
  }

  long number(int slot) {
    return memory.get(LONG, (long) slot * LONGEST);
  }

  long room(int slot, int piece) {
    return memory.get(LONG, at(slot, piece));
  }

  int tag(int slot, int piece) {
    return memory.get(INT, at(slot, piece) + Long.BYTES);
  }

  private static long at(int slot, int piece) {
    return (long) slot * LONGEST + bytes(piece);
  }
}
