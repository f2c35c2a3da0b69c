// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.collnet;

/**
 * Which ranks of each host talk to a collective network; mirrors the heads of NCCL's CollNet
 * graphs. Every host has the same number of them, and those of one number are a group. Immutable;
 * the same on all ranks.
 */
public final class CollNetHeads {
  private final int count;

  /** By host and head, the place among the ranks of the host; none: head h has place h. */
  private final int[][] places;

  private CollNetHeads(int count, int[][] places) {
    if (count < 1) {
      throw new IllegalArgumentException(count + " heads; expected 1 or more");
    }
    this.count = count;
    this.places = places;
  }

  /** Returns so many heads, the ranks with the lowest numbers of each host. */
  public static CollNetHeads first(int count) {
    return new CollNetHeads(count, new int[0][]);
  }

  /**
   * Returns heads that were chosen.
   *
   * @param places by host and head, the place among the ranks of the host; kept
   */
  public static CollNetHeads at(int[][] places) {
    return new CollNetHeads(places[0].length, places);
  }

  /** Returns how many heads each host has. */
  public int count() {
    return count;
  }

  /** Returns the place of a head among the ranks of its host. */
  public int place(int host, int head) {
    return places.length == 0 ? head : places[host][head];
  }

  /** Returns the places of all heads of a host, by their numbers. */
  public int[] places(int host) {
    int[] all = new int[count];
    for (int head = 0; head < count; head++) {
      all[head] = place(host, head);
    }
    return all;
  }

  /** Returns the number of the head that a rank is; -1 for a rank that is none. */
  public int head(int host, int place) {
    for (int head = 0; head < count; head++) {
      if (place(host, head) == place) {
        return head;
      }
    }
    return -1;
  }
}
