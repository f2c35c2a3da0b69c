// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import io.nitinol.core.shm.ShmDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;

/** What members of a team tell each other out of band, all in this process. */
final class Postbox {
  private final ConcurrentMap<String, Queue<byte[]>> messages = new ConcurrentHashMap<>();

  private Queue<byte[]> queue(int from, int to) {
    return messages.computeIfAbsent(from + ">" + to, key -> new ConcurrentLinkedQueue<>());
  }

  TeamSetup setup(TeamPlan plan, ShmDirectory directory) {
    int own = plan.ranks().get(plan.index());
    return new TeamSetup(
        plan,
        directory,
        (to, message) -> queue(own, to).add(message),
        from -> queue(from, own).poll());
  }

  /** Makes a team of ranks 10, 20, ... and returns the members' views. */
  static List<Team> team(
      int members, boolean oneProcess, List<AreaShape> areas, ShmDirectory directory) {
    Postbox box = new Postbox();
    List<Integer> ranks = IntStream.rangeClosed(1, members).mapToObj(i -> 10 * i).toList();
    List<TeamSetup> setups = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      setups.add(box.setup(new TeamPlan(ranks, i, oneProcess, areas), directory));
    }
    Team[] teams = new Team[members];
    try {
      for (int made = 0, polls = 0; made < members; polls++) {
        if (polls == 100) {
          throw new AssertionError("only " + made + " of " + members + " members have a team");
        }
        for (int i = 0; i < members; i++) {
          if (teams[i] == null) {
            teams[i] = setups.get(i).poll();
            made += teams[i] == null ? 0 : 1;
          }
        }
      }
    } finally {
      setups.forEach(TeamSetup::close); // which leaves teams as they are
    }
    return List.of(teams);
  }
}
