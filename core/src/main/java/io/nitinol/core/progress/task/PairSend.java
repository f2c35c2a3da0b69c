// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.recording.Transfer;
import io.nitinol.core.recording.TransferRecorder;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.Collective;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The sends of a batch to one rank. The header of a message says which transfer of the connection
 * it belongs to and how long that is, so that a receiver that expects another length finds out.
 */
public final class PairSend extends Task {
  private final ActiveConnectors connectors;
  private final int rank;
  private final int peer;
  private final int channel;
  private final @Nullable TransferRecorder recorder;
  private final @Nullable Transfer recorded;
  private @Nullable SendConnector connector;
  private PairTransfers.@Nullable Side side;
  private int item;
  private long offset;
  private long transfer = 1;
  private long operation;

  /** The number of the last message that the receiver reads where it lies, or 0. */
  private long lent;

  public PairSend(
      ActiveConnectors connectors,
      int rank,
      int peer,
      int channel,
      @Nullable TransferRecorder recorder) {
    this.connectors = connectors;
    this.rank = rank;
    this.recorder = recorder;
    this.recorded = recorder == null ? null : new Transfer();
    this.peer = peer;
    this.channel = channel;
  }

  /**
   * Begins the sends of an operation.
   *
   * @param ofOperation its number
   */
  public void begin(PairTransfers.Side newSide, long ofOperation) {
    side = newSide;
    operation = ofOperation;
    item = 0;
    offset = 0;
    lent = 0;
    done = false;
    connect();
  }

  /**
   * Looks for the connection, if it is not there yet. That of another peer of the batch does not
   * wait for it: a rank may need what goes there before it comes to receive from this one.
   */
  private @Nullable SendConnector connect() {
    SendConnector known = connector;
    if (known == null) {
      known = connectors.sender(peer, channel, Connectors.Use.PAIR);
      connector = known;
    }
    return known;
  }

  /** Returns whether the connection may need the network's turn. */
  public boolean isNetworked() {
    SendConnector known = connector;
    return known == null || known.needsProgress();
  }

  /** Returns the first word of the headers of a transfer. */
  public static long word(long transfer) {
    return MessageHeader.word(transfer, Collective.SEND_RECV.code(), 0, 0, 0, 0, 0);
  }

  @Override
  public int advance() {
    PairTransfers.Side current = side;
    SendConnector to = connect();
    if (current == null || to == null) {
      return 0;
    }
    int sent = 0;
    while (item < current.size() && to.hasRoom()) {
      long length = current.bytes(item);
      int bytes = (int) Math.min(to.pieceBytes(), length - offset);
      if (offset == 0) {
        current.announce(to, item);
      }
      give(to, current.segment(item), bytes, length);
      if (recorder != null && recorded != null) {
        recorder.record(recorded.pair(operation, channel, rank, peer, bytes));
      }
      sent++;
      offset += bytes;
      if (offset == length) {
        transfer++;
        offset = 0;
        item++;
      }
      if (to.needsProgress()) {
        break; // the network's turn
      }
    }
    done = item == current.size() && (lent == 0 || to.done() >= lent);
    if (done) {
      side = null;
    }
    return sent;
  }

  /** Sends the next message: by showing where it lies, if the receiver can read it there. */
  private void give(SendConnector to, MemorySegment from, int bytes, long length) {
    if (bytes > 0 && to.canLend()) {
      lent = to.lend(from, offset, bytes, word(transfer), length);
      return;
    }
    MessageSide.put(from, offset, to, bytes);
    MessageHeader.write(to.memory(), to.offset(), word(transfer), length);
    to.send(bytes);
  }

  @Override
  public int waitsFor() {
    return peer;
  }

  @Override
  public String describeWait() {
    return connector == null
        ? "its connection with rank " + peer
        : "rank " + peer + " to take messages of transfer " + transfer + " to it";
  }

  @Override
  public String describe() {
    PairTransfers.Side current = side;
    return "sends to rank "
        + peer
        + (current == null ? "" : ", " + item + " of " + current.size() + " done");
  }
}
