// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts frames together from what arrives, in pieces of any size. A frame is four bytes length,
 * highest byte first, and as many bytes. A length out of bounds is refused before any memory is
 * taken for it, and a frame's memory grows with the bytes that really came, not with the length
 * that was announced.
 */
@OneThread
public final class FrameReader {
  /** The bytes of the length before a frame. */
  public static final int PREFIX = Integer.BYTES;

  private static final int FIRST_BYTES = 64 << 10;

  private final int most;
  private final ByteBuffer prefix = ByteBuffer.allocate(PREFIX);
  private byte[] frame = new byte[0];
  private int length = -1; // unknown yet
  private int announced;
  private int filled;

  /**
   * Begins with nothing.
   *
   * @param most the longest frame, without its length
   */
  public FrameReader(int most) {
    this.most = most;
  }

  /**
   * Takes bytes from {@code in} until a frame is complete or {@code in} is empty.
   *
   * @param in what has come
   * @return the frame without its length, the caller's; null: more bytes are needed
   * @throws ProtocolException if a length is none
   */
  public byte @Nullable [] read(ByteBuffer in) throws ProtocolException {
    while (length < 0) {
      if (!in.hasRemaining()) {
        return null;
      }
      prefix.put(in.get());
      if (!prefix.hasRemaining()) {
        begin();
      }
    }
    int take = Math.min(in.remaining(), length - filled);
    if (filled + take > frame.length) {
      frame = Arrays.copyOf(frame, Math.min(length, Math.max(filled + take, 2 * frame.length)));
    }
    in.get(frame, filled, take);
    filled += take;
    if (filled < length) {
      return null;
    }
    byte[] complete = frame;
    frame = new byte[0];
    length = -1;
    return complete;
  }

  /**
   * Reads a frame from a channel that is polled, and nothing beyond it. Does not wait where the
   * channel is non-blocking, and allocates nothing while nothing has come.
   *
   * @param from where frames come from
   * @param through what the bytes pass through, of one byte at least; direct memory saves a copy.
   *     Its content is of no use to the caller, and it serves any number of readers
   * @return the frame without its length, the caller's; null: it has not come whole
   * @throws EOFException if the other end has closed the connection
   * @throws ProtocolException if a length is none
   * @throws IOException if the connection has failed
   */
  public byte @Nullable [] read(ReadableByteChannel from, ByteBuffer through) throws IOException {
    while (true) {
      int missing = length < 0 ? prefix.remaining() : length - filled;
      int count = from.read(through.clear().limit(Math.min(through.capacity(), missing)));
      if (count < 0) {
        throw new EOFException("the peer closed the connection");
      }
      if (count == 0) {
        return null;
      }
      byte[] complete = read(through.flip());
      if (complete != null) {
        return complete;
      }
    }
  }

  /**
   * Returns the length that came last, also one that was refused: an owner may know what else
   * begins so.
   *
   * @return the four bytes as they came; 0 before any
   */
  public int announced() {
    return announced;
  }

  private void begin() throws ProtocolException {
    announced = prefix.getInt(0);
    prefix.clear();
    if (announced < 0 || announced > most) {
      throw new ProtocolException(
          ErrorText.of(
              "a frame announces %s bytes, at most %d are allowed",
              Integer.toUnsignedString(announced), most));
    }
    length = announced;
    frame = new byte[Math.min(length, FIRST_BYTES)];
    filled = 0;
  }
}
