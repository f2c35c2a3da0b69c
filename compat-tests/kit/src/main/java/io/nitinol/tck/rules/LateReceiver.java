// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.session.Area;
import io.nitinol.tck.session.Connection;
import java.util.ArrayList;
import java.util.List;

/** Receives one message into each area, when it is told to. */
final class LateReceiver {
  private final Connection connection;
  private final Area[] areas;
  private final List<MemoryHandle> mrs = new ArrayList<>();
  private final List<Request> inFlight = new ArrayList<>();

  LateReceiver(Connection connection, Area[] areas) {
    this.connection = connection;
    this.areas = areas;
    for (Area area : areas) {
      mrs.add(connection.registerRecv(area));
    }
  }

  /** Posts the receives. */
  void post() {
    for (int i = 0; i < areas.length; i++) {
      inFlight.add(connection.irecv(mrs.get(i), 0, areas[i].size(), Traffic.TAG));
    }
  }

  /** Asks about the receives once, the oldest first; true when all have completed. */
  boolean advance() {
    inFlight.removeIf(request -> connection.testRecv(request, null));
    return inFlight.isEmpty();
  }
}
