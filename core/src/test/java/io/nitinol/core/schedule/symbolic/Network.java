// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A collective network as the heads of one task see it: the messages of a group that have the same
 * number are reduced, in the order of the ranks, once all are there. A message takes a slot from
 * when it is sent until its result has been used.
 */
final class Network {
  private record Message(List<SymbolicPiece> data, long[] clock) {}

  private static final class Head {
    final ArrayDeque<Message> sent = new ArrayDeque<>();
    final ArrayDeque<Message> results = new ArrayDeque<>();
    int slots;
  }

  private final Values values;
  private final int hosts;
  private final long slotCount;

  /** By the number of its members, each a rank on another host. */
  private final Map<Integer, TreeMap<Integer, Head>> groups = new HashMap<>();

  private final Map<Integer, Integer> groupOf = new HashMap<>();

  Network(Values values, int hosts, long slotCount) {
    this.values = values;
    this.hosts = hosts;
    this.slotCount = slotCount;
  }

  void join(int rank, int group) {
    groupOf.put(rank, group);
    groups.computeIfAbsent(group, g -> new TreeMap<>()).computeIfAbsent(rank, r -> new Head());
  }

  private TreeMap<Integer, Head> group(int rank) {
    Integer group = groupOf.get(rank);
    Values.check(group != null, "rank " + rank + " is no head");
    return groups.get(group);
  }

  private Head head(int rank) {
    return group(rank).get(rank);
  }

  boolean hasRoom(int rank) {
    return head(rank).slots < Links.SLOTS;
  }

  boolean hasResult(int rank) {
    return !head(rank).results.isEmpty();
  }

  void send(int rank, List<SymbolicPiece> data, Clock by) {
    Values.check(SymbolicPiece.length(data) <= slotCount, "gives the network more than it takes");
    TreeMap<Integer, Head> group = group(rank);
    Values.check(group.size() == hosts, "group of " + group.keySet() + " on " + hosts + " hosts");
    Head mine = head(rank);
    mine.sent.add(new Message(data, by.snapshot()));
    mine.slots++;
    if (group.values().stream().noneMatch(each -> each.sent.isEmpty())) {
      reduce(new ArrayList<>(group.values()));
    }
  }

  private void reduce(List<Head> heads) {
    List<SymbolicPiece> sum = null;
    long[] seen = null;
    for (Head head : heads) {
      Message message = head.sent.remove();
      if (sum == null || seen == null) {
        sum = message.data();
        seen = message.clock().clone();
        continue;
      }
      Values.check(
          SymbolicPiece.length(sum) == SymbolicPiece.length(message.data()),
          "heads give messages of different lengths");
      sum = SymbolicPiece.zip(sum, message.data(), values::reduce);
      for (int i = 0; i < seen.length; i++) {
        seen[i] = Math.max(seen[i], message.clock()[i]);
      }
    }
    if (sum != null && seen != null) {
      for (Head head : heads) {
        head.results.add(new Message(sum, seen));
      }
    }
  }

  List<SymbolicPiece> receive(int rank, Clock by) {
    Head mine = head(rank);
    Message result = mine.results.remove();
    mine.slots--;
    by.join(result.clock());
    return result.data();
  }

  void checkEmpty() {
    groups
        .values()
        .forEach(group ->
            group.forEach((rank, head) ->
                Values.check(
                    head.slots == 0, "rank " + rank + " has left results in the network")));
  }
}
