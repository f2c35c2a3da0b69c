// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.live;

import io.nitinol.toolkit.thread.OnlyThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One client of a {@link LiveServer}: reads its line, writes the answer, and closes. */
@OnlyThread("nitinol-top")
final class LiveConversation {
  private static final String UNKNOWN =
      "{\"format\":\"nitinol-top\",\"version\":1,\"error\":\"this process knows no such request\"}\n";

  private static final int PIECE_BYTES = 64 << 10;

  private final SocketChannel channel;
  private long moved = System.nanoTime();
  private final ByteBuffer line = ByteBuffer.allocate(LiveRequest.MOST_BYTES);
  private @Nullable ByteBuffer answer;

  private LiveConversation(SocketChannel channel) {
    this.channel = channel;
  }

  /** Takes a connection over, whose events {@code selector} tells from now on. */
  static LiveConversation begin(SocketChannel channel, Selector selector) throws IOException {
    LiveConversation made = new LiveConversation(channel);
    try {
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, made);
      return made;
    } catch (IOException | RuntimeException e) { // the selector may be closed meanwhile
      channel.close();
      throw e;
    }
  }

  /** Returns when the client last sent or took something, by {@link System#nanoTime}. */
  long moved() {
    return moved;
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /** Reads or writes what can be without a wait. */
  void goOn(SelectionKey key, Function<LiveRequest, String> answers) {
    try {
      ByteBuffer out = answer == null ? read(key, answers) : answer;
      if (out != null) {
        write(out);
        if (!out.hasRemaining()) {
          channel.close();
        }
      }
    } catch (IOException e) {
      close(); // the client has left
    }
  }

  /** Writes in pieces: for each write the JDK copies all of a buffer to memory that it keeps. */
  private void write(ByteBuffer out) throws IOException {
    int end = out.limit();
    int written;
    do {
      out.limit(Math.min(end, out.position() + PIECE_BYTES));
      written = channel.write(out);
      moved = written > 0 ? System.nanoTime() : moved;
      out.limit(end);
    } while (written == PIECE_BYTES);
  }

  /** Returns the answer once the line is whole. */
  private @Nullable ByteBuffer read(SelectionKey key, Function<LiveRequest, String> answers)
      throws IOException {
    int got = channel.read(line);
    int length = line.position();
    boolean whole = length > 0 && line.get(length - 1) == '\n';
    if (!whole) {
      if (got < 0 || !line.hasRemaining()) {
        channel.close();
      }
      return null;
    }
    LiveRequest request =
        LiveRequest.of(new String(line.array(), 0, length, StandardCharsets.US_ASCII));
    String text = request == null ? UNKNOWN : answers.apply(request);
    ByteBuffer made = ByteBuffer.wrap(oneLine(text).getBytes(StandardCharsets.UTF_8));
    moved = System.nanoTime(); // the time that the answer took is not the client's
    answer = made;
    key.interestOps(SelectionKey.OP_WRITE);
    return made;
  }

  /**
   * Returns a document in one line, whose end is that of the answer: one that was cut anywhere has
   * none. A JSON document has line breaks between its tokens alone.
   */
  private static String oneLine(String text) {
    return text.replace('\n', ' ').stripTrailing() + "\n";
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // it is closed all the same
    }
  }
}
