// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetSession;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a connection: each message and each piece has a place of its own in it, at any
 * alignment, so that what comes to a wrong place is seen. One thread.
 */
final class PlayedMemory {
  /** So many bytes of a message differ from those of every other one. */
  static final int TELLING = Long.BYTES;

  private static final byte BLANK = 0x5A;
  private static final int GAP = 17;

  private final GuardedArea from;
  private final GuardedArea to;
  private final long[] places;
  private final long seed;
  private final int room;
  private int filled;
  private long end;
  private byte @Nullable [] kept;

  /**
   * Memory for as much as a connection ends up with.
   *
   * @param atTheEnd the connection when its sequence has ended
   * @param seed from which the content follows
   */
  PlayedMemory(NetSession session, ModelConnection atTheEnd, long seed) {
    this.room = atTheEnd.room();
    this.from = session.area(atTheEnd.bytes() + (long) GAP * atTheEnd.messages() + GAP);
    this.to = session.area((long) (room + GAP) * atTheEnd.pieces() + GAP);
    this.places = new long[atTheEnd.messages()];
    this.seed = seed;
    to.set(BLANK);
  }

  GuardedArea from() {
    return from;
  }

  GuardedArea to() {
    return to;
  }

  /** Returns the place of a message, or where the next one will be. */
  long offsetOfMessage(int message) {
    return message < filled ? places[message] : end;
  }

  long offsetOfPiece(int piece) {
    return (long) piece * (room + GAP);
  }

  /** Gives a message its place and content. */
  void fill(int message, int length) {
    filled = message + 1;
    places[message] = end;
    from.fill(end, length, contentOf(message));
    end += length + 1 + message % GAP;
  }

  private long contentOf(int message) {
    return seed + message * 0x5DEECE66DL;
  }

  /** Keeps what the memory for receives holds now: from here on nothing may change it. */
  void keep() {
    kept = to.segment().toArray(ValueLayout.JAVA_BYTE);
  }

  /** Checks that nothing has changed the memory since it was kept, if it was. */
  void checkKept() {
    if (kept == null) {
      return;
    }
    long changed = to.segment().mismatch(MemorySegment.ofArray(kept));
    if (changed >= 0) {
      throw new RuleViolation(
          "NET-CLOSE-03",
          ErrorText.of("byte %s of the memory was changed after closeRecv had returned", changed));
    }
  }

  /** Returns whether a piece begins with the first bytes of a message. */
  boolean holds(int piece, int message, int length) {
    return to.firstDifference(offsetOfPiece(piece), length, contentOf(message)) < 0;
  }

  /** The same for a message of another connection. */
  boolean holds(int piece, PlayedMemory other, int message, int length) {
    return to.firstDifference(offsetOfPiece(piece), length, other.contentOf(message)) < 0;
  }

  /** Returns the first byte of a piece that is not the message's; -1 where all are. */
  long firstDifference(int piece, int message, int length) {
    return to.firstDifference(offsetOfPiece(piece), length, contentOf(message));
  }

  /** Checks that the bytes of a piece behind its message, and those behind the piece, are blank. */
  void checkBehind(int piece, int length) {
    long start = offsetOfPiece(piece);
    for (long at = length; at < room + GAP; at++) {
      byte found = to.segment().get(ValueLayout.JAVA_BYTE, start + at);
      if (found != BLANK) {
        throw new RuleViolation(
            "NET-RECV-05",
            ErrorText.of(
                "a message of %s bytes changed the byte at %s of its piece of %s bytes",
                length, at, room));
      }
    }
  }

  /** Checks that a message is still what it was before it was sent. */
  void checkSource(int message, int length) {
    long wrong = from.firstDifference(places[message], length, contentOf(message));
    if (wrong >= 0) {
      throw new RuleViolation(
          "NET-SEND-11",
          ErrorText.of(
              "byte %s of a message of %s bytes was changed where it was sent from",
              wrong, length));
    }
  }
}
