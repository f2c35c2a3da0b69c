// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Places for short messages, which go without an announcement. Each has the message's number in 8
 * bytes, its receive in 8, the piece of that in 4, its tag in 4, and then the message. Where the
 * sender knows the piece, the receive is that piece's. Otherwise the piece is {@link #UNKNOWN}, and
 * the receive the first one that the sender knows nothing of. Both sides are of one byte order, as
 * all of libfabric's tags are.
 */
final class OfiShorts {
  /** How many short messages may be under way, or wait for their receive. */
  static final int PLACES = 32;

  /** How many of them are only for messages whose receive is the oldest that is not full. */
  static final int RESERVED = 4;

  /** The longest short message in bytes. */
  static final int LONGEST = 8 << 10;

  /** The bytes before the message. */
  static final int HEADER = 24;

  /** The bytes of a place. */
  static final int PLACE = HEADER + LONGEST;

  /** The piece of a message whose sender knows of none for it. */
  static final int UNKNOWN = -1;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int RECEIVE = Long.BYTES;
  private static final int PIECE = 2 * Long.BYTES;
  private static final int TAG = PIECE + Integer.BYTES;

  /** All memory: users name theirs by address. */
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private final MemorySegment memory;

  /** As many places that the fabric does not know; there once they are needed. */
  private @Nullable MemorySegment spare;

  OfiShorts(SegmentAllocator allocator) {
    this.memory = allocator.allocate((long) PLACES * PLACE, Long.BYTES);
  }

  MemorySegment memory() {
    return memory;
  }

  /** Returns the address of a place. */
  long address(int place) {
    return memory.address() + at(place);
  }

  /** Writes a message into a place. */
  void write(int place, long number, long receive, int piece, int tag, long address, long length) {
    memory.set(LONG, at(place), number);
    memory.set(LONG, at(place) + RECEIVE, receive);
    memory.set(INT, at(place) + PIECE, piece);
    memory.set(INT, at(place) + TAG, tag);
    MemorySegment.copy(ALL, address, memory, at(place) + HEADER, length);
  }

  /** Copies the message in a place to an address. */
  void read(int place, long address, long length) {
    MemorySegment.copy(in(place), at(place) + HEADER, ALL, address, length);
  }

  long number(int place) {
    return in(place).get(LONG, at(place));
  }

  long receive(int place) {
    return in(place).get(LONG, at(place) + RECEIVE);
  }

  int piece(int place) {
    return in(place).get(INT, at(place) + PIECE);
  }

  int tag(int place) {
    return in(place).get(INT, at(place) + TAG);
  }

  /** Returns the number of a message with its header. */
  static long number(byte[] bytes) {
    return MemorySegment.ofArray(bytes).get(LONG, 0);
  }

  /** Returns the first bytes of a place. */
  byte[] bytes(int place, long count) {
    return memory.asSlice(at(place), count).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Fills the first bytes of a place. */
  void bytes(int place, byte[] bytes) {
    MemorySegment.copy(bytes, 0, in(place), ValueLayout.JAVA_BYTE, at(place), bytes.length);
  }

  private MemorySegment in(int place) {
    return place < PLACES ? memory : spare();
  }

  private MemorySegment spare() {
    MemorySegment there = spare;
    if (there == null) {
      there = Arena.ofAuto().allocate((long) PLACES * PLACE, Long.BYTES);
      spare = there;
    }
    return there;
  }

  private static long at(int place) {
    return (long) (place % PLACES) * PLACE;
  }
}
