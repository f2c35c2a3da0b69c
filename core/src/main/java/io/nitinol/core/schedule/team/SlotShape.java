// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.ChunkShape;

/**
 * The slots of one protocol of a team, as schedules see them.
 *
 * @param slotBytes how many bytes of data a slot holds
 * @param depth how many rounds can be under way at once
 */
public record SlotShape(int slotBytes, int depth) {

  /** Checks the sizes. */
  public SlotShape {
    if (slotBytes < ChunkShape.ALIGNMENT || slotBytes % ChunkShape.ALIGNMENT != 0) {
      throw new IllegalArgumentException(
          "slot size " + slotBytes + ": expected a positive multiple of " + ChunkShape.ALIGNMENT);
    }
    if (depth < 1) {
      throw new IllegalArgumentException("depth " + depth + "; expected 1 or more");
    }
  }
}
