// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import java.lang.foreign.MemorySegment;

/** A receive of one or more pieces. */
final class ReceiveOperation extends MemoryOperation {
  private final MemoryReceiver receiver;
  private final MemorySegment[] into = new MemorySegment[MemoryNet.MAX_RECVS];
  private final long[] offsets = new long[MemoryNet.MAX_RECVS];
  private final long[] rooms = new long[MemoryNet.MAX_RECVS];
  private final int[] sizes = new int[MemoryNet.MAX_RECVS];
  private int pieces;
  private int filled; // a bit for each piece whose message has come

  ReceiveOperation(MemoryReceiver receiver) {
    super(receiver);
    this.receiver = receiver;
  }

  void start(int count) {
    pieces = count;
    filled = 0;
    live = true;
  }

  void piece(int number, MemorySegment memory, long offset, long room) {
    into[number] = memory;
    offsets[number] = offset;
    rooms[number] = room;
  }

  /** Returns whether a message may come for this piece. */
  boolean expects(int piece) {
    return piece >= 0 && piece < pieces && (filled & 1 << piece) == 0;
  }

  long room(int piece) {
    return rooms[piece];
  }

  MemorySegment into(int piece) {
    return into[piece];
  }

  long offset(int piece) {
    return offsets[piece];
  }

  /** The message for a piece is there. */
  void fill(int piece, int length) {
    sizes[piece] = length;
    filled |= 1 << piece;
  }

  @Override
  int pieces() {
    return pieces;
  }

  @Override
  boolean isComplete() {
    return filled == (1 << pieces) - 1;
  }

  @Override
  void report(int[] target) {
    System.arraycopy(sizes, 0, target, 0, pieces);
  }

  @Override
  void release() {
    live = false;
    for (int i = 0; i < pieces; i++) {
      into[i] = MemorySegment.NULL; // or the pool would keep the caller's memory
    }
    receiver.release(this);
  }
}
