// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The TCP connection by which a comm came about, kept open to notice the end of the peer: RDMA
 * itself is silent to who waits, and to who sends it takes the retries of {@code NCCL_IB_TIMEOUT}
 * and {@code NCCL_IB_RETRY_CNT}. Nothing is said on it any more. Used by one thread at a time.
 */
final class Lifeline {
  private final SocketChannel channel;
  private final ByteBuffer heard = ByteBuffer.allocateDirect(1);

  /** Takes over the connection; non-blocking. */
  Lifeline(SocketChannel channel) {
    this.channel = channel;
  }

  /** Returns why the peer is gone, or null while it is there. */
  @Nullable String look() {
    try {
      int came = channel.read(heard.clear());
      return came == 0
          ? null
          : came < 0 ? "it has closed the connection" : "it sent something behind its ready word";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  void close() throws IOException {
    channel.close();
  }
}
