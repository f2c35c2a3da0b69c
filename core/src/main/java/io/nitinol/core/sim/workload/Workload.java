// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.workload;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that wait for each other. A node is done by each GPU of its group; it may begin on a GPU
 * when all nodes that it waits for, and that this GPU takes part in, are done there. The
 * collectives of a group begin in the order of the list on each GPU, one after the other.
 *
 * @param groups the groups
 * @param nodes the nodes; each waits for earlier ones only
 */
public record Workload(List<Group> groups, List<Node> nodes) {
  /** The most nodes. */
  public static final int MOST_NODES = 100_000;

  /** The most GPUs that all groups have together. */
  public static final int MOST_MEMBERS = 1 << 24;

  /** Copies the lists. */
  public Workload {
    groups = List.copyOf(groups);
    nodes = List.copyOf(nodes);
  }

  /**
   * Some GPUs; {@code gpus[r]} is rank {@code r} of the group's communicator.
   *
   * @param name for reports
   * @param gpus by rank, from 0; not to be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // a hundred thousand numbers, compared by no code
  public record Group(String name, int[] gpus) {}

  /**
   * Something that the GPUs of a group do.
   *
   * @param name for reports
   * @param group its place in the list of groups
   * @param collective what it is; null for compute
   * @param picos how long a compute takes, in picoseconds; 0 for a collective
   * @param after the places of the nodes it waits for; not to be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // as above
  public record Node(
      String name, int group, @Nullable CollectiveSpec collective, long picos, int[] after) {}
}
