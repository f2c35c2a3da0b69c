// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Sends and receives of one rank that are submitted together. */
@OneThread
public final class TransferBatch {
  /**
   * One message.
   *
   * @param sends whether it leaves this rank
   * @param peer the other rank, which may be this one
   * @param buffer all of it is the message
   * @param type the elements' type
   * @param call the profiler's event of the call that it belongs to; 0 for none
   */
  public record Piece(boolean sends, int peer, MemorySegment buffer, DataType type, long call) {

    /** A message that no profiler hears of, so far. */
    Piece(boolean sends, int peer, MemorySegment buffer, DataType type) {
      this(sends, peer, buffer, type, 0);
    }

    Piece of(long event) {
      return event == 0 ? this : new Piece(sends, peer, buffer, type, event);
    }
  }

  private final int rank;
  private final List<Piece> pieces = new ArrayList<>();

  /** Creates an empty batch of {@code rank}. */
  TransferBatch(int rank) {
    this.rank = rank;
  }

  /** Adds a message. */
  void add(Piece piece) {
    pieces.add(piece);
  }

  /** Returns the messages, in the order in which they were added. */
  public List<Piece> pieces() {
    return pieces;
  }

  /**
   * Checks that what this rank sends to itself it receives too.
   *
   * @throws CommException INVALID_USAGE where it does not
   */
  void check() {
    List<Long> sent = ownSizes(true);
    List<Long> received = ownSizes(false);
    if (!sent.equals(received)) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "rank %d sends messages of %s bytes to itself and receives %s; expected the same in"
                  + " one group",
              rank, sent, received));
    }
  }

  private List<Long> ownSizes(boolean sends) {
    List<Long> sizes = new ArrayList<>();
    for (Piece piece : pieces) {
      if (piece.peer() == rank && piece.sends() == sends) {
        sizes.add(piece.buffer().byteSize());
      }
    }
    return sizes;
  }
}
