// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The TCP connection by which a comm came about, kept open to notice the end of the peer: RDMA
 * itself is silent to who waits, and to who sends it takes the retries of {@code NCCL_IB_TIMEOUT}
 * and {@code NCCL_IB_RETRY_CNT}. All that is said on it any more is why a side has failed, as text.
 * Used by one thread at a time.
 */
final class Lifeline {
  private static final int MOST_TEXT = 1000;

  private final SocketChannel channel;
  private final ByteBuffer heard = ByteBuffer.allocateDirect(MOST_TEXT);

  /** Takes over the connection; non-blocking. */
  Lifeline(SocketChannel channel) {
    this.channel = channel;
  }

  /** Returns why the peer is gone, or null while it is there. */
  @Nullable String look() {
    String end = null;
    try {
      if (heard.hasRemaining() && channel.read(heard) < 0) {
        end = "it has closed the connection";
      }
    } catch (IOException e) {
      end = String.valueOf(e.getMessage());
    }
    return heard.position() == 0 ? end : "it says: " + lastWords();
  }

  /** What a peer says goes to logs and messages. */
  private String lastWords() {
    StringBuilder text = new StringBuilder();
    for (char each :
        StandardCharsets.UTF_8.decode(heard.duplicate().flip()).toString().toCharArray()) {
      text.append(Character.isISOControl(each) ? '?' : each);
    }
    return text.toString();
  }

  /** Says why this side has failed, as far as the kernel takes it at once, and closes. */
  void close(String why) throws IOException {
    byte[] text = why.getBytes(StandardCharsets.UTF_8);
    try (channel) {
      channel.write(ByteBuffer.wrap(text, 0, Math.min(text.length, MOST_TEXT)));
    }
  }

  void close() throws IOException {
    channel.close();
  }
}
