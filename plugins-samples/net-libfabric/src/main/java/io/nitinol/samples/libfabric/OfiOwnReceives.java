// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

/**
 * The receives of a receiving end: the room and the tag of each piece, and which pieces have their
 * message.
 */
final class OfiOwnReceives {
  private static final int SLOTS = OfiCommEnd.SLOTS;
  private static final int PIECES = OfiCommEnd.PIECES;

  /** How many pieces the receive in each slot has. */
  private final int[] pieces = new int[SLOTS];

  /** A bit for each piece of the receive in a slot that has its message. */
  private final int[] filled = new int[SLOTS];

  /** The same of those that wait for a long message, as far as the provider knows of them. */
  private final int[] posted = new int[SLOTS];

  /** The same of those that have a long message. */
  private final int[] arrived = new int[SLOTS];

  /** The room and the tag of each piece, by the number of its operation. */
  private final long[] rooms = new long[SLOTS * PIECES];

  private final int[] tags = new int[SLOTS * PIECES];
  private long next;
  private long first;

  /** Returns the number of the next receive. */
  long next() {
    return next;
  }

  /** Returns the number of the oldest receive that is not full. */
  long first() {
    return first;
  }

  /** Adds a receive; returns whether one of its pieces has room for a long message. */
  boolean add(int count, long[] itsRooms, int[] itsTags) {
    int slot = OfiCommEnd.slot(next);
    boolean isLong = false;
    for (int i = 0; i < count; i++) {
      rooms[OfiCommEnd.operation(slot, i)] = itsRooms[i];
      tags[OfiCommEnd.operation(slot, i)] = itsTags[i];
      isLong |= itsRooms[i] > OfiShorts.LONGEST;
    }
    pieces[slot] = count;
    filled[slot] = 0;
    posted[slot] = 0;
    arrived[slot] = 0;
    next++;
    return isLong;
  }

  int pieces(int slot) {
    return pieces[slot];
  }

  long room(int operation) {
    return rooms[operation];
  }

  boolean isFilled(int slot, int piece) {
    return (filled[slot] & (1 << piece)) != 0;
  }

  boolean isPosted(int slot, int piece) {
    return (posted[slot] & (1 << piece)) != 0;
  }

  /** Returns whether a piece is to be posted to the provider. */
  boolean isToPost(int slot, int piece) {
    return rooms[OfiCommEnd.operation(slot, piece)] > OfiShorts.LONGEST
        && ((filled[slot] | posted[slot]) & (1 << piece)) == 0;
  }

  void posted(int slot, int piece, boolean is) {
    int bit = 1 << piece;
    posted[slot] = is ? posted[slot] | bit : posted[slot] & ~bit;
  }

  /** Notes that a long message has come into its piece. */
  void arrived(int slot, int piece) {
    arrived[slot] |= 1 << piece;
    posted(slot, piece, false);
    fill(slot, piece);
  }

  /** Notes that a piece has its message; behind the last one it is the next receive's turn. */
  void fill(int slot, int piece) {
    filled[slot] |= 1 << piece;
    while (first < next && filled[OfiCommEnd.slot(first)] == all(OfiCommEnd.slot(first))) {
      first++;
    }
  }

  private int all(int slot) {
    return (1 << pieces[slot]) - 1;
  }

  /** Returns the first vacant piece with a tag of the oldest receive that is not full; or -1. */
  int vacant(int tag) {
    int slot = OfiCommEnd.slot(first);
    for (int rest = all(slot) & ~filled[slot]; rest != 0; rest &= rest - 1) {
      int piece = Integer.numberOfTrailingZeros(rest);
      if (tags[OfiCommEnd.operation(slot, piece)] == tag) {
        return piece;
      }
    }
    return -1;
  }

  /** Returns whether a piece of the oldest receive that is not full is vacant and has a tag. */
  boolean isVacant(int piece, int tag) {
    int slot = OfiCommEnd.slot(first);
    return (all(slot) & ~filled[slot] & (1 << piece)) != 0
        && tags[OfiCommEnd.operation(slot, piece)] == tag;
  }

  /** Writes which long messages have come into an announcement. */
  void writeArrived(OfiAnnouncements to, int index) {
    for (int slot = 0; slot < SLOTS; slot++) {
      to.bits(index, slot, arrived[slot]);
    }
  }

  /** Returns the bytes of a receive in an announcement. */
  int bytes(long receive) {
    return OfiAnnouncements.bytes(pieces[OfiCommEnd.slot(receive)]);
  }

  /** Writes a receive at a place in an announcement. */
  void write(OfiAnnouncements to, int index, int at, long receive) {
    int slot = OfiCommEnd.slot(receive);
    to.pieces(index, at, pieces[slot]);
    for (int i = 0; i < pieces[slot]; i++) {
      int operation = OfiCommEnd.operation(slot, i);
      to.piece(index, at, i, rooms[operation], tags[operation]);
    }
  }
}
