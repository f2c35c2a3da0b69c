// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.core.transport.Connectors.Use;
import io.nitinol.core.transport.Slots;
import io.nitinol.core.transport.Transport;

/**
 * How many bytes of data a message may have, by what its connection is for; the same on all ranks.
 *
 * @param collective for {@link Use#COLLECTIVE}
 * @param pair for {@link Use#PAIR} by a network
 * @param hostPair for {@link Use#PAIR} by memory of the host
 */
public record SlotBytes(int collective, int pair, int hostPair) {
  private static final int MOST = 128 << 10;
  private static final int LEAST = 16 << 10;

  /** What the connections of a rank with all others, both ways, may take together. */
  private static final long PAIRS = 32 << 20;

  /**
   * What the data of all connections inside a host may take together: containers often have no more
   * than 64 MB of shared memory. What is around the slots, and teams, come to that.
   */
  private static final long HOST_PAIRS = 16 << 20;

  private static final int HOST_LEAST = 1 << 10;

  /** Up to so many ranks of a host have connections of full size for collectives. */
  private static final int FEW = 8;

  /** What a slot of each rank's connection to the next one may take together, if they are more. */
  private static final int HOST_COLLECTIVE = 512 << 10;

  /**
   * Returns the sizes for a communicator: pairs get less where there are many.
   *
   * @param collective the size for collectives, which is also the most that pairs get
   * @param ranks how many there are
   * @param hostRanks how many the host with the most of them has
   */
  public static SlotBytes of(int collective, int ranks, int hostRanks) {
    long pairs = 2L * Math.max(1, ranks - 1);
    long hostPairs = (long) hostRanks * Math.max(1, hostRanks - 1);
    return new SlotBytes(
        collective,
        Math.min(share(PAIRS, pairs, LEAST), collective),
        Math.min(share(HOST_PAIRS, hostPairs, HOST_LEAST), collective));
  }

  private static int share(long bytes, long connections, int least) {
    long share = bytes / (Slots.COUNT * connections);
    return Math.clamp(Long.highestOneBit(Math.max(1, share)), least, MOST);
  }

  /**
   * Returns the most that a message for a collective may have where {@code ranks} ranks of a host
   * are connected by its memory: with two channels a ring takes 8 MB.
   */
  public static int inHost(int ranks) {
    return ranks <= FEW ? Integer.MAX_VALUE : HOST_COLLECTIVE / Integer.highestOneBit(ranks);
  }

  int of(Use use, Transport transport) {
    if (use == Use.COLLECTIVE) {
      return collective;
    }
    if (use == Use.DIRECT) {
      return HOST_LEAST;
    }
    return transport.usesHostMemory() ? hostPair : pair;
  }
}
