// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.tree;

import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.Step;
import java.util.Arrays;

/**
 * A rank's place in one of two binary trees that complement each other (as NCCL's ncclGetDtree): an
 * inner node of one is a leaf of the other, but for one rank where the number is odd.
 *
 * <p>With several hosts there is a tree of hosts, and below each host's first node a tree of its
 * ranks, so that each edge of the tree of hosts crosses the network once and no other edge does. A
 * chain inside the host, which NCCL uses, would cross as rarely but be as deep as the host has
 * ranks.
 */
public final class Tree {
  private final int parent;
  private final int[] children;

  private Tree(int parent, int[] children) {
    this.parent = parent;
    this.children = children;
  }

  /** Returns the rank above, or {@link Step#NO_PEER} at the root. */
  public int parent() {
    return parent;
  }

  /** Returns the ranks below, at most 3; not to be changed. */
  public int[] children() {
    return children;
  }

  /**
   * Returns the place of a rank.
   *
   * @param second whether in the second tree
   */
  public static Tree of(HostLayout layout, int rank, boolean second) {
    int[] below = new int[4];
    int count = 0;
    int host = layout.host(rank);
    int[] members = layout.members(host);
    int place = place(layout.index(rank), members.length, second);
    int parent = Step.NO_PEER;
    if (place == 0) {
      int hostPlace = place(host, layout.hosts(), second);
      if (hostPlace > 0) {
        parent = leader(layout, parent(hostPlace, layout.hosts()), second);
      }
      for (int child : children(hostPlace, layout.hosts())) {
        below[count++] = leader(layout, child, second);
      }
    } else {
      parent = members[position(parent(place, members.length), members.length, second)];
    }
    for (int child : children(place, members.length)) {
      below[count++] = members[position(child, members.length, second)];
    }
    return new Tree(parent, Arrays.copyOf(below, count));
  }

  private static int leader(HostLayout layout, int hostPlace, boolean second) {
    int[] members = layout.members(position(hostPlace, layout.hosts(), second));
    return members[position(0, members.length, second)];
  }

  /** Returns the place in the tree of the rank at {@code position} in the order. */
  private static int place(int position, int size, boolean second) {
    if (!second) {
      return position;
    }
    // The mirror exchanges inner nodes and leaves where the number is even, else the shift does.
    return size % 2 == 0 ? size - 1 - position : (position + size - 1) % size;
  }

  private static int position(int place, int size, boolean second) {
    if (!second) {
      return place;
    }
    return size % 2 == 0 ? size - 1 - place : (place + 1) % size;
  }

  /** Returns the place above place {@code r}, which is not 0. */
  private static int parent(int r, int size) {
    int bit = Integer.lowestOneBit(r);
    int up = (r ^ bit) | (bit << 1);
    return up < size ? up : r ^ bit;
  }

  private static int[] children(int r, int size) {
    if (r == 0) {
      return size > 1 ? new int[] {Integer.highestOneBit(size - 1)} : new int[0];
    }
    int half = Integer.lowestOneBit(r) / 2;
    if (half == 0) {
      return new int[0];
    }
    int right = half;
    while (right > 0 && r + right >= size) {
      right /= 2;
    }
    return right == 0 ? new int[] {r - half} : new int[] {r - half, r + right};
  }
}
