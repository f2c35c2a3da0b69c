// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * One connection, whom it leads to, and how its bytes travel. Nothing here waits. The buffers are
 * direct, and single ones: a gathering or scattering call on memory with an arena allocates on each
 * use (JDK 25), and the data path must not. Driven by one thread at a time.
 *
 * <p>A class and no interface, so that the compiler binds the calls directly as long as a process
 * uses one kind of connection.
 */
abstract sealed class Wire implements AutoCloseable permits PlainWire, TlsWire {
  private static final int KEEPALIVE_PROBES = 5;

  private final SocketDevice device;
  private final SocketAddress peer;

  Wire(SocketDevice device, SocketAddress peer) {
    this.device = device;
    this.peer = peer;
  }

  /** Takes over a connected channel, which is closed if that fails. */
  static Wire of(SocketChannel channel, SocketDevice device, SocketOptions options)
      throws IOException {
    return PlainWire.of(channel, device, options);
  }

  /**
   * Sets the options of a connected channel, which is closed if that fails.
   *
   * <p>Keep-alive notices a host that has vanished on a connection at rest, so at the latest on the
   * receiving side of a ring. A connection with unacknowledged data is not probed; the kernel
   * repeats the data instead. A bound of the plugin's own would not tell a vanished host from a
   * peer that is busy elsewhere and does not receive for minutes, which is no failure.
   *
   * @return the peer's address
   */
  static SocketAddress prepare(SocketChannel channel, SocketOptions options) throws IOException {
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      if (options.keepAliveSeconds() > 0) {
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, options.keepAliveSeconds());
        set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, options.keepAliveSeconds());
        set(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_PROBES);
      }
      return channel.getRemoteAddress();
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

  /**
   * Takes what there is room for of {@code buffer}, and hands as much as possible to the kernel.
   *
   * @return the number of bytes taken, perhaps 0; less than remained: there is no room for more now
   */
  abstract int write(ByteBuffer buffer) throws IOException;

  /**
   * Hands to the kernel what {@link #write} has taken and still holds.
   *
   * @return whether nothing is held back: the kernel has all that was taken
   */
  abstract boolean flush() throws IOException;

  /** Reads what is there into {@code buffer}; returns the number of bytes, or -1 at the end. */
  abstract int read(ByteBuffer buffer) throws IOException;

  /** Registers the connection with a selector, with no interest yet. */
  abstract SelectionKey register(Selector selector) throws IOException;

  /** Returns the device on this side. */
  final SocketDevice device() {
    return device;
  }

  /** Returns the peer's address for messages. */
  final String peer() {
    return Addresses.text(peer);
  }

  /** Returns the connection for messages: the peer's address and the device here. */
  final String label() {
    return "peer " + peer() + " on " + device.label();
  }

  @Override
  public abstract void close() throws IOException;
}
