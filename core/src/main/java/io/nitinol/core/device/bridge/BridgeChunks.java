// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

/**
 * How an operation is cut into chunks, each of which crosses the network in one slot. All ranks
 * come to the same cut, since it depends on the arguments of the call alone. One object is used
 * again for every operation, by the thread that calls.
 *
 * <p>A chunk has {@code span} shares of equal size; one share goes through this rank's slot. All
 * chunks are alike but the last, which may be <i>padded</i>: its shares are one element longer
 * altogether than what is left, and it goes through memory that has room for that.
 */
final class BridgeChunks {
  /** Cutting finer than this costs more in calls of the network than the overlap brings. */
  static final int LEAST_BYTES = 256 << 10;

  private static final int ALIGNMENT = 256;

  private int span = 1;
  private long share;
  private long full;
  private long rest;

  /**
   * Cuts an operation.
   *
   * @param count its number of elements, at least 1
   * @param span how many shares a chunk has
   * @param width the bytes of an element
   * @param mostBytes the most bytes of a share; where they are no multiple of {@value #ALIGNMENT},
   *     and more, the next smaller one counts, so that all chunks begin where the first one's
   *     alignment goes on
   */
  void cut(long count, int span, int width, long mostBytes) {
    long most = alignedDown(mostBytes) / width;
    long grain = ALIGNMENT / width;
    long each = ceil(ceil(count, span), Crossing.DEPTH); // so that all slots have something to do
    long aligned = ceil(each, grain) * grain;
    this.span = span;
    this.share = Math.min(most, Math.max(LEAST_BYTES / width, aligned));
    this.full = count / span / share;
    this.rest = count - full * span * share;
  }

  private static long alignedDown(long bytes) {
    return bytes > ALIGNMENT ? bytes / ALIGNMENT * ALIGNMENT : bytes;
  }

  private static long ceil(long number, long divisor) {
    return number / divisor + (number % divisor == 0 ? 0 : 1);
  }

  /** Returns how many chunks there are. */
  long count() {
    return full + (rest == 0 ? 0 : 1);
  }

  /** Returns how many chunks have shares of full size; at most one follows. */
  long full() {
    return full;
  }

  /** Returns the elements of a share of the full chunks. */
  long fullShare() {
    return share;
  }

  /** Returns the elements of a share of the chunk behind the full ones. */
  long lastShare() {
    return ceil(rest, span);
  }

  /** Returns the elements of one share of a chunk. */
  long share(long chunk) {
    return chunk < full ? share : lastShare();
  }

  /** Returns how many elements lie before a chunk. */
  long offset(long chunk) {
    return chunk * span * share;
  }

  /** Returns how many elements of the operation a chunk has. */
  long valid(long chunk) {
    return chunk < full ? span * share : rest;
  }

  /** Returns whether the shares of a chunk are more than its elements. */
  boolean isPadded(long chunk) {
    return valid(chunk) != span * share(chunk);
  }
}
