// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What the two sides say to each other on their TCP connection, in frames: magic number, version,
 * kind and length, 4, 2, 2 and 4 bytes, and the body. Never reads beyond a frame. No call waits.
 */
final class Frames {
  /** What a frame is about. */
  enum Kind {
    /** An {@link EndInfo}. */
    INFO,
    /** Why there will be no connection: 2 bytes of a result code, and UTF-8 text. */
    REFUSAL,
    /** This side can be written to. */
    READY
  }

  /** A frame that has come. */
  record Frame(Kind kind, ByteBuffer body) {}

  private static final int MAGIC = 0x4e54_4942; // "NTIB"
  private static final short VERSION = 1;
  private static final int HEADER = 12;
  private static final int MOST_TEXT = 1000;
  private static final int MOST_BODY = Math.max(EndInfo.MOST_BYTES, 2 + MOST_TEXT);
  private static final Kind[] KINDS = Kind.values();

  private final SocketChannel channel;
  private final ByteBuffer header = ByteBuffer.allocate(HEADER);
  private @Nullable ByteBuffer body;
  private ByteBuffer toSay = ByteBuffer.allocate(0);

  /** Begins with nothing said or heard. */
  Frames(SocketChannel channel) {
    this.channel = channel;
  }

  /** Gives a frame to {@link #said}; the one before has been said. */
  void say(Kind kind, ByteBuffer content) {
    toSay =
        ByteBuffer.allocate(HEADER + content.remaining())
            .putInt(MAGIC)
            .putShort(VERSION)
            .putShort((short) kind.ordinal())
            .putInt(content.remaining())
            .put(content)
            .flip();
  }

  /** Says what there is to say; returns whether all of it has been said. */
  boolean said() throws IOException {
    if (toSay.hasRemaining()) {
      channel.write(toSay);
    }
    return !toSay.hasRemaining();
  }

  /** Says why there will be no connection, if the kernel takes it at once. */
  void refuse(int code, String why) throws IOException {
    byte[] text = why.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, MOST_TEXT);
    if (said()) {
      say(
          Kind.REFUSAL,
          ByteBuffer.allocate(2 + length).putShort((short) code).put(text, 0, length).flip());
      said();
    }
  }

  /**
   * Returns the next frame, or null: it has not come whole.
   *
   * @throws MetadataException for what is no frame
   * @throws IOException when the connection has failed or ended
   */
  @Nullable Frame hear() throws IOException, MetadataException {
    ByteBuffer content = body;
    if (content == null) {
      if (!fill(header)) {
        return null;
      }
      content = ByteBuffer.allocate(checkedLength());
      body = content;
    }
    if (!fill(content)) {
      return null;
    }
    Kind kind = KINDS[header.getShort(6)];
    header.clear();
    body = null;
    return new Frame(kind, content.flip());
  }

  private boolean fill(ByteBuffer into) throws IOException {
    if (into.hasRemaining() && channel.read(into) < 0) {
      throw new EOFException("the peer closed the connection");
    }
    return !into.hasRemaining();
  }

  private int checkedLength() throws MetadataException {
    int version = header.getShort(4);
    int kind = header.getShort(6);
    int length = header.getInt(8);
    if (header.getInt(0) != MAGIC) {
      throw new MetadataException(
          "a frame that begins with 0x" + Integer.toHexString(header.getInt(0)));
    }
    if (version != VERSION) {
      throw new MetadataException(
          "version " + version + " of the exchange, this plugin speaks " + VERSION);
    }
    if (kind < 0 || kind >= KINDS.length || length < 0 || length > MOST_BODY) {
      throw new MetadataException("a frame of kind " + kind + " with " + length + " bytes");
    }
    return length;
  }
}
