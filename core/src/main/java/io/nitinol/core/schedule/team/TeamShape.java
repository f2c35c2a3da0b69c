// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.toolkit.ErrorText;

/**
 * The ranks of one host that share memory, as one of them sees it; the same on all but for {@code
 * index}. Each channel has areas of its own.
 *
 * @param members how many ranks
 * @param index this rank's place among them; the ranks are in ascending order
 * @param ll the slots for small messages, whose rounds hold what the slot of one member holds
 * @param simple the slots for large messages, at least a cache line per member
 * @param direct whether all live in one process and show their buffers to each other
 */
public record TeamShape(int members, int index, SlotShape ll, SlotShape simple, boolean direct) {

  /** Checks the place and the size of slots. */
  public TeamShape {
    if (members < 1 || index < 0 || index >= members) {
      throw new IllegalArgumentException("place " + index + " in a team of " + members);
    }
    int least = members * ChunkShape.ALIGNMENT;
    if (ll.slotBytes() < least || simple.slotBytes() < least) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "slots of %s and %s bytes for %s members; expected %s or more",
              ll.slotBytes(), simple.slotBytes(), members, least));
    }
  }
}
