// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The part of a collective call that must be the same on all ranks.
 *
 * @param number which one of the communicator, its low 32 bits
 * @param word the first word of the headers of its messages, without the collectives before
 * @param countWord the second
 */
record CallSignature(int number, long word, long countWord) {
  private static final int BYTES = Integer.BYTES + Integer.BYTES + Long.BYTES + Long.BYTES;

  /** A call of {@code rank}, as one rank sends it to another. */
  record By(int rank, CallSignature call) {
    byte[] toBytes() {
      return ByteBuffer.allocate(BYTES)
          .putInt(rank)
          .putInt(call.number)
          .putLong(call.word)
          .putLong(call.countWord)
          .array();
    }

    /**
     * Reads what {@link #toBytes} of one of {@code ranks} ranks has written; null if that is not.
     */
    static @Nullable By of(byte[] bytes, int ranks) {
      if (bytes.length != BYTES) {
        return null;
      }
      ByteBuffer in = ByteBuffer.wrap(bytes);
      int rank = in.getInt();
      CallSignature call = new CallSignature(in.getInt(), in.getLong(), in.getLong());
      return rank >= 0 && rank < ranks ? new By(rank, call) : null;
    }
  }
}
