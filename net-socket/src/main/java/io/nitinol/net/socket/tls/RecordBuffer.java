// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import javax.net.ssl.SSLException;

/**
 * Whole TLS records between a channel and an engine. The channel's side is a direct buffer of many
 * records, so that one system call moves several of them; the engine's side is a heap buffer of one
 * record, where JSSE's ciphers are two to three times as fast as on direct memory (JDK 25), and
 * which stays in the processor's cache.
 */
final class RecordBuffer {
  /** The largest record: header, 2<sup>14</sup> bytes and what a cipher may add (RFC 8446 §5.2). */
  static final int LARGEST_RECORD = 5 + (16 << 10) + 256;

  private static final int HEADER = 5;

  private final ByteBuffer bytes;
  // What is held are the bytes from start to end.
  private int start;
  private int end;

  /**
   * Begins empty.
   *
   * @param bytes a buffer with room for {@link #LARGEST_RECORD} bytes at least; not to be used by
   *     others
   */
  RecordBuffer(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  boolean isEmpty() {
    return start == end;
  }

  /** Returns whether a record of any size can be added. */
  boolean hasRoom() {
    return bytes.capacity() - end >= LARGEST_RECORD;
  }

  /** Adds what remains of {@code record}; there is room for it. */
  void add(ByteBuffer record) {
    bytes.limit(bytes.capacity()).position(end);
    bytes.put(record);
    end = bytes.position();
  }

  /** Writes what the channel takes of what is held; returns whether nothing is left. */
  boolean drainTo(WritableByteChannel channel) throws IOException {
    if (start < end) {
      bytes.limit(end).position(start);
      start += channel.write(bytes);
    }
    if (start < end) {
      return false;
    }
    start = 0;
    end = 0;
    return true;
  }

  /**
   * Reads what is there and what there is room for. No whole record is held, so what has to be
   * moved out of the way is less than one.
   *
   * @return the number of bytes, or -1 at the end
   */
  int fillFrom(ReadableByteChannel channel) throws IOException {
    if (start > 0) {
      bytes.limit(end).position(start);
      bytes.compact();
      end -= start;
      start = 0;
    }
    bytes.limit(bytes.capacity()).position(end);
    int came = channel.read(bytes);
    end += Math.max(0, came);
    return came;
  }

  /**
   * Returns the length of the first record with its header, or 0 where it is not whole.
   *
   * @throws SSLException where it says that it is larger than a record can be
   */
  int firstRecord() throws SSLException {
    if (end - start < HEADER) {
      return 0;
    }
    bytes.limit(end);
    int length = HEADER + Short.toUnsignedInt(bytes.getShort(start + 3));
    if (length > LARGEST_RECORD) {
      throw new SSLException(
          "a record of " + length + " bytes came: expected " + LARGEST_RECORD + " at most");
    }
    return length <= end - start ? length : 0;
  }

  /** Moves the first record, of {@code length} bytes, into {@code record}, ready to be read. */
  void takeFirst(int length, ByteBuffer record) {
    bytes.limit(start + length).position(start);
    record.clear().put(bytes).flip();
    start += length;
  }
}
