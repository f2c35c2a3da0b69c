// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

/**
 * How a large message is cut into chunks for the data streams. A chunk goes to whichever stream can
 * take it, so there are more of them than streams: one stream that stands still then holds up
 * little.
 */
final class Chunks {
  /** The most chunks of a message; a receiver notes them in the bits of an int. */
  static final int MOST = 32;

  /** The most bytes of a chunk, whose length travels as an int. */
  static final long LARGEST = 1L << 30;

  /** The longest message, whether or not it goes in chunks. */
  static final long MOST_BYTES = MOST * LARGEST;

  private static final int PER_STREAM = 2;
  private static final long ALIGNMENT = 64;

  private Chunks() {}

  /**
   * Returns the bytes of each chunk but the last of a message, at most {@link #LARGEST}.
   *
   * @param length of the message, at most {@link #MOST_BYTES}
   * @param streams how many there are to send it over
   * @param least the fewest bytes worth a chunk
   */
  static long size(long length, int streams, int least) {
    long wanted = Math.ceilDiv(length, (long) Math.min(MOST, PER_STREAM * streams));
    return Math.min(LARGEST, Math.max(least, Math.ceilDiv(wanted, ALIGNMENT) * ALIGNMENT));
  }

  /** Returns how many chunks of {@code size} bytes a message has. */
  static long count(long length, long size) {
    return Math.ceilDiv(length, size);
  }
}
