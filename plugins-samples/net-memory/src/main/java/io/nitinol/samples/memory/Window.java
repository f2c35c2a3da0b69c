// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import java.lang.foreign.MemorySegment;

/**
 * The bytes of a gather or scatter that one operation is about, and the pieces of memory that they
 * are in, one after the other (COLL-23, COLL-24). Positions are counted from the window's start.
 */
final class Window {
  final int bytes;

  /** How many of them are this member's own. */
  final int own;

  private final long bytesPerRank;
  private final long offset;
  private final MemorySegment[] pieces;

  /**
   * Describes a window.
   *
   * @param pieces together as long as the window
   * @param offset where the window begins in the whole
   */
  Window(MemorySegment[] pieces, int bytes, long bytesPerRank, long offset, int rank) {
    this.pieces = pieces;
    this.bytes = bytes;
    this.bytesPerRank = bytesPerRank;
    this.offset = offset;
    this.own = length(rank, 0, bytes);
  }

  /** Returns the position of a member's first byte in the window. */
  int start(int member) {
    return (int) Math.clamp(bytesPerRank * member - offset, 0L, (long) bytes);
  }

  private int end(int member) {
    return start(member + 1);
  }

  /** Returns the position of a member's first byte in a part of the window. */
  int first(int member, int from, int count) {
    return Math.clamp(start(member), from, from + count);
  }

  /** Returns how many bytes of a member's are in a part of the window. */
  int length(int member, int from, int count) {
    return Math.clamp(end(member), from, from + count) - first(member, from, count);
  }

  /** Copies {@code count} bytes from {@code position} on. */
  void copyOut(int position, int count, MemorySegment to, long at) {
    long done = 0;
    long skip = position;
    for (MemorySegment piece : pieces) {
      long part = Math.min(piece.byteSize() - skip, count - done);
      if (part > 0) {
        MemorySegment.copy(piece, skip, to, at + done, part);
        done += part;
      }
      skip = Math.max(0, skip - piece.byteSize());
    }
  }

  /** Copies {@code count} bytes to {@code position} on. */
  void copyIn(MemorySegment from, long at, int position, int count) {
    long done = 0;
    long skip = position;
    for (MemorySegment piece : pieces) {
      long part = Math.min(piece.byteSize() - skip, count - done);
      if (part > 0) {
        MemorySegment.copy(from, at + done, piece, skip, part);
        done += part;
      }
      skip = Math.max(0, skip - piece.byteSize());
    }
  }
}
