// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.tls.LargeBuffers;
import io.nitinol.net.socket.tls.TlsBinding;
import io.nitinol.net.socket.tls.TlsChannel;
import io.nitinol.net.socket.tls.TlsContext;
import io.nitinol.toolkit.PeerProof.Role;
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
  /** Two buffers of this size hold what moves of a connection at rest or with small messages. */
  private static final int SMALL = 1 << 10;

  private static final BufferPool OWN = new BufferPool(2 * SMALL);
  private static final LargeBuffers LENT = new Lender();

  private final SocketChannel socket;
  private final TlsChannel channel;
  private final ByteBuffer own;
  private boolean closed;

  private TlsWire(
      SocketDevice device,
      SocketAddress peer,
      SocketChannel socket,
      TlsChannel channel,
      ByteBuffer own) {
    super(device, peer);
    this.socket = socket;
    this.channel = channel;
    this.own = own;
  }

  /**
   * Takes over a connected channel, which is closed if that fails.
   *
   * @param side this side
   */
  static TlsWire over(
      SocketChannel channel,
      SocketDevice device,
      SocketOptions options,
      TlsContext context,
      Role side,
      TlsBinding binding)
      throws IOException {
    SocketAddress peer = prepare(channel, device, options);
    ByteBuffer own = OWN.take();
    try {
      return new TlsWire(
          device, peer, channel, new TlsChannel(channel, context, side, binding, own, LENT), own);
    } catch (RuntimeException | Error e) {
      OWN.give(own);
      channel.close();
      throw e;
    }
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

  /** Asks again at once: a thread that waits for the kernel must have had all that is held here. */
  @Override
  void rest(long bytes) {}

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
    OWN.give(own);
  }

  /** Lends for all connections of the process. */
  private static final class Lender implements LargeBuffers {
    // So many records leave or come with one system call.
    private static final int RECORDS = 8;

    private final BufferPool pool = new BufferPool(TlsChannel.bufferSize(RECORDS));

    @Override
    public ByteBuffer take() throws IOException {
      try {
        return pool.take();
      } catch (OutOfMemoryError e) {
        throw new IOException(
            "no direct memory for "
                + TlsChannel.bufferSize(RECORDS)
                + " bytes of encrypted data (-XX:MaxDirectMemorySize): "
                + e.getMessage(),
            e);
      }
    }

    @Override
    public void give(ByteBuffer buffer) {
      pool.give(buffer);
    }
  }
}
