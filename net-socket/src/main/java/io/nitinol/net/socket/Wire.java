// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One connection, whom it leads to, and how its bytes travel. Nothing here waits. The buffers are
 * direct, and single ones: a gathering or scattering call on memory with an arena allocates on each
 * use (JDK 25), and the data path must not. Driven by one thread at a time.
 *
 * <p>A class and no interface, so that the compiler binds the calls directly as long as a process
 * uses one kind of connection.
 */
abstract sealed class Wire implements AutoCloseable permits PlainWire {
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

  /** Returns the device on this side. */
  final SocketDevice device() {
    return device;
  }

  /** Returns the connection for messages: the peer's address and the device here. */
  final String label() {
    return "peer " + Addresses.text(peer) + " on " + device.label();
  }

  @Override
  public abstract void close() throws IOException;
}
