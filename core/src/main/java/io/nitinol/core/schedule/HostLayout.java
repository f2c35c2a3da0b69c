// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule;

import java.util.ArrayList;
import java.util.List;

/**
 * Which ranks live on which host. Hosts are numbered in the order of their lowest rank, and a
 * host's ranks are kept in ascending order; both are the same on all ranks. Immutable.
 */
public final class HostLayout {
  private final int[] hostOf;
  private final int[][] members;

  private HostLayout(int[] hostOf, int[][] members) {
    this.hostOf = hostOf;
    this.members = members;
  }

  /**
   * Groups ranks by host.
   *
   * @param hostKeys by rank, a number that is the same for all ranks of one host
   */
  public static HostLayout of(long... hostKeys) {
    if (hostKeys.length == 0) {
      throw new IllegalArgumentException("a layout needs at least one rank");
    }
    List<Long> hosts = new ArrayList<>();
    List<List<Integer>> ranks = new ArrayList<>();
    int[] hostOf = new int[hostKeys.length];
    for (int r = 0; r < hostKeys.length; r++) {
      int host = hosts.indexOf(hostKeys[r]);
      if (host < 0) {
        host = hosts.size();
        hosts.add(hostKeys[r]);
        ranks.add(new ArrayList<>());
      }
      hostOf[r] = host;
      ranks.get(host).add(r);
    }
    int[][] members = new int[hosts.size()][];
    for (int h = 0; h < members.length; h++) {
      members[h] = ranks.get(h).stream().mapToInt(Integer::intValue).toArray();
    }
    return new HostLayout(hostOf, members);
  }

  /** Returns how many ranks there are. */
  public int ranks() {
    return hostOf.length;
  }

  /** Returns how many hosts there are. */
  public int hosts() {
    return members.length;
  }

  /** Returns the number of the host of {@code rank}. */
  public int host(int rank) {
    return hostOf[rank];
  }

  /** Returns the ranks of {@code host}, ascending. */
  public int[] members(int host) {
    return members[host].clone();
  }

  /** Returns how many ranks {@code host} has. */
  public int size(int host) {
    return members[host].length;
  }

  /** Returns the place of {@code rank} among the ranks of its host. */
  public int index(int rank) {
    int[] mine = members[hostOf[rank]];
    for (int i = 0; i < mine.length; i++) {
      if (mine[i] == rank) {
        return i;
      }
    }
    throw new AssertionError("rank " + rank + " is not on its host");
  }

  /** Returns the size of the smallest host. */
  public int smallestHost() {
    int smallest = Integer.MAX_VALUE;
    for (int[] each : members) {
      smallest = Math.min(smallest, each.length);
    }
    return smallest;
  }

  /** Returns the size of the largest host. */
  public int largestHost() {
    int largest = 0;
    for (int[] each : members) {
      largest = Math.max(largest, each.length);
    }
    return largest;
  }

  /** Returns all ranks host by host, so that a ring leaves each host once. */
  public int[] ringOrder() {
    int[] order = new int[hostOf.length];
    int next = 0;
    for (int[] each : members) {
      for (int rank : each) {
        order[next++] = rank;
      }
    }
    return order;
  }
}
