// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Gives the pieces of sends and receives to a rail as it has room: those of a direction in the
 * order of the calls, whatever the other direction waits for. A call that only sends may so wait
 * for its peer, while a later one receives: as long as both have memory, and no more calls are open
 * than the bridge thread takes.
 */
@OnlyThread("bridge")
final class RailTransferQueue {
  /** How the header of each piece begins, on both ranks. */
  private static final long WORD =
      MessageHeader.word(
          0,
          Collective.SEND_RECV.code(),
          DataType.INT8.code(),
          CollectiveCall.NO_OPERATOR,
          0,
          0,
          0);

  private final RailWay out;
  private final RailWay in;
  private final BridgeFlags flags;
  private final Queue<RailTransfers> unsent = new ArrayDeque<>();
  private final Queue<RailTransfers> unreceived = new ArrayDeque<>();
  private final Queue<RailTransfers> untold = new ArrayDeque<>();

  RailTransferQueue(RailWay out, RailWay in, BridgeFlags flags) {
    this.out = out;
    this.in = in;
    this.flags = flags;
  }

  /** Takes what a call sends and receives, behind what was taken before. */
  void add(RailTransfers transfers) {
    if (transfers.hasSends()) {
      unsent.add(transfers);
    }
    if (transfers.hasReceives()) {
      unreceived.add(transfers);
      untold.add(transfers);
    }
    advance();
  }

  /** Returns whether all pieces have begun, so that something else may come behind them. */
  boolean isEmpty() {
    return unsent.isEmpty() && unreceived.isEmpty();
  }

  /** Begins with the pieces that it can, and tells the stream of those that have come. */
  boolean advance() {
    boolean moved = false;
    for (RailTransfers next = unreceived.peek(); next != null; next = unreceived.peek()) {
      while (next.receive(in, WORD)) {
        moved = true;
      }
      if (next.hasReceives()) {
        break;
      }
      unreceived.remove();
    }
    for (RailTransfers next = unsent.peek(); next != null; next = unsent.peek()) {
      while (next.send(out, flags, WORD)) {
        moved = true;
      }
      if (next.hasSends()) {
        break;
      }
      unsent.remove();
    }
    return tell() || moved;
  }

  private boolean tell() {
    boolean moved = false;
    for (RailTransfers next = untold.peek(); next != null; next = untold.peek()) {
      moved |= next.tell(flags, in.complete());
      if (!next.isTold()) {
        break;
      }
      untold.remove();
    }
    return moved;
  }

  /** Returns whether a call's sends have left and its receives have come. */
  boolean isDone(RailTransfers transfers) {
    return transfers.isDone(out);
  }
}
