// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.collnet;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.toolkit.ErrorText;

/**
 * How the ranks use a collective network; the same on all of them.
 *
 * @param heads which ranks of each host talk to it; no more than the smallest host has
 * @param slotBytes the most bytes of one operation of the network, a multiple of {@link
 *     ChunkShape#ALIGNMENT}
 */
public record CollNetShape(CollNetHeads heads, int slotBytes) {

  /** Checks the size. */
  public CollNetShape {
    if (slotBytes < ChunkShape.ALIGNMENT || slotBytes % ChunkShape.ALIGNMENT != 0) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "operations of %s bytes; expected a positive multiple of %s",
              slotBytes, ChunkShape.ALIGNMENT));
    }
  }

  /**
   * Returns the sizes of messages that go through the network, where {@code hosts} go elsewhere.
   */
  ChunkShape within(ChunkShape hosts) {
    int bytes = Math.min(slotBytes, hosts.slotBytes());
    return new ChunkShape(
        bytes,
        hosts.slices(),
        Math.min(bytes, hosts.minSliceBytes()),
        Math.min(bytes, hosts.minChunkBytes()),
        hosts.minChannelBytes());
  }
}
