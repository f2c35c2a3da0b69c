// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.live;

import io.nitinol.core.shm.ProcessName;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
  private static final int MOST_TRIES = 10;

  /**
   * Asks the process, and waits for as long as it takes; an interrupt ends the wait.
   *
   * @param request one of {@link LiveRequest}
   * @return the answer, a JSON document in one line, and the end of that line
   * @throws ConnectException when the process has ended, or has closed its last communicator
   * @throws IOException when there is no answer for another reason
   */
  public byte[] ask(LiveRequest request) throws IOException {
    for (int tries = 1; ; tries++) {
      try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
        byte[] answer = connect(channel, tries) ? ask(channel, request) : new byte[0];
        if (answer.length > 0 && answer[answer.length - 1] == '\n') {
          return answer;
        }
        // It closes its socket, which the next try finds, or this client was the oldest of many.
        if (tries == MOST_TRIES) {
          throw new IOException(
              ErrorText.of(
                  "it has cut off its answer %d times, as where too many ask it", MOST_TRIES));
        }
      }
    }
  }

  /** Returns false where the socket was not there and is again. */
  private boolean connect(SocketChannel channel, int tries) throws IOException {
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
      return true;
    } catch (ConnectException e) {
      throw e;
    } catch (SocketException e) { // so the JDK tells of a socket that has no name any more
      if (Files.exists(socket)) {
        if (tries == MOST_TRIES) {
          throw e;
        }
        return false;
      }
      ConnectException closed = new ConnectException("it has closed its socket");
      closed.initCause(e);
      throw closed;
    }
  }

  /** Returns what came before the end of the connection, however that came. */
  private static byte[] ask(SocketChannel channel, LiveRequest request) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    try {
      ByteBuffer line = ByteBuffer.wrap(request.line().getBytes(StandardCharsets.US_ASCII));
      while (line.hasRemaining()) {
        channel.write(line);
      }
      ByteBuffer part = ByteBuffer.allocate(CHUNK_BYTES);
      while (channel.read(part) >= 0) {
        answer.write(part.array(), 0, part.position());
        part.clear();
        if (answer.size() > MOST_BYTES) {
          break;
        }
      }
    } catch (ClosedChannelException e) {
      throw e; // by an interrupt
    } catch (IOException e) {
      return new byte[0]; // a reset, or a broken pipe
    }
    if (answer.size() > MOST_BYTES) {
      throw new IOException(ErrorText.of("its answer has more than %d bytes", MOST_BYTES));
    }
    return answer.toByteArray();
  }
}
