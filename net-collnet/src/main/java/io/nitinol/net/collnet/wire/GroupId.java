// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * The number of a group, random, by which a switch knows that members belong together: rank 0 makes
 * it, and its handle carries it to the others.
 *
 * @param high the first 8 of its 16 bytes
 * @param low the last 8 of its 16 bytes
 */
public record GroupId(long high, long low) {
  /** How many bytes a group id has on the wire. */
  public static final int BYTES = 16;

  private static final class Source {
    static final SecureRandom RANDOM = new SecureRandom();
  }

  /**
   * Makes a new one.
   *
   * @return a number that cannot be guessed
   */
  public static GroupId random() {
    return new GroupId(Source.RANDOM.nextLong(), Source.RANDOM.nextLong());
  }

  static GroupId from(ByteBuffer in) {
    return new GroupId(in.getLong(), in.getLong());
  }

  void to(ByteBuffer out) {
    out.putLong(high).putLong(low);
  }

  /** Returns 8 digits of it: enough to tell groups apart in a log, too little to join one. */
  @Override
  public String toString() {
    return String.format("%08x", (int) (high >>> 32));
  }
}
