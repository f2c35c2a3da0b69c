// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.core.transport.Links.Use;
import io.nitinol.core.transport.Slots;

/**
 * How many bytes of data a message may have, by what its connection is for; the same on all ranks.
 *
 * @param collective for {@link Use#COLLECTIVE}
 * @param pair for {@link Use#PAIR}
 */
public record SlotBytes(int collective, int pair) {
  private static final int MOST = 128 << 10;
  private static final int LEAST = 16 << 10;

  /** What the connections of a rank with all others, both ways, may take together. */
  private static final long PAIRS = 32 << 20;

  /**
   * Returns the sizes for a communicator: pairs get less where there are many.
   *
   * @param collective the size for collectives, which is also the most that pairs get
   */
  public static SlotBytes of(int collective, int ranks) {
    long share = PAIRS / (2L * Slots.COUNT * Math.max(1, ranks - 1));
    int pair = Math.clamp(Long.highestOneBit(Math.max(1, share)), LEAST, MOST);
    return new SlotBytes(collective, Math.min(pair, collective));
  }

  int of(Use use) {
    return use == Use.COLLECTIVE ? collective : pair;
  }
}
