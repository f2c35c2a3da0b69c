// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.nio.ByteBuffer;

/**
 * What precedes each message on a connection, big-endian: a mark that shows a stream out of step,
 * the tag, and the length of the payload that follows.
 *
 * <pre>
 *  0 mark   4 tag   8 length
 * </pre>
 */
final class Frame {
  /** The size of a header in bytes. */
  static final int HEADER = 16;

  /** The first four bytes of every header. */
  static final int MARK = 0x4e54_4e4d; // "NTNM"

  private Frame() {}

  static void write(ByteBuffer out, int at, int tag, long length) {
    out.putInt(at, MARK);
    out.putInt(at + 4, tag);
    out.putLong(at + 8, length);
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
}
