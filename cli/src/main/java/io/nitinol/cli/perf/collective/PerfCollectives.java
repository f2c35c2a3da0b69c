// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All collectives there are, in the order in which they are listed. */
public final class PerfCollectives {
  private static final List<PerfCollective> ALL = inOrder();

  private PerfCollectives() {}

  private static List<PerfCollective> inOrder() {
    List<PerfCollective> all = new ArrayList<>(List.of(RegularCollective.values()));
    all.add(all.indexOf(RegularCollective.ALL_TO_ALL) + 1, allToAllV(1));
    all.addAll(List.of(UnevenCollective.values()));
    all.add(new Barrier());
    return List.copyOf(all);
  }

  /** Returns all, {@code alltoallv} with nccl-tests' own pattern. */
  public static List<PerfCollective> all() {
    return ALL;
  }

  /** Returns the collective of that name, or null. */
  public static @Nullable PerfCollective named(String label) {
    return ALL.stream()
        .filter(collective -> collective.label().equalsIgnoreCase(label))
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns messages from each rank of the first half to one of the second.
   *
   * @param both whether these send back at the same time
   */
  public static PairwiseSends halves(boolean both) {
    return PairwiseSends.halves(both);
  }

  /** Returns a message from one rank to another one, in which no other rank has a part. */
  public static PairwiseSends pair(int from, int to) {
    return PairwiseSends.pair(from, to);
  }

  /**
   * Returns {@code alltoallv} with nccl-tests' own pattern.
   *
   * @param spread from 0, where every rank gets the same, to 1, where ranks further on get more
   */
  public static PerfCollective allToAllV(double spread) {
    return new AllToAllV(new WeightedTraffic(spread));
  }

  /** Returns {@code alltoallv} with the numbers of a file. */
  public static PerfCollective allToAllV(TrafficMatrix matrix) {
    return new AllToAllV(matrix);
  }
}
