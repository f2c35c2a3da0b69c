// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.workload;

import io.nitinol.spi.Collective;
import io.nitinol.toolkit.ErrorText;

/**
 * A collective to be simulated, of binary32.
 *
 * @param collective which
 * @param bytes of the larger buffer of a rank, as nccl-tests counts it; a multiple of 4
 * @param root the rank it begins or ends at, where it has one; for sends and receives how many
 *     ranks farther each sends
 */
public record CollectiveSpec(Collective collective, long bytes, int root) {
  /** The bytes of an element; 4 is a binary32. */
  public static final int ELEMENT_BYTES = 4;

  /** The most bytes: 16 TiB. */
  public static final long MOST_BYTES = 1L << 44;

  /** Checks the size. */
  public CollectiveSpec {
    if (bytes < 0 || bytes > MOST_BYTES || bytes % ELEMENT_BYTES != 0) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "%s of %d bytes; expected a multiple of %d from 0 to %d",
              collective.label(), bytes, ELEMENT_BYTES, MOST_BYTES));
    }
  }

  /** Returns the element count, in the sense of the collective. */
  public long count(int ranks) {
    long elements = bytes / ELEMENT_BYTES;
    return switch (collective) {
      case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER -> elements / ranks;
      default -> elements;
    };
  }
}
