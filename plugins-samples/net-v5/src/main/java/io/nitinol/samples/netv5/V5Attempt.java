// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv5;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection under way: first TCP connects, then the key is said. */
final class V5Attempt {
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(60); // the CONNECT bound

  private final SampleV5 plugin;
  private final V5Handle target;
  private final SocketChannel channel;
  private final ByteBuffer key = ByteBuffer.allocate(V5Handle.KEY_SIZE);
  private final long started = System.nanoTime();

  private V5Attempt(SampleV5 plugin, V5Handle target, SocketChannel channel) {
    this.plugin = plugin;
    this.target = target;
    this.channel = channel;
    key.putLong(target.high()).putLong(target.low()).flip();
  }

  static V5Attempt start(SampleV5 plugin, V5Handle target) {
    V5Attempt attempt = new V5Attempt(plugin, target, open(target));
    try {
      attempt.channel.configureBlocking(false);
      attempt.channel.connect(target.address());
      return attempt;
    } catch (IOException e) {
      attempt.close();
      throw refused(target, e);
    }
  }

  /** A socket that this system does not give is no fault of the peer. */
  private static SocketChannel open(V5Handle target) {
    try {
      return SocketChannel.open();
    } catch (IOException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR, "no socket for a connection to " + target.address(), e);
    }
  }

  /** Goes as far as possible without waiting; the sending end once the key has been said. */
  @Nullable V5Sender advance() {
    try {
      if (isOverdue()) {
        throw new NetException(
            ResultCode.TIMEOUT, "no connection to " + target.address() + " within 60 s");
      }
      if (!channel.finishConnect()) {
        return null;
      }
      channel.write(key);
      return key.hasRemaining() ? null : new V5Sender(plugin, channel);
    } catch (IOException e) {
      throw refused(target, e);
    }
  }

  boolean isOverdue() {
    return System.nanoTime() - started > LIMIT;
  }

  void close() {
    plugin.close(channel);
  }

  private static NetException refused(V5Handle target, IOException e) {
    return new NetException(
        ResultCode.REMOTE_ERROR, "cannot connect to " + target.address() + ": " + e, e);
  }
}
