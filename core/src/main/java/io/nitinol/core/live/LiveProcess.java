// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.live;

import io.nitinol.core.shm.ProcessName;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A process of this user that can be asked where its communicators stand.
 *
 * @param socket where it is asked
 * @param name which process
 * @param number the process's, which the ranks of its communicators know
 */
@AnyThread
public record LiveProcess(Path socket, ProcessName name, long number) {
  private static final int MOST_BYTES = 64 << 20;
  private static final int CHUNK_BYTES = 1 << 16;

  /**
   * Asks the process, and waits for as long as it takes; an interrupt ends the wait.
   *
   * @param request one of {@link LiveRequest}
   * @return the answer, a JSON document
   * @throws IOException when there is none
   */
  public byte[] ask(LiveRequest request) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      ByteBuffer line = ByteBuffer.wrap(request.line().getBytes(StandardCharsets.US_ASCII));
      while (line.hasRemaining()) {
        channel.write(line);
      }
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      ByteBuffer part = ByteBuffer.allocate(CHUNK_BYTES);
      while (channel.read(part) >= 0) {
        answer.write(part.array(), 0, part.position());
        part.clear();
        if (answer.size() > MOST_BYTES) {
          throw new IOException(ErrorText.of("its answer has more than %d bytes", MOST_BYTES));
        }
      }
      return answer.toByteArray();
    }
  }
}
