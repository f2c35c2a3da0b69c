// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds ranks that wait for each other in a circle, in time that is linear in the waits. */
final class WaitCircles {
  private static final int LEAST = 3; // two that wait for each other are told by themselves

  private final Map<Integer, SortedSet<Integer>> waits = new LinkedHashMap<>();
  private final Map<Integer, Set<Integer>> waiting = new HashMap<>();

  private WaitCircles(List<Diagnosis.Link> links) {
    for (Diagnosis.Link link : links) {
      if (link.from() != link.to()) {
        waits.computeIfAbsent(link.from(), from -> new TreeSet<>()).add(link.to());
        waiting.computeIfAbsent(link.to(), to -> new LinkedHashSet<>()).add(link.from());
      }
    }
  }

  /**
   * Returns circles of three ranks and more that have no rank in common, each in the order of its
   * waits; where ranks wait for several ones, there may be others.
   */
  static List<List<Integer>> of(List<Diagnosis.Link> links) {
    return new WaitCircles(links).find();
  }

  private List<List<Integer>> find() {
    prune();
    List<List<Integer>> circles = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    for (int begin : waits.keySet()) {
      // From each rank that is left one goes on for ever, so the walk meets an old or its own path.
      List<Integer> path = new ArrayList<>();
      int rank = begin;
      while (seen.add(rank)) {
        path.add(rank);
        rank = next(rank);
      }
      int at = path.indexOf(rank);
      if (at >= 0 && path.size() - at >= LEAST) {
        circles.add(List.copyOf(path.subList(at, path.size())));
      }
    }
    return circles;
  }

  /** Removes the ranks that wait for none, then those that waited for these alone, and so on. */
  private void prune() {
    Deque<Integer> ends = new ArrayDeque<>();
    for (int rank : waiting.keySet()) {
      if (!waits.containsKey(rank)) {
        ends.add(rank);
      }
    }
    while (!ends.isEmpty()) {
      int end = ends.remove();
      for (int rank : waiting.getOrDefault(end, Set.of())) {
        SortedSet<Integer> left = waits.get(rank);
        if (left != null && left.remove(end) && left.isEmpty()) {
          waits.remove(rank);
          ends.add(rank);
        }
      }
    }
  }

  /** Returns the first rank that this one waits for and that does not wait for it, if any. */
  private int next(int rank) {
    SortedSet<Integer> left = waits.getOrDefault(rank, new TreeSet<>());
    for (int other : left) {
      if (!waits.getOrDefault(other, new TreeSet<>()).contains(rank)) {
        return other;
      }
    }
    return left.first();
  }
}
