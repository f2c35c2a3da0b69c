// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.tls.TlsChannel;
import io.nitinol.net.socket.tls.TlsContext;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * A TCP connection whose bytes travel encrypted, from the connecting side to the accepting one. It
 * can be used once {@link #handshake} is complete.
 */
final class TlsWire extends Wire {
  // So many records leave or come with one system call in the direction of the data; the other
  // direction only has a handshake.
  private static final BufferPool MANY = new BufferPool(TlsChannel.bufferSize(8));
  private static final BufferPool FEW = new BufferPool(TlsChannel.bufferSize(2));

  private final SocketChannel socket;
  private final TlsChannel channel;
  private final ByteBuffer many;
  private final ByteBuffer few;
  private boolean closed;

  private TlsWire(
      SocketDevice device,
      SocketAddress peer,
      SocketChannel socket,
      TlsChannel channel,
      ByteBuffer many,
      ByteBuffer few) {
    super(device, peer);
    this.socket = socket;
    this.channel = channel;
    this.many = many;
    this.few = few;
  }

  /** Takes over a connected channel as the side that connects; it is closed if that fails. */
  static TlsWire connecting(
      SocketChannel channel, SocketDevice device, SocketOptions options, TlsContext context)
      throws IOException {
    SocketAddress peer = prepare(channel, options);
    ByteBuffer many = MANY.take();
    ByteBuffer few = FEW.take();
    return new TlsWire(
        device, peer, channel, TlsChannel.connecting(channel, context, few, many), many, few);
  }

  /** Takes over a connected channel as the side that accepts; it is closed if that fails. */
  static TlsWire accepting(
      SocketChannel channel, SocketDevice device, SocketOptions options, TlsContext context)
      throws IOException {
    SocketAddress peer = prepare(channel, options);
    ByteBuffer many = MANY.take();
    ByteBuffer few = FEW.take();
    return new TlsWire(
        device, peer, channel, TlsChannel.accepting(channel, context, many, few), many, few);
  }

  /**
   * Goes on with the handshake as far as that is possible without waiting.
   *
   * @return whether it is complete: both sides have accepted each other
   */
  boolean handshake() throws IOException {
    return channel.handshake();
  }

  @Override
  int write(ByteBuffer buffer) throws IOException {
    return channel.write(buffer);
  }

  @Override
  boolean flush() throws IOException {
    return channel.flush();
  }

  @Override
  int read(ByteBuffer buffer) throws IOException {
    return channel.read(buffer);
  }

  @Override
  SelectionKey register(Selector selector) throws IOException {
    return socket.register(selector, 0);
  }

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    channel.close();
    // Not where the close failed; and nobody uses them now: the channel locks its calls.
    MANY.give(many);
    FEW.give(few);
  }
}
