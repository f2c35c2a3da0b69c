// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose other end is a test: it decides which bytes have arrived, how many of them one
 * read gets, and how it ends. No kernel takes part, so there are millions of them in a minute.
 */
public final class MemoryChannel extends SocketChannel {
  private static final SocketAddress PEER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);

  private final AtomicLong open;
  private byte[] bytes = new byte[0];
  private int length;
  private int arrived;
  private int taken;
  private int mostPerRead = Integer.MAX_VALUE;
  private boolean over;
  private boolean reset;
  private boolean forgets;
  private @Nullable RuntimeException fault;
  private byte[] heard = new byte[0];

  /**
   * Creates a connection on which nothing has arrived.
   *
   * @param open counts the connections that are open
   */
  public MemoryChannel(AtomicLong open) {
    super(SelectorProvider.provider());
    this.open = open;
    open.getAndIncrement();
  }

  /** Sends {@code count} bytes, which have not arrived yet; the array stays as it is until then. */
  public void send(byte[] from, int count) {
    if (arrived < length) {
      throw new IllegalStateException("what was sent before is still on its way");
    }
    bytes = from;
    length = count;
    arrived = 0;
    taken = 0;
  }

  /** Lets {@code count} more bytes arrive, or as many as there are. */
  public void arrive(int count) {
    arrived = (int) Math.min(length, (long) arrived + count);
  }

  public boolean hasArrived() {
    return arrived == length;
  }

  /** Limits what one read gets. */
  public void limitReads(int most) {
    mostPerRead = most;
  }

  /** Ends it behind what was sent: with an end of the stream or, like a reset, an error. */
  public void finish(boolean abruptly) {
    over = true;
    reset = abruptly;
  }

  /**
   * Resets it behind what was sent, and tells that once, as a kernel does: then there is an end.
   */
  public void resetOnce() {
    finish(true);
    forgets = true;
  }

  /** Lets every later read fail in a way in which none should. */
  public void breakWith(RuntimeException unheardOf) {
    fault = unheardOf;
  }

  /** Returns how many of the bytes sent last have been read. */
  public int taken() {
    return taken;
  }

  /** Returns what was sent last. */
  public byte[] sent() {
    return Arrays.copyOf(bytes, length);
  }

  /** Returns everything that was written to it. */
  public byte[] heard() {
    return heard;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
    if (fault != null) {
      throw fault;
    }
    int count = Math.min(Math.min(into.remaining(), mostPerRead), arrived - taken);
    if (count > 0) {
      into.put(bytes, taken, count);
      taken += count;
      return count;
    }
    if (over && taken == length && into.hasRemaining()) {
      if (reset) {
        reset = !forgets;
        throw new IOException("Connection reset");
      }
      return -1;
    }
    return 0;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
    if (over && reset) {
      throw new IOException("Broken pipe");
    }
    int count = from.remaining();
    heard = Arrays.copyOf(heard, heard.length + count);
    from.get(heard, heard.length - count, count);
    return count;
  }

  @Override
  protected void implCloseSelectableChannel() {
    open.getAndDecrement();
  }

  @Override
  protected void implConfigureBlocking(boolean block) {}

  @Override
  public SocketAddress getRemoteAddress() {
    return PEER;
  }

  @Override
  public SocketAddress getLocalAddress() {
    return PEER;
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public <T> SocketChannel setOption(SocketOption<T> name, T value) {
    return this;
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return Set.of();
  }

  @Override
  public <T> @Nullable T getOption(SocketOption<T> name) {
    return null;
  }

  private static UnsupportedOperationException unused() {
    return new UnsupportedOperationException("the plugin has no use for this");
  }

  @Override
  public long read(ByteBuffer[] into, int offset, int count) {
    throw unused();
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int count) {
    throw unused();
  }

  @Override
  public SocketChannel bind(@Nullable SocketAddress local) {
    throw unused();
  }

  @Override
  public SocketChannel shutdownInput() {
    throw unused();
  }

  @Override
  public SocketChannel shutdownOutput() {
    throw unused();
  }

  @Override
  public Socket socket() {
    throw unused();
  }

  @Override
  public boolean isConnectionPending() {
    return false;
  }

  @Override
  public boolean connect(SocketAddress remote) {
    throw unused();
  }

  @Override
  public boolean finishConnect() {
    return true;
  }
}
