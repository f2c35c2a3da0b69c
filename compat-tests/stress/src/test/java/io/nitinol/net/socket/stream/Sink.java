// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** A channel that takes everything, keeps the header of the last chunk and counts chunks. */
final class Sink extends SocketChannel {
  long message = -1;
  long offset = -1;
  int length = -1;
  int count;

  /** Whether each chunk was of the message behind the last one's. */
  boolean inOrder = true;

  Sink() {
    super(null);
  }

  @Override
  public int write(ByteBuffer from) {
    int taken = from.remaining();
    if (from.position() == 0 && taken >= ChunkHeader.HEADER) {
      inOrder &= ChunkHeader.message(from) == message + 1;
      count++;
      message = ChunkHeader.message(from);
      offset = ChunkHeader.offset(from);
      length = ChunkHeader.length(from);
    }
    from.position(from.limit());
    return taken;
  }

  @Override
  public SocketAddress getLocalAddress() {
    return null;
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return Set.of();
  }

  @Override
  public SocketChannel bind(SocketAddress local) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> SocketChannel setOption(SocketOption<T> name, T value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> T getOption(SocketOption<T> name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public SocketChannel shutdownInput() {
    throw new UnsupportedOperationException();
  }

  @Override
  public SocketChannel shutdownOutput() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket socket() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public boolean isConnectionPending() {
    return false;
  }

  @Override
  public boolean connect(SocketAddress remote) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean finishConnect() {
    throw new UnsupportedOperationException();
  }

  @Override
  public SocketAddress getRemoteAddress() {
    return null;
  }

  @Override
  public int read(ByteBuffer into) {
    return 0;
  }

  @Override
  public long read(ByteBuffer[] into, int from, int count) {
    return 0;
  }

  @Override
  public long write(ByteBuffer[] from, int first, int count) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected void implCloseSelectableChannel() {}

  @Override
  protected void implConfigureBlocking(boolean block) {}
}
