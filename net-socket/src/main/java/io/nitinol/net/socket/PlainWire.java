// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/** A TCP connection whose bytes travel as they are. */
final class PlainWire extends Wire {
  private static final int KEEPALIVE_PROBES = 5;

  private final SocketChannel channel;

  private PlainWire(SocketChannel channel, SocketDevice device, SocketAddress peer) {
    super(device, peer);
    this.channel = channel;
  }

  /**
   * Takes over a connected channel, which is closed if that fails.
   *
   * <p>Keep-alive notices a host that has vanished on a connection at rest, so at the latest on the
   * receiving side of a ring. A connection with unacknowledged data is not probed; the kernel
   * repeats the data instead. A bound of the plugin's own would not tell a vanished host from a
   * peer that is busy elsewhere and does not receive for minutes, which is no failure.
   */
  static PlainWire of(SocketChannel channel, SocketDevice device, SocketOptions options)
      throws IOException {
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      if (options.keepAliveSeconds() > 0) {
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, options.keepAliveSeconds());
        set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, options.keepAliveSeconds());
        set(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_PROBES);
      }
      return new PlainWire(channel, device, channel.getRemoteAddress());
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static void set(SocketChannel channel, SocketOption<Integer> option, int value)
      throws IOException {
    if (channel.supportedOptions().contains(option)) {
      channel.setOption(option, value);
    }
  }

  @Override
  int write(ByteBuffer buffer) throws IOException {
    return channel.write(buffer);
  }

  @Override
  boolean flush() {
    return true; // what was taken is what the kernel has
  }

  @Override
  int read(ByteBuffer buffer) throws IOException {
    return channel.read(buffer);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
