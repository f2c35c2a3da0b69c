// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv5;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** The part that both ends have in common: the socket, its state, and the end of operations. */
abstract class V5Connection implements Comm {
  final SampleV5 plugin;
  final SocketChannel channel;
  final V5Operation.Pool pool;
  private final SocketAddress peer;
  private volatile boolean open = true;
  private @Nullable NetException failure;

  V5Connection(SampleV5 plugin, SocketChannel channel, int operations) throws IOException {
    this.plugin = plugin;
    this.channel = channel;
    this.pool = new V5Operation.Pool(this, operations);
    peer = channel.getRemoteAddress();
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  /**
   * Moves everything on as far as the socket allows; calls {@link #fail} or throws when it breaks.
   */
  abstract void advance() throws IOException;

  boolean isOpen() {
    return open;
  }

  boolean hasFailed() {
    return failure != null;
  }

  void progress() {
    if (failure == null) {
      try {
        advance();
      } catch (IOException e) {
        fail(ResultCode.REMOTE_ERROR, "broke the connection: " + e.getMessage(), e);
      }
    }
  }

  boolean test(V5Operation operation, int @Nullable [] sizes) {
    if (!operation.complete) {
      progress();
    }
    if (operation.complete) {
      if (sizes != null) {
        System.arraycopy(operation.lengths, 0, sizes, 0, operation.pieces);
      }
      pool.giveBack(operation);
      return true;
    }
    if (hasFailed()) {
      pool.giveBack(operation);
      throwFailure();
    }
    return false;
  }

  void fail(ResultCode result, String what, @Nullable IOException cause) {
    if (failure == null) {
      failure = new NetException(result, "SampleV5: peer " + peer + " " + what, cause);
      plugin.close(channel); // so that the peer learns of it
    }
  }

  void throwFailure() {
    NetException first = failure;
    if (first != null) {
      throw new NetException(first.result(), String.valueOf(first.getMessage()), first);
    }
  }

  void close() {
    open = false;
    plugin.close(channel);
  }
}
