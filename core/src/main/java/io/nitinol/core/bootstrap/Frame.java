// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.control.FrameReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A message of the bootstrap, as it is sent over a link once both ends have proven themselves: the
 * length of the rest (four bytes), the type (one byte), the tag (four bytes), the body.
 */
final class Frame {
  /** Bytes before the body. */
  static final int HEADER_BYTES = 9;

  /** The shortest frame without its length, which has no body. */
  static final int HEAD_BYTES = HEADER_BYTES - FrameReader.PREFIX;

  /** The longest body. */
  static final int MAX_BODY_BYTES = 16 << 20;

  /** The longest frame without its length. */
  static final int MAX_BYTES = HEAD_BYTES + MAX_BODY_BYTES;

  /** The longest text that is sent or believed. */
  private static final int MAX_TEXT_BYTES = 4096;

  private final FrameType type;
  private final int tag;
  private final byte[] body;

  /**
   * Makes a frame.
   *
   * @param tag the caller's tag, or the value that {@link FrameType} describes
   * @param body not copied, and not to be changed any more
   */
  Frame(FrameType type, int tag, byte[] body) {
    this.type = type;
    this.tag = tag;
    this.body = body;
  }

  FrameType type() {
    return type;
  }

  int tag() {
    return tag;
  }

  /** Returns the body itself, not a copy. */
  byte[] body() {
    return body;
  }

  /** Makes a frame whose body is text, cut where it is too long. */
  static Frame ofText(FrameType type, int tag, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Frame(
        type, tag, bytes.length <= MAX_TEXT_BYTES ? bytes : Arrays.copyOf(bytes, MAX_TEXT_BYTES));
  }

  /** Returns the body as human-readable text: cut if too long, without control characters. */
  String text() {
    String text =
        new String(body, 0, Math.min(body.length, MAX_TEXT_BYTES), StandardCharsets.UTF_8);
    return text.replaceAll("\\p{Cc}+", " ").strip();
  }

  /** Returns the frame as it is sent, with a copy of the body. */
  ByteBuffer encode() {
    return ByteBuffer.allocate(HEADER_BYTES + body.length)
        .putInt(HEAD_BYTES + body.length)
        .put((byte) type.ordinal())
        .putInt(tag)
        .put(body)
        .flip();
  }

  /**
   * Reads a frame that {@link #encode} wrote, without its length.
   *
   * @throws IOException when it is no frame
   */
  static Frame decode(byte[] frame) throws IOException {
    if (frame.length < HEAD_BYTES) {
      throw new IOException(ErrorText.of("a frame has %d bytes", frame.length));
    }
    FrameType type = FrameType.ofCode(frame[0]);
    if (type == null) {
      throw new IOException(ErrorText.of("a frame has the unknown type %d", frame[0]));
    }
    int tag = ByteBuffer.wrap(frame).getInt(1);
    return new Frame(type, tag, Arrays.copyOfRange(frame, HEAD_BYTES, frame.length));
  }

  /** Returns whether an encoded frame goes to a waiting call and is therefore counted. */
  static boolean isMessage(ByteBuffer encoded) {
    FrameType type = FrameType.ofCode(encoded.get(FrameReader.PREFIX));
    return type != null && type.isMessage();
  }
}
