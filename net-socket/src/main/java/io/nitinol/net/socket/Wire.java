// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.toolkit.Addresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * One connection, whom it leads to, and how its bytes travel. Nothing here waits or allocates.
 * Buffers are direct. Driven by one thread at a time.
 *
 * <p>A class and no interface, so that the compiler binds the calls directly as long as a process
 * uses one kind of connection.
 */
abstract sealed class Wire implements AutoCloseable permits NativeWire, PlainWire, TlsWire {
  private static final int KEEPALIVE_PROBES = 5;

  private final SocketDevice device;
  private final SocketAddress peer;

  private final SocketBackoff lull = new SocketBackoff();

  Wire(SocketDevice device, SocketAddress peer) {
    this.device = device;
    this.peer = peer;
  }

  /** Takes over a connected channel, which is closed if that fails. */
  static Wire of(SocketChannel channel, SocketDevice device, SocketOptions options)
      throws IOException {
    SocketAddress peer = prepare(channel, device, options);
    @Nullable NativeSocket socket = null;
    try {
      socket = device.plugin().natives().socket(channel);
      return socket == null
          ? new PlainWire(channel, device, peer)
          : new NativeWire(channel, socket, device, peer);
    } catch (IOException | RuntimeException | Error e) {
      if (socket != null) {
        socket.close();
      }
      channel.close();
      throw e;
    }
  }

  /**
   * Sets the options of a connected channel, which is closed if that fails.
   *
   * <p>Keep-alive notices a host that has vanished on a connection at rest, so at the latest on the
   * receiving side of a ring. A connection with unacknowledged data is not probed; the kernel
   * repeats the data instead. A bound of the plugin's own, as {@link
   * SocketVariables#USER_TIMEOUT_MSEC} sets one, does not tell a vanished host from a peer that is
   * busy elsewhere and does not receive for minutes, which is no failure.
   *
   * @return the peer's address
   */
  static SocketAddress prepare(SocketChannel channel, SocketDevice device, SocketOptions options)
      throws IOException {
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      if (options.keepAliveSeconds() > 0) {
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, options.keepAliveSeconds());
        set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, options.keepAliveSeconds());
        set(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_PROBES);
      }
      if (options.userTimeoutMillis() > 0) {
        device.plugin().natives().userTimeout(channel, options.userTimeoutMillis());
      }
      return channel.getRemoteAddress();
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Returns whether a connection between two addresses does not leave the host. */
  static boolean isInsideHost(@Nullable SocketAddress own, @Nullable SocketAddress peer) {
    return own instanceof InetSocketAddress from
        && peer instanceof InetSocketAddress to
        && from.getAddress().equals(to.getAddress());
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
   * Writes what remains of {@code head}, and behind it a piece of registered memory; otherwise as
   * {@link #write(ByteBuffer)}.
   *
   * @param head perhaps empty; its position goes on by what has been taken of it
   * @param memory live memory of the comm
   * @param lane which buffers of the memory are this connection's; see {@link SocketMemory}
   * @return the number of bytes taken, of the head and the memory together
   */
  int write(ByteBuffer head, SocketMemory memory, int lane, long offset, int length)
      throws IOException {
    int taken = head.hasRemaining() ? write(head) : 0;
    return head.hasRemaining() ? taken : taken + write(memory.window(lane, offset, length));
  }

  /**
   * Returns whether the head of a message is best handed to {@link #write(ByteBuffer, SocketMemory,
   * int, long, int)} together with its memory. It costs a call and perhaps a packet otherwise.
   */
  boolean isGathering() {
    return false;
  }

  /**
   * Hands to the kernel what {@link #write} has taken and still holds.
   *
   * @return whether nothing is held back: the kernel has all that was taken
   */
  abstract boolean flush() throws IOException;

  /** Reads what is there into {@code buffer}; returns the number of bytes, or -1 at the end. */
  abstract int read(ByteBuffer buffer) throws IOException;

  /**
   * Reads what is there into a piece of registered memory and, once that is full, into {@code
   * ahead}; the rest as for writing.
   *
   * @param ahead perhaps full; its position goes on by what has come into it
   * @return the number of bytes of both together, or -1 at the end
   */
  int read(SocketMemory memory, int lane, long offset, int length, ByteBuffer ahead)
      throws IOException {
    int came = read(memory.window(lane, offset, length));
    // An end behind the payload is found again by the next read.
    return came < length || !ahead.hasRemaining() ? came : came + Math.max(0, read(ahead));
  }

  /**
   * Leaves the connection alone for a moment, since the kernel had no more to give or no room.
   *
   * @param bytes what is still to be moved of the message at hand
   */
  void rest(long bytes) {
    lull.begin(bytes);
  }

  /** Returns whether the connection is still to be left alone: nothing is to be asked of it. */
  final boolean rests() {
    return lull.lasts();
  }

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

  /** Closes the connection where a thread may still be using it. */
  void abandon() throws IOException {
    close();
  }

  /** Closes the connection, which nobody is using. */
  @Override
  public abstract void close() throws IOException;
}
