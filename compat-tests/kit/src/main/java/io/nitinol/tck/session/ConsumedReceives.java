// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.Net;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Calls irecvConsumed for a plugin that keeps its receives until then (NET-TEST-06). Safe for any
 * thread; allocates nothing for a request that the plugin has given before.
 */
final class ConsumedReceives {

  /** The state of a request. */
  private static final class Receive {
    RecvComm comm;
    int pieces;
    boolean inFlight;

    Receive(RecvComm comm) {
      this.comm = comm;
    }
  }

  private final Net net;
  private final IdentityHashMap<Request, Receive> receives = new IdentityHashMap<>();

  private ConsumedReceives(Net net) {
    this.net = net;
  }

  /** Returns null if the plugin does not support irecvConsumed. */
  static @Nullable ConsumedReceives of(Net net) {
    return net.supports(OptionalOperation.IRECV_CONSUMED) ? new ConsumedReceives(net) : null;
  }

  synchronized void begun(RecvComm comm, int pieces, Request request) {
    Receive receive = receives.get(request);
    if (receive == null) { // computeIfAbsent would make an object for each call
      receive = new Receive(comm);
      receives.put(request, receive);
    }
    receive.comm = comm;
    receive.pieces = pieces;
    receive.inFlight = true;
  }

  /** Tells the plugin, if the request is a receive. */
  void complete(Request request) {
    RecvComm comm;
    int pieces;
    synchronized (this) {
      Receive receive = receives.get(request);
      if (receive == null || !receive.inFlight) {
        return;
      }
      receive.inFlight = false;
      comm = receive.comm;
      pieces = receive.pieces;
    }
    net.irecvConsumed(comm, pieces, request);
  }

  /** The comm is about to be closed, and its requests with it. */
  @SuppressWarnings("ReferenceEquality") // the plugin's own equals does not count
  synchronized void forget(RecvComm comm) {
    receives.values().removeIf(receive -> receive.comm == comm);
  }
}
