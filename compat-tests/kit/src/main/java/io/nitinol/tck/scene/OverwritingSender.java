// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import org.jspecify.annotations.Nullable;

/** Sends one message from each area, and writes over an area once its message has been sent. */
public final class OverwritingSender {
  private static final byte OVERWRITTEN = (byte) 0xEE;

  private final NetSession session;
  private final NetConnection connection;
  private final GuardedArea[] areas;
  private final MemoryHandle[] mrs;
  private final @Nullable Request[] requests;
  private final boolean[] sent;

  public OverwritingSender(
      NetSession session, NetConnection connection, GuardedArea[] areas, long[] seeds) {
    this.session = session;
    this.connection = connection;
    this.areas = areas;
    this.mrs = new MemoryHandle[areas.length];
    this.requests = new Request[areas.length];
    this.sent = new boolean[areas.length];
    for (int i = 0; i < areas.length; i++) {
      areas[i].fill(seeds[i]);
      mrs[i] = connection.registerSend(areas[i]);
    }
  }

  /** Starts and tests every send that is due; true when all have been sent. */
  public boolean advance() {
    boolean all = true;
    for (int i = 0; i < areas.length; i++) {
      if (requests[i] == null && !start(i)) {
        return false;
      }
      Request request = requests[i];
      boolean due = all || !session.isTestedInOrder();
      if (!sent[i] && due && request != null && connection.testSend(request, null)) {
        areas[i].set(OVERWRITTEN);
        sent[i] = true;
      }
      all &= sent[i];
    }
    return all;
  }

  private boolean start(int index) {
    requests[index] =
        session.step(
            "NET-SEND-08",
            "isend",
            () ->
                connection
                    .sender()
                    .isend(connection.send(), mrs[index], 0, areas[index].size(), SlotTraffic.TAG));
    return requests[index] != null;
  }
}
