// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import javax.net.ssl.SSLException;

/**
 * TLS records on their way between a channel and an engine. The channel's side is direct memory: a
 * small buffer of its own, and a large one of many records. The large one is borrowed as soon as
 * the small one is full, and given back when no byte is held. So one system call moves several
 * records, and a connection at rest takes little memory. The engine's side is a heap buffer of one
 * record, which stays in the processor's cache; JSSE's ciphers are two to three times as fast on
 * heap memory as on direct memory (JDK 25).
 */
final class RecordBuffer {
  /** The largest record: header, 2<sup>14</sup> bytes and a cipher's overhead (RFC 8446 §5.2). */
  static final int LARGEST_RECORD = 5 + (16 << 10) + 256;

  private static final int HEADER = 5;

  private final ByteBuffer own;
  private final LargeBuffers lender;
  // The small buffer, or the one that is borrowed.
  private ByteBuffer bytes;
  private boolean borrowed;
  // The bytes held are those from start to end.
  private int start;
  private int end;

  /**
   * Begins empty.
   *
   * @param own a small buffer, with room for a header at least and for less than a record of {@link
   *     #LARGEST_RECORD} bytes; no other class uses it
   * @param lender has buffers of at least two such records
   */
  RecordBuffer(ByteBuffer own, LargeBuffers lender) {
    this.own = own;
    this.lender = lender;
    this.bytes = own;
  }

  boolean isEmpty() {
    return start == end;
  }

  /** Returns whether a record of any size can be added. */
  boolean hasRoom() {
    return !borrowed || bytes.capacity() - end >= LARGEST_RECORD;
  }

  /** Adds what remains of {@code record}; there is room for it. */
  void add(ByteBuffer record) throws IOException {
    if (!borrowed && record.remaining() > own.capacity() - end) {
      borrow();
    }
    bytes.limit(bytes.capacity()).position(end);
    bytes.put(record);
    end = bytes.position();
  }

  /** Writes held bytes as far as the channel takes them; returns whether none is left. */
  boolean drainTo(WritableByteChannel channel) throws IOException {
    if (start < end) {
      bytes.limit(end).position(start);
      start += channel.write(bytes);
    }
    if (start < end) {
      return false;
    }
    clear();
    return true;
  }

  /**
   * Reads what the channel has, as far as there is room. No whole record is held, so less than one
   * is moved to the front. There is a second read where the first has filled the small buffer.
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
    int came = read(channel);
    if (!borrowed && end == own.capacity()) {
      borrow();
      came += Math.max(0, read(channel)); // an end comes again with the next read
    }
    return came;
  }

  private int read(ReadableByteChannel channel) throws IOException {
    bytes.limit(bytes.capacity()).position(end);
    int came = channel.read(bytes);
    end += Math.max(0, came);
    return came;
  }

  private void borrow() throws IOException {
    ByteBuffer large = lender.take();
    large.clear().put(own.limit(end).position(start));
    end -= start;
    start = 0;
    bytes = large;
    borrowed = true;
  }

  /** Drops the held bytes, and gives the borrowed buffer back. */
  void clear() {
    start = 0;
    end = 0;
    if (borrowed) {
      ByteBuffer large = bytes;
      bytes = own;
      borrowed = false;
      lender.give(large);
    }
  }

  /**
   * Returns the length of the first record with its header, or 0 where it is not whole.
   *
   * @throws SSLException where its header has a length that no record can have
   */
  int firstRecord() throws SSLException {
    if (end - start < HEADER) {
      return 0;
    }
    bytes.limit(end);
    int length = HEADER + Short.toUnsignedInt(bytes.getShort(start + 3));
    if (length > LARGEST_RECORD) {
      throw new SSLException(
          ErrorText.of("a record of %d bytes came: expected %d at most", length, LARGEST_RECORD));
    }
    return length <= end - start ? length : 0;
  }

  /** Moves the first record, of {@code length} bytes, into {@code record}, ready to be read. */
  void takeFirst(int length, ByteBuffer record) {
    bytes.limit(start + length).position(start);
    record.clear().put(bytes).flip();
    start += length;
    if (start == end) {
      clear();
    }
  }
}
