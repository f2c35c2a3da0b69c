// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.proof;

import java.nio.ByteBuffer;

/** The eight bytes that a message of the handshake begins with. */
public final class Magic {
  private Magic() {}

  /**
   * Returns whether what has come, from index 0 to the position of {@code in}, is {@code magic} or
   * the beginning of it.
   *
   * @param in what has come
   * @param magic what is expected, highest byte first
   * @return false from the first wrong byte on
   */
  public static boolean begins(ByteBuffer in, long magic) {
    int known = Math.min(in.position(), Long.BYTES);
    for (int i = 0; i < known; i++) {
      if (in.get(i) != (byte) (magic >>> (56 - 8 * i))) {
        return false;
      }
    }
    return true;
  }
}
