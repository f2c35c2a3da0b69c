// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/**
 * The announcements of one comm, in a ring: how many short messages have come and how many may, in
 * 8 bytes each, the first receive that is not full in 8, a byte for each slot with a bit for each
 * piece that has its long message, and the number of the first receive announced in 8. Each receive
 * has the number of its pieces in 4 bytes, and for each of them the room in 8 and the tag in 4.
 * Both sides are of one byte order, as all of libfabric's tags are.
 */
final class OfiAnnouncements {
  /** How many can be under way. */
  static final int RING = 16;

  /** The bytes before the receives. */
  static final int HEADER = 4 * Long.BYTES + OfiCommEnd.SLOTS;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int MAY_COME = Long.BYTES;
  private static final int FIRST = 2 * Long.BYTES;
  private static final int ANNOUNCED = 3 * Long.BYTES;
  private static final int BITS = 4 * Long.BYTES;
  private static final int PIECE = Long.BYTES + Integer.BYTES;

  /** The longest one in bytes: of eight receives with all pieces, or more with fewer. */
  static final int LONGEST = HEADER + 8 * bytes(OfiCommEnd.PIECES);

  private final MemorySegment memory;

  OfiAnnouncements(SegmentAllocator allocator) {
    this.memory = allocator.allocate((long) RING * LONGEST, Long.BYTES);
  }

  /** Returns the bytes of a receive of {@code pieces} pieces. */
  static int bytes(int pieces) {
    return Integer.BYTES + pieces * PIECE;
  }

  MemorySegment memory() {
    return memory;
  }

  /** Returns the address of one. */
  long address(int index) {
    return memory.address() + at(index);
  }

  void header(int index, long came, long mayCome, long first, long announced) {
    memory.set(LONG, at(index), came);
    memory.set(LONG, at(index) + MAY_COME, mayCome);
    memory.set(LONG, at(index) + FIRST, first);
    memory.set(LONG, at(index) + ANNOUNCED, announced);
  }

  void bits(int index, int slot, int bits) {
    memory.set(ValueLayout.JAVA_BYTE, at(index) + BITS + slot, (byte) bits);
  }

  /** Puts the pieces of a receive at a place behind the header. */
  void pieces(int index, int place, int pieces) {
    memory.set(INT, at(index) + place, pieces);
  }

  void piece(int index, int place, int piece, long room, int tag) {
    memory.set(LONG, at(index) + place + bytes(piece), room);
    memory.set(INT, at(index) + place + bytes(piece) + Long.BYTES, tag);
  }

  /** Returns how many short messages have come. */
  long came(int index) {
    return memory.get(LONG, at(index));
  }

  /** Returns how many short messages may come in all. */
  long mayCome(int index) {
    return memory.get(LONG, at(index) + MAY_COME);
  }

  /** Returns the first receive that is not full. */
  long first(int index) {
    return memory.get(LONG, at(index) + FIRST);
  }

  /** Returns the number of the first receive that it announces. */
  long announced(int index) {
    return memory.get(LONG, at(index) + ANNOUNCED);
  }

  /** Returns a bit for each piece of the receive in a slot that has its long message. */
  int bits(int index, int slot) {
    return memory.get(ValueLayout.JAVA_BYTE, at(index) + BITS + slot);
  }

  int pieces(int index, int place) {
    return memory.get(INT, at(index) + place);
  }

  long room(int index, int place, int piece) {
    return memory.get(LONG, at(index) + place + bytes(piece));
  }

  int tag(int index, int place, int piece) {
    return memory.get(INT, at(index) + place + bytes(piece) + Long.BYTES);
  }

  private static long at(int index) {
    return (long) index * LONGEST;
  }
}
