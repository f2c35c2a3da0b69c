// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

/**
 * How an operation of a team is cut: into pieces of the stage, shares of ranks, parts of blocks and
 * slices of a ring.
 */
final class TeamPieces {
  static final long VECTOR = 16;

  /** Parts of a stage begin at multiples of it. */
  static final long PITCH = 256;

  /** Bytes that a block of a kernel that is no ring takes on in one round or two. */
  static final long ROUND = 2 * VECTOR * LaunchArguments.THREADS;

  /** The same of a fold of several ranks' data, whose loads take the longer. */
  static final long FOLD_ROUND = ROUND / 2;

  static final long RING_ROUND = 32 << 10;
  static final long LEAST_SLICE = 16 << 10;
  private static final long MOST_SLICE = 256 << 10;

  /** Of a chain of three ranks or more: a block's part is so many slices, within bounds. */
  private static final int CHAIN_SLICES = 64;

  private static final long MOST_CHAIN_SLICE = 64 << 10;

  private final TeamPlace place;
  private final int blocks;

  /**
   * Creates what cuts for one rank.
   *
   * @param blocks of a kernel at the most
   */
  TeamPieces(TeamPlace place, int blocks) {
    this.place = place;
    this.blocks = blocks;
  }

  static long ceil(long size, long unit) {
    return (size + unit - 1) / unit;
  }

  static long roundUp(long size, long unit) {
    return ceil(size, unit) * unit;
  }

  /**
   * Returns a slice of so many bytes, or fewer, that keeps all threads of a block busy to its end.
   * A part of a turn takes as long as a whole one. A slice with less room than one is what there
   * is.
   */
  static long turns(long bytes) {
    return bytes < ROUND ? bytes / VECTOR * VECTOR : bytes / ROUND * ROUND;
  }

  /** Returns how many blocks a kernel has that takes on so many bytes, and a block so many. */
  int blocks(long bytes, long round) {
    return (int) Math.max(1, Math.min(ceil(bytes, round), blocks));
  }

  /** Returns how many elements of a team's stage are one piece, with room for so many parts. */
  long piece(int width, int parts) {
    return place.layout().sizes().stage() / parts / PITCH * PITCH / width;
  }

  /** Returns the first element of a share of so many, at a multiple of 16 bytes. */
  static long first(long count, int width, int shares, int index) {
    return Math.min(count, index * each(count, width, shares));
  }

  static long share(long count, int width, int shares, int index) {
    long each = each(count, width, shares);
    return Math.max(0, Math.min(each, count - index * each));
  }

  static long each(long count, int width, int shares) {
    return roundUp(ceil(count, shares), VECTOR / width);
  }

  /**
   * Returns how many ranks share what a root sends or gets. Of more than two the root is not among
   * them: its links carry each byte once anyway, and a share of its own would be carried again.
   */
  int shares() {
    return place.ranks() > 2 ? place.ranks() - 1 : place.ranks();
  }

  /** Returns which share is this rank's; of more than two ranks the root has an empty one. */
  int shareOf(int root) {
    int ranks = place.ranks();
    return ranks > 2 ? (place.rank() - root - 1 + ranks) % ranks : place.rank();
  }

  /**
   * Returns a slice of what goes along a chain: small, since the last rank begins when a slice has
   * come through all others, but not so small that a block only waits.
   */
  static long chainSlice(long chunk, int grid) {
    long part = roundUp(ceil(chunk, (long) CHAIN_SLICES * grid), VECTOR);
    return turns(Math.max(LEAST_SLICE, Math.min(part, MOST_CHAIN_SLICE)));
  }

  /** Returns how many bytes a block of a ring passes on at once: a quarter of its part. */
  static long slice(long chunk, int grid) {
    long quarter = roundUp(ceil(chunk, 4L * grid), VECTOR);
    return turns(Math.max(LEAST_SLICE, Math.min(quarter, MOST_SLICE)));
  }
}
