// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.memory.RegisteredMemory;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import org.jspecify.annotations.Nullable;

/**
 * The messages that fill one receive of the peer, on the sending side: first those that have found
 * their piece, then on their way together. What the peer wrote into the clear-to-send table is
 * copied when it has come whole, and checked once. Reused, never reallocated.
 */
final class IbSendSlot {
  /** Where it is in its life. */
  enum Stage {
    /** Waits for the clear-to-send entries of its receive. */
    WAITING,
    /** Knows its pieces and takes messages. */
    MATCHING,
    /** Has its messages, of which not all work requests have been posted. */
    POSTING,
    /** Waits for completions. */
    POSTED
  }

  Stage stage = Stage.WAITING;

  /** The number of the receive. */
  long receive;

  /** How many pieces the receive has. */
  int pieces;

  /** How many have found a message. */
  int matched;

  /** On how many queue pairs the last write has not completed. */
  int awaited;

  /** Whether a message is longer than its piece: only the sizes are sent then, which say so. */
  boolean tooLong;

  final @Nullable IbRequest[] requests = new IbRequest[IbSlots.PIECES];
  final @Nullable RegisteredMemory[] memories = new RegisteredMemory[IbSlots.PIECES];
  final long[] offsets = new long[IbSlots.PIECES];
  final long[] lengths = new long[IbSlots.PIECES];
  private final int[] tags = new int[IbSlots.PIECES];
  private final long[] rooms = new long[IbSlots.PIECES];
  private final long[] addresses = new long[IbSlots.PIECES];
  private final int[] keys = new int[IbSlots.PIECES * ClearToSend.KEYS];

  /**
   * Reads the entries of the receive, if they have come.
   *
   * @param ports how many ports the peer has
   * @return whether they have; they are read once
   * @throws NetException REMOTE_ERROR for entries that make no sense
   */
  boolean open(ClearToSend table, long number, int ports, String label) {
    return open(table, number, ClearToSend.offset(number, 1), ports, label)
        || open(table, number, ClearToSend.offset(number, IbSlots.PIECES), ports, label);
  }

  private boolean open(ClearToSend table, long number, long first, int ports, String label) {
    if (!table.has(number, first)) {
      return false;
    }
    int count = table.pieces(first);
    if (!read(table, number, first, 0, count, ports)) {
      return false; // a write may become visible bit by bit
    }
    if (count < 1 || count > IbSlots.PIECES || ClearToSend.offset(number, count) != first) {
      throw lie(label, number, "has " + count + " pieces, expected 1 to " + IbSlots.PIECES);
    }
    for (int i = 1; i < count; i++) {
      long at = first + (long) i * ClearToSend.ENTRY;
      if (!table.has(number, at) || !read(table, number, at, i, count, ports)) {
        return false;
      }
    }
    for (int i = 0; i < count; i++) {
      if (rooms[i] < 0 || rooms[i] > Integer.MAX_VALUE) {
        throw lie(label, number, "has room for " + rooms[i] + " bytes in piece " + i);
      }
    }
    receive = number;
    pieces = count;
    matched = 0;
    tooLong = false;
    stage = Stage.MATCHING;
    return true;
  }

  /** Copies the entry of a piece; false: a part of it is still to come. */
  private boolean read(ClearToSend table, long number, long at, int piece, int count, int ports) {
    addresses[piece] = table.address(at);
    rooms[piece] = table.room(at);
    tags[piece] = table.tag(at);
    long check = ClearToSend.check(number, addresses[piece], rooms[piece], count, tags[piece]);
    for (int port = 0; port < ports; port++) {
      int key = table.key(at, port);
      keys[piece * ClearToSend.KEYS + port] = key;
      check = ClearToSend.check(check, key);
    }
    return table.isWhole(number, at, check);
  }

  private static NetException lie(String label, long number, String what) {
    return new NetException(
        ResultCode.REMOTE_ERROR, label + ": the peer says that receive " + number + " " + what);
  }

  /** Returns the first free piece with this tag, or -1. */
  int find(int tag) {
    for (int i = 0; i < pieces; i++) {
      if (tags[i] == tag && requests[i] == null) {
        return i;
      }
    }
    return -1;
  }

  /** Gives a message to a piece; with the last one, or one that is too long, posting is due. */
  void put(int piece, IbRequest request, RegisteredMemory memory, long offset, long length) {
    requests[piece] = request;
    memories[piece] = memory;
    offsets[piece] = offset;
    lengths[piece] = length;
    matched++;
    tooLong |= length > rooms[piece];
    if (matched == pieces || tooLong) {
      stage = Stage.POSTING;
    }
  }

  /** Returns the length of the message in a piece, 0 where there is none. */
  long length(int piece) {
    return requests[piece] == null ? 0 : lengths[piece];
  }

  /** Returns what tells the peer that the receive is complete: the size, or how many pieces. */
  int immediate() {
    return pieces == 1 ? SizeRecords.word(length(0)) : pieces;
  }

  long address(int piece) {
    return addresses[piece];
  }

  long room(int piece) {
    return rooms[piece];
  }

  int tag(int piece) {
    return tags[piece];
  }

  int key(int piece, int port) {
    return keys[piece * ClearToSend.KEYS + port];
  }

  /** Completes the messages; the slot waits for its next receive then. */
  void complete() {
    for (int i = 0; i < pieces; i++) {
      IbRequest request = requests[i];
      if (request != null) {
        request.completed();
      }
      requests[i] = null;
      memories[i] = null;
    }
    stage = Stage.WAITING;
  }
}
