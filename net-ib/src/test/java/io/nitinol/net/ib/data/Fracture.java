// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.verbs.QueuePair;
import io.nitinol.spi.net.Comm;

/** Breaks parts of a comm, as a card does, and looks at what is left of it. */
public final class Fracture {
  private Fracture() {}

  /** Fails one of a comm's queue pairs; what was posted on it comes back as flushed. */
  public static void pair(Comm comm, int lane) {
    ((IbCommEnd) comm).connection.queuePairs().get(lane).toError();
  }

  /** Returns whether a sending end has been asked for the messages of its next receive. */
  public static boolean isClear(Comm sending) {
    return isClear(sending, 0);
  }

  /** The same of the receive that comes {@code behind} ones after the next. */
  public static boolean isClear(Comm sending, int behind) {
    IbCommEnd end = (IbCommEnd) sending;
    ClearToSend table = new ClearToSend(end.connection.memory(0, ClearToSend.SIZE));
    long next = end.nextReceive() + behind;
    return table.has(next, ClearToSend.offset(next, 1))
        || table.has(next, ClearToSend.offset(next, IbSlots.PIECES));
  }

  /** Returns how many queue pairs a comm has. */
  public static int pairs(Comm comm) {
    return ((IbCommEnd) comm).connection.queuePairs().size();
  }

  /** Returns how many paths a comm has: pairs of ports. */
  public static int paths(Comm comm) {
    return ((IbCommEnd) comm).connection.paths().count();
  }

  /** Returns how many of a comm's queue pairs can send. */
  public static long ready(Comm comm) {
    return ((IbCommEnd) comm)
        .connection.queuePairs().stream()
            .filter(pair -> pair.state() == QueuePair.State.RTS)
            .count();
  }
}
