// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** One message or one receive under way; pooled by its comm. */
final class OfiRequest implements Request {
  /** Stands in {@link #receive} for a short message, which waits for none. */
  static final long NO_RECEIVE = Long.MAX_VALUE;

  final OfiCommEnd owner;

  /** Where the pieces begin; of a receive only. */
  final long[] addresses = new long[OfiCommEnd.PIECES];

  /** The bytes of each message; of a piece that waits for one, its room. */
  final long[] bytes = new long[OfiCommEnd.PIECES];

  /** The number of the receive, which is the peer's where this is a message. */
  long receive;

  /** How many pieces it has, 1 where it is a message. */
  int pieces;

  boolean live;

  /** Whether it is the message that is longer than its piece. */
  boolean refused;

  /** Kept from being collected while the provider uses it. */
  private final @Nullable OfiMemory[] memories = new OfiMemory[OfiCommEnd.PIECES];

  /** How many pieces have not ended. */
  private int open;

  OfiRequest(OfiCommEnd owner) {
    this.owner = owner;
  }

  /** Begins a use of it; each piece is then told by {@link #piece}. */
  OfiRequest begin(long itsReceive, int itsPieces) {
    receive = itsReceive;
    pieces = itsPieces;
    open = itsPieces;
    live = true;
    refused = false;
    return this;
  }

  void piece(int piece, long address, long length, @Nullable OfiMemory memory) {
    addresses[piece] = address;
    bytes[piece] = length;
    memories[piece] = memory;
  }

  /** Returns what operations pass for the memory of a piece; 0 where the provider asks for none. */
  long descriptor(int piece) {
    OfiMemory memory = memories[piece];
    return memory == null ? 0 : memory.descriptor();
  }

  /** Returns whether the memory of a piece is there no more, though it must be. */
  boolean isFreed(int piece) {
    OfiMemory memory = memories[piece];
    return memory == null || memory.isFreed();
  }

  /** Notes that the provider has ended a piece; returns whether it was the last. */
  boolean ended(int piece) {
    OfiMemory used = memories[piece];
    if (used != null) {
      used.complete();
    }
    return --open == 0;
  }

  boolean isDone() {
    return open == 0;
  }

  void end() {
    live = false;
    for (int i = 0; i < pieces; i++) {
      memories[i] = null;
    }
  }
}
