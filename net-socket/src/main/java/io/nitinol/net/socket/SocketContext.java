// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetContext;
import io.nitinol.toolkit.connect.Connector;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to one communicator: its log and its connections on their way. Devices, variables
 * and buffers are the plugin's. TCP has no use for a traffic class here, as in NCCL.
 */
final class SocketContext implements NetContext {
  private final SocketNet plugin;
  private final DebugLogger logger;
  private final Connector<SocketSendComm> connects;
  private volatile boolean ended;

  SocketContext(SocketNet plugin, SocketOptions options, DebugLogger logger) {
    this.plugin = plugin;
    this.logger = logger;
    this.connects = new Connector<>(options.connecting(), logger);
  }

  /** Returns a token as the context that it is: one of {@code plugin}, not ended (NET-INIT-11). */
  static SocketContext of(@Nullable NetContext token, SocketNet plugin) {
    if (token instanceof SocketContext own && own.plugin == plugin) {
      if (own.ended) {
        throw new NetException(
            ResultCode.INVALID_ARGUMENT, "the context of the communicator has been finalized");
      }
      return own;
    }
    throw SocketNet.foreign("context", token);
  }

  /** Returns the communicator's log. */
  DebugLogger logger() {
    return logger;
  }

  /** Returns the communicator's connections on their way. */
  Connector<SocketSendComm> connects() {
    return connects;
  }

  /** Ends it, and the attempts to connect that nobody asks about any more. */
  void end() {
    ended = true;
    connects.abandon();
  }
}
