// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.CommException;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The receives of a batch from one rank. */
public final class PairReceive extends Task {
  private final int rank;
  private final ActiveConnectors connectors;
  private final int peer;
  private final int channel;
  private @Nullable ReceiveConnector connector;
  private PairTransfers.@Nullable Side side;
  private int item;
  private long offset;
  private long transfer = 1;
  private boolean expected;

  public PairReceive(ActiveConnectors connectors, int rank, int peer, int channel) {
    this.connectors = connectors;
    this.rank = rank;
    this.peer = peer;
    this.channel = channel;
  }

  public void begin(PairTransfers.Side newSide) {
    side = newSide;
    item = 0;
    offset = 0;
    done = false;
    expected = false;
    connect(newSide);
  }

  /** Looks for the connection, if it is not there yet, and says what is to come. */
  private @Nullable ReceiveConnector connect(PairTransfers.Side current) {
    ReceiveConnector known = connector;
    if (known == null) {
      known = connectors.receiver(peer, channel, Connectors.Use.PAIR);
      connector = known;
    }
    if (known != null && !expected) {
      current.announce(known);
      known.expect(current.messages(known.capacity()));
      expected = true;
    }
    return known;
  }

  /** Returns whether the connection may need the network's turn. */
  public boolean isNetworked() {
    ReceiveConnector known = connector;
    return known == null || known.needsProgress();
  }

  @Override
  public int advance() {
    PairTransfers.Side current = side;
    if (current == null) {
      return 0;
    }
    ReceiveConnector from = connect(current);
    if (from == null) {
      return 0;
    }
    int received = 0;
    while (!done && from.ready()) {
      long length = current.bytes(item);
      int bytes = (int) Math.min(from.pieceBytes(), length - offset);
      check(from, length, bytes);
      MemorySegment.copy(from.memory(), from.offset(), current.segment(item), offset, bytes);
      from.release();
      received++;
      offset += bytes;
      if (offset == length) {
        transfer++;
        offset = 0;
        item++;
        done = item == current.size();
      }
      if (from.needsProgress()) {
        break; // the network's turn
      }
    }
    if (done) {
      side = null;
    }
    return received;
  }

  /** Makes sure that the next message is a piece of {@code bytes} bytes of this transfer. */
  private void check(ReceiveConnector from, long length, int bytes) {
    int size = from.size() - MessageHeader.BYTES;
    long word = size < 0 ? 0 : from.headerWord();
    long count = size < 0 ? 0 : from.headerCountWord();
    if ((size == bytes || size == from.capacity())
        && word == PairSend.word(transfer)
        && count == length) {
      return;
    }
    throw new CommException(
        ResultCode.INVALID_USAGE,
        ErrorText.of(
            "ranks %s and %s do not send what they receive: rank %s receives %s bytes as "
                + "transfer %s from rank %s, which sent %s",
            peer,
            rank,
            rank,
            length,
            transfer,
            peer,
            size < 0
                ? "a message without a header, of " + from.size() + " bytes"
                : ErrorText.of(
                    "%d bytes as transfer %d (a message of %d bytes where %d were expected)",
                    count, MessageHeader.sequence(word), size, bytes)));
  }

  @Override
  public int waitsFor() {
    return peer;
  }

  @Override
  public String describeWait() {
    return connector == null
        ? "its connection with rank " + peer
        : "a message from rank " + peer + ", of transfer " + transfer + " from it";
  }

  @Override
  public String describe() {
    PairTransfers.Side current = side;
    return "receives from rank "
        + peer
        + (current == null ? "" : ", " + item + " of " + current.size() + " done");
  }
}
