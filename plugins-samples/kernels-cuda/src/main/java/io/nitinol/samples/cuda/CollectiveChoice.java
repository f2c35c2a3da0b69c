// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.spi.Collective;
import org.jspecify.annotations.Nullable;

/**
 * Which family runs a collective, by its bytes and ranks. All ranks of a team choose alike, so only
 * what all of them know counts.
 *
 * <p>The crossovers are from runs of the kernels on four virtual ranks of one H100, and of their
 * prototypes on two and four H200; those for eight GPUs are estimates.
 */
final class CollectiveChoice {
  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;

  private final int ranks;
  private final boolean oneDevice;
  private final long mostLl;
  private final long scratch;
  private volatile @Nullable KernelFamily forced;

  /**
   * Creates the choice of one team.
   *
   * @param ranks the number of ranks
   * @param oneDevice whether several ranks share a device, where a ring only costs
   * @param mostLl the most bytes that a rank sends to another one by LL
   * @param scratch the size of the buffer for partial results
   */
  CollectiveChoice(int ranks, boolean oneDevice, long mostLl, long scratch) {
    this.ranks = ranks;
    this.oneDevice = oneDevice;
    this.mostLl = mostLl;
    this.scratch = scratch;
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
   * @return LL, DIRECT or RING
   */
  KernelFamily of(Collective collective, long bytes) {
    KernelFamily wanted = forced;
    if (wanted == null) {
      wanted =
          bytes <= mostLl(collective)
              ? KernelFamily.LL
              : !oneDevice && bytes >= leastRing(collective)
                  ? KernelFamily.RING
                  : KernelFamily.DIRECT;
    }
    if (wanted == KernelFamily.LL && bytes > mostLl) {
      wanted = KernelFamily.DIRECT;
    }
    return wanted == KernelFamily.RING && !hasRing(collective, bytes)
        ? KernelFamily.DIRECT
        : wanted;
  }

  /** Up to so many bytes LL is faster: it sends twice as many, to every rank, and meets nobody. */
  private long mostLl(Collective collective) {
    return switch (collective) {
      case ALL_REDUCE -> ranks <= 2 ? 512 * KIB : ranks <= 4 || oneDevice ? 256 * KIB : 64 * KIB;
      case REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL -> ranks <= 4 ? 64 * KIB : 32 * KIB;
      case REDUCE, BROADCAST -> 128 * KIB;
      case SEND_RECV, SEND, RECV, GATHER, SCATTER -> mostLl;
    };
  }

  /** From so many bytes on a ring is faster: links carry more to one neighbour than to all. */
  private long leastRing(Collective collective) {
    return switch (collective) {
      case ALL_REDUCE -> 8 * MIB;
      case REDUCE_SCATTER, ALL_GATHER -> 8 * MIB / ranks;
      case BROADCAST -> 8 * MIB;
      case REDUCE, ALL_TO_ALL, SEND_RECV, SEND, RECV, GATHER, SCATTER -> Long.MAX_VALUE;
    };
  }

  private boolean hasRing(Collective collective, long bytes) {
    return switch (collective) {
      case ALL_REDUCE, ALL_GATHER, BROADCAST -> true;
      // The kernel wants scratch for all parts at once.
      case REDUCE_SCATTER -> bytes <= scratch / ranks;
      case REDUCE, ALL_TO_ALL, SEND_RECV, SEND, RECV, GATHER, SCATTER -> false;
    };
  }
}
