// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule;

import java.util.HashMap;
import java.util.Map;

/**
 * Which ranks live on which host. Hosts are numbered in the order of their lowest rank, and a
 * host's ranks are kept in ascending order; both are the same on all ranks. Immutable.
 */
public final class HostLayout {
  private final int[] hostOf;

  /** By rank, its place among the ranks of its host. */
  private final int[] indexOf;

  private final int[][] members;

  /** All ranks host by host; by rank, its place there. */
  private final int[] order;

  private final int[] placeOf;
  private final int smallest;
  private final int largest;

  private HostLayout(int[] hostOf, int[][] members) {
    this.hostOf = hostOf;
    this.members = members;
    this.indexOf = new int[hostOf.length];
    this.order = new int[hostOf.length];
    this.placeOf = new int[hostOf.length];
    int next = 0;
    int least = Integer.MAX_VALUE;
    int most = 0;
    for (int[] each : members) {
      least = Math.min(least, each.length);
      most = Math.max(most, each.length);
      for (int i = 0; i < each.length; i++) {
        indexOf[each[i]] = i;
        placeOf[each[i]] = next;
        order[next++] = each[i];
      }
    }
    this.smallest = least;
    this.largest = most;
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
    Map<Long, Integer> hosts = new HashMap<>();
    int[] hostOf = new int[hostKeys.length];
    int[] sizes = new int[hostKeys.length];
    for (int r = 0; r < hostKeys.length; r++) {
      Integer known = hosts.putIfAbsent(hostKeys[r], hosts.size());
      hostOf[r] = known == null ? hosts.size() - 1 : known;
      sizes[hostOf[r]]++;
    }
    int[][] members = new int[hosts.size()][];
    for (int h = 0; h < members.length; h++) {
      members[h] = new int[sizes[h]];
    }
    for (int r = hostKeys.length - 1; r >= 0; r--) {
      members[hostOf[r]][--sizes[hostOf[r]]] = r;
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

  /** Returns the rank with place {@code index} on {@code host}. */
  public int member(int host, int index) {
    return members[host][index];
  }

  /** Returns the place of {@code rank} among the ranks of its host. */
  public int index(int rank) {
    return indexOf[rank];
  }

  /** Returns the size of the smallest host. */
  public int smallestHost() {
    return smallest;
  }

  /** Returns the size of the largest host. */
  public int largestHost() {
    return largest;
  }

  /** Returns all ranks host by host, so that a ring leaves each host once. */
  public int[] ringOrder() {
    return order.clone();
  }

  /** Returns the place of {@code rank} in {@link #ringOrder}. */
  public int place(int rank) {
    return placeOf[rank];
  }

  /** Returns the rank at {@code place} of {@link #ringOrder}, from 0 to the ranks less 1. */
  public int at(int place) {
    return order[place];
  }
}
