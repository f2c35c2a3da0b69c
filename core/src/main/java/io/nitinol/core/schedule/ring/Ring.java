// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.ring;

import io.nitinol.core.schedule.HostLayout;

/**
 * A rank's place in a ring: data flows from {@code previous} to this rank to {@code next}.
 *
 * @param size how many ranks the ring has
 * @param index this rank's place, from 0 to {@code size - 1}
 * @param previous the rank at the place before, which is this rank itself where it is alone
 * @param next the rank at the place behind
 */
public record Ring(int size, int index, int previous, int next) {

  /** Checks the place. */
  public Ring {
    if (size < 1 || index < 0 || index >= size) {
      throw new IllegalArgumentException("place " + index + " in a ring of " + size);
    }
  }

  /** Returns the place of {@code rank} in the ring that goes through a layout host by host. */
  public static Ring of(HostLayout layout, int rank) {
    int n = layout.ranks();
    int place = layout.place(rank);
    return new Ring(n, place, layout.at((place + n - 1) % n), layout.at((place + 1) % n));
  }

  /**
   * Returns the place of {@code rank} in the ring that visits the ranks in {@code order}.
   *
   * @throws IllegalArgumentException when {@code order} does not hold {@code rank}
   */
  public static Ring of(int[] order, int rank) {
    int n = order.length;
    for (int i = 0; i < n; i++) {
      if (order[i] == rank) {
        return new Ring(n, i, order[(i + n - 1) % n], order[(i + 1) % n]);
      }
    }
    throw new IllegalArgumentException("rank " + rank + " is not in the ring");
  }
}
