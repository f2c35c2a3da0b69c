// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import java.nio.ByteBuffer;

/**
 * The header of each chunk on a data stream, big-endian: a mark, the chunk's length, the number of
 * its message on the comm, and where in the message it belongs.
 *
 * <pre>
 *  0 mark   4 length   8 message   16 offset
 * </pre>
 */
public final class ChunkHeader {
  /** The size of a header in bytes. */
  public static final int HEADER = 24;

  /** The first four bytes of every header. */
  public static final int MARK = 0x4e54_4e43; // "NTNC"

  private ChunkHeader() {}

  /** Writes a header at the beginning of {@code out}. */
  public static void write(ByteBuffer out, int length, long message, long offset) {
    out.putInt(0, MARK);
    out.putInt(4, length);
    out.putLong(8, message);
    out.putLong(16, offset);
  }

  static int mark(ByteBuffer in) {
    return in.getInt(0);
  }

  static int length(ByteBuffer in) {
    return in.getInt(4);
  }

  static long message(ByteBuffer in) {
    return in.getLong(8);
  }

  static long offset(ByteBuffer in) {
    return in.getLong(16);
  }
}
