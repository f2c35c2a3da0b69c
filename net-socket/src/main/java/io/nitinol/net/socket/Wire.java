// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * One TCP connection and whom it leads to. Reads and writes never wait; the buffers are direct, and
 * single ones: a gathering or scattering call on memory with an arena allocates on each use (JDK
 * 25), and the data path must not.
 */
final class Wire implements AutoCloseable {
  private static final int KEEPALIVE_PROBES = 5;

  private final SocketChannel channel;
  private final SocketDevice device;
  private final SocketAddress peer;

  private Wire(SocketChannel channel, SocketDevice device, SocketAddress peer) {
    this.channel = channel;
    this.device = device;
    this.peer = peer;
  }

  /**
   * Takes over a connected channel, which is closed if that fails.
   *
   * <p>Keep-alive notices a host that has vanished on a connection at rest, so at the latest on the
   * receiving side of a ring. A connection with unacknowledged data is not probed; the kernel
   * repeats the data instead. A bound of the plugin's own would not tell a vanished host from a
   * peer that is busy elsewhere and does not receive for minutes, which is no failure.
   */
  static Wire of(SocketChannel channel, SocketDevice device, SocketOptions options)
      throws IOException {
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      if (options.keepAliveSeconds() > 0) {
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, options.keepAliveSeconds());
        set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, options.keepAliveSeconds());
        set(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_PROBES);
      }
      return new Wire(channel, device, channel.getRemoteAddress());
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

  /** Writes what the kernel takes of {@code buffer}; returns the number of bytes, perhaps 0. */
  int write(ByteBuffer buffer) throws IOException {
    return channel.write(buffer);
  }

  /** Reads what is there into {@code buffer}; returns the number of bytes, or -1 at the end. */
  int read(ByteBuffer buffer) throws IOException {
    return channel.read(buffer);
  }

  /** Returns the device on this side. */
  SocketDevice device() {
    return device;
  }

  /** Returns the connection for messages: the peer's address and the device here. */
  String label() {
    return "peer " + Addresses.text(peer) + " on " + device.label();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
