// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.core.shm.SharedRegion;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.nio.ByteBuffer;

/**
 * What a rank tells the others before it takes shared memory. From the wishes of all, each computes
 * alike whether all can be served. Example: two ranks that ask for 40 MiB each, where 64 MiB are
 * free, get none.
 *
 * @param bytes how much it asks for, more than 0
 * @param free how much it has seen free, of the same memory for all
 */
record RoomWish(long bytes, long free) {
  private static final int WIDTH = 2 * Long.BYTES;
  private static final long PAGE = 4096;

  byte[] toBytes() {
    return ByteBuffer.allocate(WIDTH).putLong(bytes).putLong(free).array();
  }

  /** Reads the wishes of all ranks. */
  static RoomWish[] fromBytes(byte[][] words) {
    RoomWish[] wishes = new RoomWish[words.length];
    for (int rank = 0; rank < words.length; rank++) {
      ByteBuffer word = ByteBuffer.wrap(words[rank]);
      long asked = word.remaining() == WIDTH ? word.getLong() : 0;
      if (asked <= 0) {
        throw new CommException(
            ResultCode.INTERNAL_ERROR,
            rank,
            ErrorText.of(
                "allocate: rank %d tells %d bytes that ask for %d; expected %d that ask for 1 or"
                    + " more",
                rank, words[rank].length, asked, WIDTH),
            null);
      }
      wishes[rank] = new RoomWish(asked, word.getLong());
    }
    return wishes;
  }

  /**
   * Returns the first rank that there is no room for beside those before it; -1 if there is none.
   */
  static int firstWithoutRoom(RoomWish[] wishes) {
    long left = Long.MAX_VALUE;
    for (RoomWish each : wishes) {
      left = Math.min(left, each.free);
    }
    for (int rank = 0; rank < wishes.length; rank++) {
      long bytes = wishes[rank].bytes;
      if (bytes > left - SharedRegion.HEADER) {
        return rank;
      }
      left -= SharedRegion.HEADER + Math.ceilDiv(bytes, PAGE) * PAGE;
    }
    return -1;
  }

  /** Returns how much all ask for, or the largest number where that is less. */
  static long total(RoomWish[] wishes) {
    long total = 0;
    for (RoomWish each : wishes) {
      total += Math.min(each.bytes, Long.MAX_VALUE - total);
    }
    return total;
  }
}
