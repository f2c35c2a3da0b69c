// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import java.nio.ByteBuffer;

/**
 * What the streams of one comm have in common, chosen at random by the connecting side.
 *
 * @param high the first 8 bytes
 * @param low the last 8 bytes
 */
record CommId(long high, long low) {
  /** The size of an id in bytes. */
  static final int SIZE = 16;

  static CommId random() {
    ByteBuffer bytes = ByteBuffer.wrap(Secrets.random(SIZE));
    return new CommId(bytes.getLong(), bytes.getLong());
  }

  /** Returns the first half for messages, which is enough to tell comms apart. */
  String label() {
    return "comm %016x".formatted(high);
  }
}
