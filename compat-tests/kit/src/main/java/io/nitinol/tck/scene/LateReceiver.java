// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import java.util.ArrayList;
import java.util.List;

/** Receives one message into each area, on request. */
public final class LateReceiver {
  private final NetConnection connection;
  private final GuardedArea[] areas;
  private final List<MemoryHandle> mrs = new ArrayList<>();
  private final List<Request> inFlight = new ArrayList<>();

  public LateReceiver(NetConnection connection, GuardedArea[] areas) {
    this.connection = connection;
    this.areas = areas;
    for (GuardedArea area : areas) {
      mrs.add(connection.registerRecv(area));
    }
  }

  /** Posts the receives. */
  public void post() {
    for (int i = 0; i < areas.length; i++) {
      inFlight.add(connection.irecv(mrs.get(i), 0, areas[i].size(), SlotTraffic.TAG));
    }
  }

  /** Tests the receives once, the oldest first; true when all have completed. */
  public boolean advance() {
    connection.poll(inFlight, request -> connection.testRecv(request, null));
    return inFlight.isEmpty();
  }
}
