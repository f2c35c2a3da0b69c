// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.transport.PeerInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which ranks use each other's device memory: every rank is in one team. A pure function of what
 * all ranks know, so that all come to the same.
 *
 * @param members the ranks of each team in ascending order; the teams in the order of their first
 *     ranks
 */
record TeamPartition(List<List<Integer>> members) {

  TeamPartition {
    members = members.stream().map(List::copyOf).toList();
  }

  /**
   * Puts each rank into the first team that it goes together with. Two ranks go together where they
   * are on one host, each device reaches the other or is the same, and, in different processes,
   * both open memory of others. So a team has one device provider's memory all in reach.
   *
   * @param peers who the ranks are
   * @param devices what they have
   * @param apart whether no rank may use another's memory
   */
  static TeamPartition of(List<PeerInfo> peers, List<DevicePlacement> devices, boolean apart) {
    List<List<Integer>> teams = new ArrayList<>();
    for (int rank = 0; rank < peers.size(); rank++) {
      List<Integer> found = null;
      for (List<Integer> team : teams) {
        if (found == null && !apart && goesWith(rank, team, peers, devices)) {
          found = team;
        }
      }
      if (found == null) {
        found = new ArrayList<>();
        teams.add(found);
      }
      found.add(rank);
    }
    return new TeamPartition(teams);
  }

  private static boolean goesWith(
      int rank, List<Integer> team, List<PeerInfo> peers, List<DevicePlacement> devices) {
    for (int member : team) {
      if (!together(peers.get(rank), devices.get(rank), peers.get(member), devices.get(member))) {
        return false;
      }
    }
    return true;
  }

  private static boolean together(
      PeerInfo one, DevicePlacement oneHas, PeerInfo other, DevicePlacement otherHas) {
    if (one.host() != other.host()) {
      return false;
    }
    if (one.pid() != other.pid() && !(oneHas.handles() && otherHas.handles())) {
      return false;
    }
    return oneHas.uuid().equals(otherHas.uuid())
        || (oneHas.reaches().contains(otherHas.uuid())
            && otherHas.reaches().contains(oneHas.uuid()));
  }

  /** Returns the partition in which each rank is alone. */
  static TeamPartition alone(int ranks) {
    return new TeamPartition(IntStream.range(0, ranks).mapToObj(List::of).toList());
  }

  /** Returns whether each rank is alone. */
  boolean isAlone() {
    return members.stream().allMatch(team -> team.size() == 1);
  }

  /** Returns how many teams there are. */
  int teams() {
    return members.size();
  }

  /** Returns the number of the team of a rank. */
  int teamOf(int rank) {
    for (int team = 0; team < members.size(); team++) {
      if (members.get(team).contains(rank)) {
        return team;
      }
    }
    throw new IllegalArgumentException("no rank " + rank);
  }

  /** Returns the number of a rank in its team. */
  int indexOf(int rank) {
    return members.get(teamOf(rank)).indexOf(rank);
  }
}
