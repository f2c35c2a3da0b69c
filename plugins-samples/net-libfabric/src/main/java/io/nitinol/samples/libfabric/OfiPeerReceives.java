// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

/**
 * What the sending end knows of the receives of its peer, and which pieces of them the messages
 * that it has sent fill. The k-th message with a tag fills the k-th piece with it, so a short
 * message that was sent before its receive was announced gets its piece here once that is.
 */
final class OfiPeerReceives {
  /** A bit for each piece of the receive in a slot that no message was sent for. */
  private final int[] vacant = new int[OfiCommEnd.SLOTS];

  /** The room and the tag of each piece, by the number of its operation. */
  private final long[] rooms = new long[OfiCommEnd.SLOTS * OfiCommEnd.PIECES];

  private final int[] tags = new int[OfiCommEnd.SLOTS * OfiCommEnd.PIECES];

  /** The tags of the messages without a piece, in the order in which they were sent. */
  private final int[] ahead = new int[OfiShorts.PLACES];

  private int aheadCount;
  private long next;
  private long known;

  /** Whether a piece of the receive that was announced last has room for a long message. */
  private boolean isLastLong;

  /** The same, as far as the receive that is announced now has been read. */
  private boolean isLong;

  /** Returns the number of the oldest receive that is not full. */
  long next() {
    return next;
  }

  /** Returns the number of the first receive that was not announced. */
  long known() {
    return known;
  }

  /** Returns how many messages have no piece yet. */
  int ahead() {
    return aheadCount;
  }

  /** Returns whether one more receive can be announced: none is forgotten that is not full. */
  boolean hasRoom() {
    return known - next < OfiCommEnd.SLOTS;
  }

  /** Notes the room and the tag of a piece of the receive that is announced next. */
  void piece(int piece, long room, int tag) {
    int operation = operation(known * OfiCommEnd.PIECES + piece);
    rooms[operation] = room;
    tags[operation] = tag;
    isLong |= room > OfiShorts.LONGEST;
  }

  /** Ends the announcement of a receive, whose pieces were told before. */
  void announced(int pieces) {
    int slot = OfiCommEnd.slot(known);
    vacant[slot] = (1 << pieces) - 1;
    for (int i = 0; i < aheadCount && vacant[slot] != 0; ) {
      int piece = vacantPiece(known, ahead[i]);
      if (piece < 0) {
        i++;
      } else {
        vacant[slot] &= ~(1 << piece);
        aheadCount--;
        System.arraycopy(ahead, i + 1, ahead, i, aheadCount - i);
      }
    }
    known++;
    isLastLong = isLong;
    isLong = false;
    skipFull();
  }

  /** Returns whether the next receive will probably be announced at once, as the last one was. */
  boolean isLastLong() {
    return isLastLong;
  }

  /**
   * Returns the piece for the next message with a tag: its number in the receive plus {@link
   * OfiCommEnd#PIECES} times that of the receive; -1 where no receive that was announced has one.
   */
  long find(int tag) {
    for (long receive = next; receive < known; receive++) {
      int piece = vacantPiece(receive, tag);
      if (piece >= 0) {
        return receive * OfiCommEnd.PIECES + piece;
      }
    }
    return -1;
  }

  private int vacantPiece(long receive, int tag) {
    int slot = OfiCommEnd.slot(receive);
    for (int rest = vacant[slot]; rest != 0; rest &= rest - 1) {
      int piece = Integer.numberOfTrailingZeros(rest);
      if (tags[OfiCommEnd.operation(slot, piece)] == tag) {
        return piece;
      }
    }
    return -1;
  }

  /** Returns the room of a piece. */
  long room(long piece) {
    return rooms[operation(piece)];
  }

  /** Notes that a piece has its message. */
  void fill(long piece) {
    int slot = OfiCommEnd.slot(piece / OfiCommEnd.PIECES);
    vacant[slot] &= ~(1 << (int) (piece % OfiCommEnd.PIECES));
    skipFull();
  }

  /** Notes a message that has no piece yet. */
  void runAhead(int tag) {
    ahead[aheadCount++] = tag;
  }

  private void skipFull() {
    while (next < known && vacant[OfiCommEnd.slot(next)] == 0) {
      next++;
    }
  }

  /** Returns the operation of a piece. */
  static int operation(long piece) {
    return (int) (piece % (OfiCommEnd.SLOTS * OfiCommEnd.PIECES));
  }
}
