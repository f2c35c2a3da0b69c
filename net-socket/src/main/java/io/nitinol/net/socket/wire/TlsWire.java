// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import io.nitinol.net.socket.tls.LargeBuffers;
import io.nitinol.net.socket.tls.TlsBinding;
import io.nitinol.net.socket.tls.TlsChannel;
import io.nitinol.net.socket.tls.TlsContext;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof.Role;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A TCP connection whose bytes travel encrypted, from the connecting side to the accepting one. It
 * can be used once {@link #handshake} is complete.
 */
public final class TlsWire extends Wire {
  /** Two buffers of this size hold the data of a connection at rest or with small messages. */
  private static final int SMALL = 1 << 10;

  /**
   * A hundred microseconds of encryption, or ten milliseconds as long as the JVM has not compiled
   * it.
   */
  private static final int BYTES_PER_CALL = 256 << 10;

  private static final BufferPool OWN = new BufferPool(2 * SMALL);
  private static final LargeBuffers LENT = new Lender();

  private final TlsChannel channel;
  private final ByteBuffer own;
  private boolean closed;

  private TlsWire(String device, SocketAddress peer, TlsChannel channel, ByteBuffer own) {
    super(device, peer);
    this.channel = channel;
    this.own = own;
  }

  /**
   * Takes over a prepared channel, which is closed if that fails.
   *
   * @param side this side
   */
  static TlsWire over(
      SocketChannel channel,
      String device,
      SocketAddress peer,
      TlsContext context,
      Role side,
      TlsBinding binding)
      throws IOException {
    ByteBuffer own = OWN.take();
    try {
      return new TlsWire(
          device, peer, new TlsChannel(channel, context, side, binding, own, LENT), own);
    } catch (RuntimeException | Error e) {
      OWN.give(own);
      channel.close();
      throw e;
    }
  }

  /**
   * Continues the handshake as far as that is possible without waiting.
   *
   * @return whether it is complete: both sides have accepted each other
   */
  public boolean handshake() throws IOException {
    return channel.handshake();
  }

  @Override
  public int write(ByteBuffer buffer) throws IOException {
    return channel.write(buffer);
  }

  @Override
  public int bytesPerCall() {
    return BYTES_PER_CALL;
  }

  @Override
  public boolean flush() throws IOException {
    return channel.flush();
  }

  @Override
  public int read(ByteBuffer buffer) throws IOException {
    checkBehind();
    return channel.read(buffer);
  }

  /** Does nothing: before a thread waits for the kernel it must have had all that is held here. */
  @Override
  public void backOff(long bytes) {}

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    channel.close();
    // Not where the close failed; and no thread uses them now: the channel locks its calls.
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
            ErrorText.of(
                "no direct memory for %d bytes of encrypted data (-XX:MaxDirectMemorySize): %s",
                TlsChannel.bufferSize(RECORDS), e.getMessage()),
            e);
      }
    }

    @Override
    public void give(ByteBuffer buffer) {
      pool.give(buffer);
    }
  }
}
