// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

import java.util.List;
import java.util.Objects;

/**
 * A team as one of its ranks sees it. All ranks pass the same {@code processes} and {@code blocks}.
 *
 * @param rank the number of this rank, from 0
 * @param processes for each rank a number that tells its process: ranks of one process have the
 *     same and use each other's addresses as they are, others open each other's memory. As many as
 *     the team has ranks
 * @param blocks how many blocks a fused collective runs at the most, each on a processor of its
 *     own; {@link #DEFAULT_BLOCKS} leaves it to the provider
 * @param exchange carries bytes among the ranks
 */
public record DeviceTeamConfig(
    int rank, List<Integer> processes, int blocks, TeamExchange exchange) {

  /** The provider chooses the number of blocks, for each operation as it likes. */
  public static final int DEFAULT_BLOCKS = 0;

  /**
   * Checks the numbers and copies the list.
   *
   * @throws IllegalArgumentException when the rank is not in the team, or blocks are negative
   */
  public DeviceTeamConfig {
    processes = List.copyOf(processes);
    Objects.requireNonNull(exchange, "exchange");
    if (rank < 0 || rank >= processes.size()) {
      throw new IllegalArgumentException("rank " + rank + " of a team of " + processes.size());
    }
    if (blocks < 0) {
      throw new IllegalArgumentException("number of blocks: expected 0 or more, got " + blocks);
    }
  }

  /** {@return the number of ranks} */
  public int ranks() {
    return processes.size();
  }

  /**
   * Returns whether another rank is in the process of this one.
   *
   * @param other its number
   * @return true if it is
   */
  public boolean sameProcess(int other) {
    return processes.get(rank).equals(processes.get(other));
  }
}
