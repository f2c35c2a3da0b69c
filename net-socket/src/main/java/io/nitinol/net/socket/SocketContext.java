// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetContext;
import io.nitinol.toolkit.connect.ConnectOptions;
import io.nitinol.toolkit.connect.Connector;

/**
 * One communicator's part of the plugin: its log and its pending connections. Devices, variables
 * and buffers are the plugin's. TCP has no use for a traffic class here, as in NCCL.
 */
final class SocketContext implements NetContext {
  /** The pools of the plugin instance that it belongs to. */
  final SocketPools pools;

  private final DebugLogger logger;
  private final Connector<SocketSendComm> connects;
  private volatile boolean ended;

  SocketContext(SocketPools pools, ConnectOptions options, DebugLogger logger) {
    this.pools = pools;
    this.logger = logger;
    this.connects = new Connector<>(options, logger);
  }

  /** Fails where the communicator has ended (NET-INIT-11). */
  void checkOpen() {
    if (ended) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "the context of the communicator has been finalized");
    }
  }

  /** Returns the communicator's log. */
  DebugLogger logger() {
    return logger;
  }

  /** Returns the communicator's pending connections. */
  Connector<SocketSendComm> connects() {
    return connects;
  }

  /** Ends the context, and the connection attempts that nothing asks about any more. */
  void end() {
    ended = true;
    connects.abandon();
  }
}
