// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A TCP connection whose bytes travel as they are. */
final class PlainWire extends Wire {
  private final SocketChannel channel;

  private PlainWire(SocketChannel channel, SocketDevice device, SocketAddress peer) {
    super(device, peer);
    this.channel = channel;
  }

  /** Takes over a connected channel, which is closed if that fails. */
  static PlainWire of(SocketChannel channel, SocketDevice device, SocketOptions options)
      throws IOException {
    return new PlainWire(channel, device, prepare(channel, options));
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
  SelectionKey register(Selector selector) throws IOException {
    return channel.register(selector, 0);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
