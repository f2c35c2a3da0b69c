// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import java.util.ArrayList;
import java.util.List;

/** One rank of a group's communicator: does the group's collectives in their order. */
final class SimulatedRank {
  private final Simulation simulation;
  private final int group;
  private final int rank;

  /** The collectives of the group, and which of them is next or under way. */
  private final int[] nodes;

  private int at;
  private boolean underWay;
  private int open;
  private final List<StepRunner> lanes = new ArrayList<>();

  SimulatedRank(Simulation simulation, int group, int rank, int[] nodes) {
    this.simulation = simulation;
    this.group = group;
    this.rank = rank;
    this.nodes = nodes;
  }

  int group() {
    return group;
  }

  int rank() {
    return rank;
  }

  /** Returns the collective that is under way. */
  int node() {
    return nodes[at];
  }

  /** Begins the next collective if what it waits for is done. */
  void tryBegin() {
    while (!underWay && at < nodes.length && simulation.mayBegin(nodes[at], rank)) {
      underWay = true;
      List<SimulatedTask> tasks = simulation.begin(nodes[at], at + 1, this);
      tasks.removeIf(task -> task.done);
      open = tasks.size();
      if (open == 0) {
        end();
      } else if (simulation.costs().serial()) {
        lane(0).begin(tasks);
      } else {
        for (int i = 0; i < tasks.size(); i++) {
          lane(i).begin(List.of(tasks.get(i)));
        }
      }
    }
  }

  /** Returns the lane that task number {@code i} of an operation runs on. */
  StepRunner lane(int i) {
    while (lanes.size() <= i) {
      lanes.add(new StepRunner(simulation, this));
    }
    return lanes.get(i);
  }

  void taskDone() {
    open--;
    if (open == 0) {
      end();
      tryBegin();
    }
  }

  private void end() {
    int node = nodes[at++];
    underWay = false;
    simulation.nodeDone(node, group, rank);
  }
}
