// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** All collectives there are, in the order in which they are listed. */
public final class Collectives {
  private static final List<Collective> ALL =
      List.of(
          new AllReduce(),
          new AllGather(),
          new ReduceScatter(),
          new Broadcast(),
          new Reduce(),
          new AllToAll(),
          new AllToAllV(new WeightedTraffic(1)),
          new Gather(),
          new Scatter(),
          new SendRecv());

  private Collectives() {}

  /** Returns all, {@code alltoallv} with nccl-tests' own pattern. */
  public static List<Collective> all() {
    return ALL;
  }

  /** Returns the collective that nccl-tests calls {@code label}, or null. */
  public static @Nullable Collective named(String label) {
    return ALL.stream()
        .filter(collective -> collective.label().equalsIgnoreCase(label))
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns {@code alltoallv} with nccl-tests' own pattern.
   *
   * @param spread from 0, where every rank gets the same, to 1, where ranks further on get more
   */
  public static Collective allToAllV(double spread) {
    return new AllToAllV(new WeightedTraffic(spread));
  }

  /** Returns {@code alltoallv} with the numbers of a file. */
  public static Collective allToAllV(TrafficMatrix matrix) {
    return new AllToAllV(matrix);
  }
}
