// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.sim.cluster.SimulatedCluster;
import io.nitinol.core.sim.workload.CollectiveSpec;
import io.nitinol.core.sim.workload.Workload;
import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.tuner.Algorithm;
import java.util.List;

/**
 * Finds out whether a few ranks can stand for all. That is so where the cluster looks the same
 * every so many ranks, and every rank does in every step what the rank so many before does, with
 * peers that are as far away. It holds for rings whose chunks are all of one size.
 */
public final class Symmetry {
  private Symmetry() {}

  /**
   * Returns how many ranks stand for all; 0 where each is to be simulated.
   *
   * @param groups by group of the workload, its communicator
   */
  public static int fold(
      SimulatedCluster cluster, List<VirtualCommunicator> groups, Workload workload) {
    int period = cluster.period();
    if (groups.size() != 1 || period == 0) {
      return 0;
    }
    VirtualCommunicator comm = groups.getFirst();
    int n = comm.ranks();
    if (n != cluster.gpus() || n / period < 2) {
      return 0;
    }
    for (int r = 0; r < n; r++) {
      if (comm.gpu(r) != r) {
        return 0;
      }
    }
    for (Workload.Node node : workload.nodes()) {
      CollectiveSpec spec = node.collective();
      if (spec != null && !isAlike(comm, spec, period)) {
        return 0;
      }
    }
    return period;
  }

  private static boolean isAlike(VirtualCommunicator comm, CollectiveSpec spec, int period) {
    if (!VirtualCommunicator.isScheduled(spec.collective())) {
      return false;
    }
    Choice choice = comm.choose(spec.collective(), spec.bytes());
    if (choice.algorithm() != Algorithm.RING) {
      return false;
    }
    // Where chunks differ, the last ones are shorter, and one of these ranks begins with them.
    for (int rank : new int[] {0, period / 2, period - 1, comm.ranks() - 1 - period}) {
      for (int channel = 0; channel < choice.channels(); channel++) {
        if (!isAlike(comm, spec, choice, rank, period, channel)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isAlike(
      VirtualCommunicator comm,
      CollectiveSpec spec,
      Choice choice,
      int rank,
      int period,
      int channel) {
    int n = comm.ranks();
    Schedule one = comm.schedules(spec, choice, rank, channel)[0]; // a ring has no second one
    Schedule other = comm.schedules(spec, choice, rank + period, channel)[0];
    if (one.steps() != other.steps()) {
      return false;
    }
    Step a = new Step();
    Step b = new Step();
    for (long i = 0; i < one.steps(); i++) {
      one.step(i, a);
      other.step(i, b);
      if (a.kind() != b.kind()
          || a.count() != b.count()
          || !isBehind(a.sendPeer(), b.sendPeer(), period, n)
          || !isBehind(a.recvPeer(), b.recvPeer(), period, n)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBehind(int a, int b, int period, int n) {
    return a < 0 ? b < 0 : (a + period) % n == b;
  }
}
