// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.stream.ChunkHeader;
import java.nio.ByteBuffer;

/**
 * The header of each message on the control stream, big-endian: a mark that shows a stream out of
 * step, the tag and the length. After {@link #MARK} the payload follows; after {@link #CUT_MARK}
 * the header ends with the size of the chunks in which the payload comes on the data streams, and
 * the next header follows. See {@link ChunkHeader}.
 *
 * <pre>
 *  0 mark   4 tag   8 length   [16 chunk size]
 * </pre>
 */
final class ControlHeader {
  /** The size in bytes of a header whose payload follows. */
  static final int HEADER = 16;

  /** The size in bytes of a header whose payload comes in chunks. */
  static final int CUT_HEADER = 24;

  /** The first four bytes of a header whose payload follows. */
  static final int MARK = 0x4e54_4e4d; // "NTNM"

  /** The first four bytes of a header whose payload comes in chunks. */
  static final int CUT_MARK = 0x4e54_4e4c; // "NTNL"

  private ControlHeader() {}

  static void write(ByteBuffer out, int at, int tag, long length) {
    out.putInt(at, MARK);
    out.putInt(at + 4, tag);
    out.putLong(at + 8, length);
  }

  static void writeCut(ByteBuffer out, int at, int tag, long length, long chunk) {
    out.putInt(at, CUT_MARK);
    out.putInt(at + 4, tag);
    out.putLong(at + 8, length);
    out.putLong(at + 16, chunk);
  }

  static int mark(ByteBuffer in, int at) {
    return in.getInt(at);
  }

  static int tag(ByteBuffer in, int at) {
    return in.getInt(at + 4);
  }

  static long length(ByteBuffer in, int at) {
    return in.getLong(at + 8);
  }

  static long chunk(ByteBuffer in, int at) {
    return in.getLong(at + 16);
  }
}
