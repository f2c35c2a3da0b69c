// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.request;

/**
 * The rule by which a large message is cut into chunks for the data streams. A chunk goes to
 * whichever stream can take it. There are more chunks than streams, so that one stream that stands
 * still holds up little.
 */
public final class Chunks {
  /** The most chunks of a message; a receiver notes them in the bits of an int. */
  public static final int MOST = 32;

  /** The most bytes of a chunk, whose length travels as an int. */
  static final long LARGEST = 1L << 30;

  /** The longest message in bytes, whether or not it goes in chunks. */
  public static final long MOST_BYTES = MOST * LARGEST;

  private static final int PER_STREAM = 2;
  private static final long ALIGNMENT = 64;

  private Chunks() {}

  /**
   * Returns the bytes of each chunk but the last of a message, at most {@link #LARGEST}.
   *
   * @param length of the message, at most {@link #MOST_BYTES}
   * @param streams how many data streams there are
   * @param least the fewest bytes of a chunk that is not the only one
   */
  public static long size(long length, int streams, int least) {
    long wanted = Math.ceilDiv(length, (long) Math.min(MOST, PER_STREAM * streams));
    return Math.min(LARGEST, Math.max(least, Math.ceilDiv(wanted, ALIGNMENT) * ALIGNMENT));
  }

  /** Returns how many chunks of {@code size} bytes a message has. */
  public static long count(long length, long size) {
    return Math.ceilDiv(length, size);
  }
}
