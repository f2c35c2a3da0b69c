// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** How many times as fast as NCCL a row is to be. */
final class GpuGoals {
  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;

  /** Up to here operations run in graphs, too. */
  static final long MOST_GRAPH = 4 * MIB;

  private static final long SMALL = 64 * KIB;
  private static final long BANDWIDTH = MIB;

  /** All-reduce by its greatest size; a size between two has the goal of the greater one. */
  private static final NavigableMap<Long, Double> TWO =
      new TreeMap<>(
          Map.of(
              64 * KIB, 2.5,
              256 * KIB, 2.0,
              4 * MIB, 1.5,
              16 * MIB, 1.3,
              256 * MIB, 1.15,
              1024 * MIB, 1.08));

  private static final NavigableMap<Long, Double> MORE =
      new TreeMap<>(
          Map.of(
              64 * KIB, 2.5,
              256 * KIB, 1.5,
              4 * MIB, 1.45,
              16 * MIB, 1.1,
              256 * MIB, 1.05,
              1024 * MIB, 1.03));

  private GpuGoals() {}

  /**
   * Returns the least ratio of NCCL's time to ours.
   *
   * @return the goal; 0 where there is none
   */
  static double of(GpuCase where, GpuOperation operation, long bytes, boolean graph) {
    if (where.ranks() < 2 || where.shared()) {
      return 0;
    }
    if (where.mode() == GpuCase.Mode.HOSTS) {
      return bytes >= BANDWIDTH ? 1.5 : 1;
    }
    if (operation == GpuOperation.ALL_REDUCE && graph == (bytes <= MOST_GRAPH)) {
      NavigableMap<Long, Double> table = where.ranks() == 2 ? TWO : MORE;
      Map.Entry<Long, Double> entry = table.ceilingEntry(bytes);
      return entry == null ? 1 : entry.getValue();
    }
    return graph && bytes <= SMALL ? 1.5 : 1;
  }
}
