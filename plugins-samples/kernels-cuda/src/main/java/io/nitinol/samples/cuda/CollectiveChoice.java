// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.spi.Collective;
import org.jspecify.annotations.Nullable;

/**
 * Which family runs a collective, by its bytes and ranks. All ranks of a team choose alike, so only
 * what all of them know counts.
 *
 * <p>The crossovers of two ranks and of four are measured, on H100 and H200 over NVLink; those of
 * other numbers, and without NVLink, are estimates.
 */
final class CollectiveChoice {
  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;

  private final int ranks;
  private final boolean oneDevice;
  private final long mostLl;
  private final long mostLl128;
  private volatile @Nullable KernelFamily forced;

  /**
   * Creates the choice of one team.
   *
   * @param ranks the number of ranks
   * @param oneDevice whether several ranks share a device, where a ring only costs
   * @param mostLl the most bytes that a rank sends to another one by LL
   * @param mostLl128 likewise by long lines; 0 where the links do not carry them whole
   */
  CollectiveChoice(int ranks, boolean oneDevice, long mostLl, long mostLl128) {
    this.ranks = ranks;
    this.oneDevice = oneDevice;
    this.mostLl = mostLl;
    this.mostLl128 = mostLl128;
  }

  /** Lets a test choose; where the family cannot run a collective another one does. */
  void force(@Nullable KernelFamily family) {
    forced = family;
  }

  /**
   * Returns the family.
   *
   * @param collective the operation
   * @param bytes of what one rank sends to another one by LL: of a part where there are parts, else
   *     of the whole
   * @return LL, LL128, DIRECT or RING
   */
  KernelFamily of(Collective collective, long bytes) {
    KernelFamily wanted = forced;
    if (wanted == null) {
      wanted =
          bytes <= mostLl(collective)
              ? KernelFamily.LL
              : bytes <= Math.min(mostLl128(collective), mostLl128)
                  ? KernelFamily.LL128
                  : !oneDevice && bytes >= leastRing(collective)
                      ? KernelFamily.RING
                      : KernelFamily.DIRECT;
    }
    if (wanted == KernelFamily.LL && bytes > mostLl) {
      wanted = KernelFamily.DIRECT;
    }
    if (wanted == KernelFamily.LL128 && bytes > mostLl128) {
      wanted = KernelFamily.DIRECT;
    }
    return wanted == KernelFamily.RING && !hasRing(collective) ? KernelFamily.DIRECT : wanted;
  }

  /**
   * Up to so many bytes short lines are faster: they are twice as many, and there is no meeting.
   */
  private long mostLl(Collective collective) {
    if (mostLl128 > 0) {
      return 64 * KIB;
    }
    return switch (collective) {
      case ALL_REDUCE -> ranks <= 2 ? 512 * KIB : ranks <= 4 || oneDevice ? 256 * KIB : 64 * KIB;
      case REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL -> ranks <= 4 ? 64 * KIB : 32 * KIB;
      case REDUCE, BROADCAST -> 128 * KIB;
      case SEND_RECV, SEND, RECV, GATHER, SCATTER -> mostLl;
    };
  }

  /** Up to so many bytes long lines are, which go to every rank. */
  private long mostLl128(Collective collective) {
    return switch (collective) {
      case ALL_REDUCE -> ranks <= 2 ? 2 * MIB : ranks <= 4 ? 512 * KIB : 128 * KIB;
      case REDUCE_SCATTER -> ranks <= 2 ? 2 * MIB : ranks <= 4 ? 256 * KIB : 128 * KIB;
      case ALL_GATHER, ALL_TO_ALL -> ranks <= 2 ? MIB : ranks <= 4 ? 256 * KIB : 128 * KIB;
      case REDUCE, BROADCAST -> ranks <= 2 ? 4 * MIB : ranks <= 4 ? 512 * KIB : 128 * KIB;
      case SEND_RECV, SEND, RECV, GATHER, SCATTER -> 0;
    };
  }

  /**
   * From so many bytes on a ring is faster: links carry more to one neighbour than to all, and more
   * stores than loads. Two ranks have one link alone, and a root takes all its loads. From or to a
   * root the ring is a chain, whose last rank begins late.
   */
  private long leastRing(Collective collective) {
    return switch (collective) {
      case ALL_REDUCE -> ranks <= 2 ? 16 * MIB : 8 * MIB;
      case REDUCE_SCATTER -> ranks <= 2 ? 96 * MIB : 8 * MIB / ranks;
      case ALL_GATHER -> ranks <= 2 ? Long.MAX_VALUE : 8 * MIB / ranks;
      case BROADCAST -> ranks <= 2 ? MIB : 24 * MIB;
      case REDUCE -> ranks <= 2 ? Long.MAX_VALUE : 48 * MIB;
      case ALL_TO_ALL, SEND_RECV, SEND, RECV, GATHER, SCATTER -> Long.MAX_VALUE;
    };
  }

  private static boolean hasRing(Collective collective) {
    return switch (collective) {
      case ALL_REDUCE, REDUCE_SCATTER, REDUCE, ALL_GATHER, BROADCAST -> true;
      case ALL_TO_ALL, SEND_RECV, SEND, RECV, GATHER, SCATTER -> false;
    };
  }
}
