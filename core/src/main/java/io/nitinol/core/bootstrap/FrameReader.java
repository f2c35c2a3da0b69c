// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts frames together from what arrives, in pieces of any size. A body's memory grows with the
 * bytes that really came, not with the length that was announced.
 */
final class FrameReader {
  private static final int FIRST_BYTES = 64 << 10;

  private final ByteBuffer header = ByteBuffer.allocate(Frame.HEADER_BYTES);
  private @Nullable FrameType type;
  private int tag;
  private byte[] body = new byte[0];
  private int length;
  private int filled;

  /**
   * Takes bytes from {@code in} until a frame is complete or {@code in} is empty.
   *
   * @return the frame, or null when more bytes are needed
   * @throws IOException when what came is no frame
   */
  @Nullable Frame read(ByteBuffer in) throws IOException {
    while (type == null) {
      if (!in.hasRemaining()) {
        return null;
      }
      header.put(in.get());
      if (!header.hasRemaining()) {
        begin();
      }
    }
    int take = Math.min(in.remaining(), length - filled);
    if (filled + take > body.length) {
      body = Arrays.copyOf(body, Math.min(length, Math.max(filled + take, 2 * body.length)));
    }
    in.get(body, filled, take);
    filled += take;
    if (filled < length) {
      return null;
    }
    Frame frame = new Frame(type, tag, body);
    type = null;
    body = new byte[0];
    return frame;
  }

  private void begin() throws IOException {
    header.flip();
    length = header.getInt();
    int code = header.get();
    tag = header.getInt();
    header.clear();
    if (length < 0 || length > Frame.MAX_BODY_BYTES) {
      throw new IOException(
          "a frame announces "
              + Integer.toUnsignedString(length)
              + " bytes, at most "
              + Frame.MAX_BODY_BYTES
              + " are allowed");
    }
    type = FrameType.ofCode(code);
    if (type == null) {
      throw new IOException("a frame has the unknown type " + code);
    }
    body = new byte[Math.min(length, FIRST_BYTES)];
    filled = 0;
  }
}
