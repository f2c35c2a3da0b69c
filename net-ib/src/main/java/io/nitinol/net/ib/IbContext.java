// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import io.nitinol.net.ib.connect.IbConnector;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.v12.Net;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to one communicator: its log, its class of service and its unfinished connections.
 * Cards, devices and registered memory are the plugin's.
 */
final class IbContext implements NetContext {
  private final Net net;
  private final IbConnector connector;
  private volatile boolean ended;

  IbContext(Net net, IbConnector connector) {
    this.net = net;
    this.connector = connector;
  }

  /** Returns a token as the context that it is: one of {@code net}, not ended (NET-INIT-11). */
  static IbContext of(@Nullable NetContext token, Net net) {
    if (token instanceof IbContext own && own.net.equals(net)) {
      if (own.ended) {
        throw new NetException(
            ResultCode.INVALID_ARGUMENT, "the context of the communicator has been finalized");
      }
      return own;
    }
    throw ForeignToken.of("context", token);
  }

  /** Returns what makes the communicator's connections. */
  IbConnector connector() {
    return connector;
  }

  /** Ends it, and its unfinished attempts to connect. */
  void end() {
    ended = true;
    connector.abandon();
  }
}
