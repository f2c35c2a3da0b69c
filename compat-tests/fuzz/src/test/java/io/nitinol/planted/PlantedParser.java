// SPDX-License-Identifier: Apache-2.0
package io.nitinol.planted;

import java.nio.ByteBuffer;

/** Records behind a magic number and a version: one kind reads too far, one believes a length. */
final class PlantedParser {
  private static final int MAGIC = 0x6e74_6e21;
  private static final int VERSION = 3;
  private static final int MOST = 1 << 20;

  private PlantedParser() {}

  static int parse(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.remaining() < 6 || in.getInt() != MAGIC) {
      throw new IllegalArgumentException("no magic number");
    }
    if (in.getShort() != VERSION) {
      throw new IllegalArgumentException("another version");
    }
    int records = 0;
    while (in.remaining() >= 5) {
      int kind = in.get();
      int length = in.getInt();
      switch (kind) {
        case 1 -> {
          if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException("cut short");
          }
          in.position(in.position() + length);
        }
        case 2 -> {
          if (records > 2 && length >= 0) {
            return bytes[in.position() + length]; // the check of kind 1 is missing
          }
        }
        case 3 -> {
          if (length > MOST || length < 0) {
            throw new IllegalArgumentException("too long");
          }
          in.position(in.limit() - Math.min(in.remaining(), new byte[length].length));
        }
        default -> throw new IllegalArgumentException("another kind");
      }
      records++;
    }
    return records;
  }
}
