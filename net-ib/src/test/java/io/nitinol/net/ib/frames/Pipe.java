// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.frames;

import io.nitinol.toolkit.control.ProvenFrames;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Two ends of a TCP connection, or of two with somebody in between. */
public final class Pipe implements Closeable {
  private static final byte[] FORTH = {1, 2, 3};
  private static final byte[] BACK = {4, 5, 6};

  /** The connecting side, non-blocking. */
  public final SocketChannel near;

  /** The accepting side, blocking. */
  public final SocketChannel far;

  /** Connects. */
  public Pipe() throws IOException {
    try (ServerSocketChannel server =
        ServerSocketChannel.open()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      near = SocketChannel.open(server.getLocalAddress());
      far = server.accept();
    }
    near.configureBlocking(false);
  }

  /** {@return what the near side says and hears} */
  public ProvenFrames<IbFrameKind> nearFrames() {
    return new ProvenFrames<>(IbFrameKind.FORMAT, near, FORTH, BACK);
  }

  /** {@return what is said and heard on another connection} */
  public static ProvenFrames<IbFrameKind> frames(ByteChannel channel) {
    return new ProvenFrames<>(IbFrameKind.FORMAT, channel, FORTH, BACK);
  }

  /** {@return what the far side says and hears} */
  public ProvenFrames<IbFrameKind> farFrames() {
    return new ProvenFrames<>(IbFrameKind.FORMAT, far, BACK, FORTH);
  }

  /** Returns the next bytes that have come to the far side. */
  ByteBuffer taken(int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    while (bytes.hasRemaining() && far.read(bytes) >= 0) {}
    return bytes.flip();
  }

  @Override
  public void close() throws IOException {
    near.close();
    far.close();
  }
}
