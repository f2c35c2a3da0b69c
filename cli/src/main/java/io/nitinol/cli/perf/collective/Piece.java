// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

/**
 * Some elements of a buffer, and where they come from.
 *
 * @param at first element in the buffer
 * @param count how many
 * @param source the rank whose contribution they are, or {@link #REDUCTION}
 * @param from first element in that contribution, or in the reduction of all
 */
public record Piece(long at, long count, int source, long from) {
  /** Stands for the reduction of all ranks' contributions. */
  public static final int REDUCTION = -1;

  /** Returns the elements from {@code begin} to {@code end} of the buffer, which are all in it. */
  public Piece cut(long begin, long end) {
    return new Piece(begin, end - begin, source, from + begin - at);
  }

  /** Returns the same in a buffer that begins {@code elements} earlier. */
  public Piece shifted(long elements) {
    return new Piece(at + elements, count, source, from);
  }

  /** Returns the first element behind. */
  public long end() {
    return at + count;
  }
}
