// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The buffers that the members of one area, all threads of one process, show each other. What makes
 * an entry visible is the owner's next signal.
 */
final class Exposures {
  /** Entries between two members', so that they are not on one line. */
  private static final int GAP = 32;

  private final int mask;
  private final int row;
  private final @Nullable MemorySegment[] buffers;

  Exposures(int members, int depth) {
    this.mask = depth - 1;
    this.row = 2 * depth + GAP;
    this.buffers = new @Nullable MemorySegment[GAP + members * row];
  }

  private int at(int member, long round) {
    return GAP + member * row + 2 * ((int) round & mask);
  }

  void set(int member, long round, MemorySegment input, MemorySegment output) {
    int at = at(member, round);
    buffers[at] = input;
    buffers[at + 1] = output;
  }

  MemorySegment input(int member, long round) {
    return Objects.requireNonNull(buffers[at(member, round)]);
  }

  MemorySegment output(int member, long round) {
    return Objects.requireNonNull(buffers[at(member, round) + 1]);
  }

  /** Forgets the buffers of a member that shows no more. */
  void clear(int member) {
    int from = GAP + member * row;
    for (int i = from; i < from + 2 * (mask + 1); i++) {
      buffers[i] = null;
    }
  }
}
