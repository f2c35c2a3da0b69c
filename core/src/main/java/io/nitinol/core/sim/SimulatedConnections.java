// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import io.nitinol.core.sim.cluster.SimulatedCluster;
import io.nitinol.toolkit.thread.OneThread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The connections of virtual communicators, each made when it is first asked for: between two
 * ranks, or between a rank and a collective network, whose switches are made with it. Where {@code
 * fold} ranks stand for all, connections that look the same are one.
 */
@OneThread
final class SimulatedConnections {
  private final SimulatedCluster cluster;
  private final List<VirtualCommunicator> groups;
  private final EngineCosts costs;
  private final int fold;
  private final SimulationClock clock;
  private final List<Map<Long, Connection>> byGroup = new ArrayList<>();
  private final List<Map<Long, Boolean>> reducers = new ArrayList<>();

  SimulatedConnections(
      SimulatedCluster cluster,
      List<VirtualCommunicator> groups,
      EngineCosts costs,
      int fold,
      SimulationClock clock) {
    this.cluster = cluster;
    this.groups = groups;
    this.costs = costs;
    this.fold = fold;
    this.clock = clock;
    for (int g = 0; g < groups.size(); g++) {
      byGroup.add(new HashMap<>());
      reducers.add(new HashMap<>());
    }
  }

  /**
   * Returns the connections between a rank and its peers, and makes those that there are not yet.
   *
   * @param peers the ranks at the other ends; one beyond the last rank is the collective network
   * @param sends whether the rank sends; else it receives
   * @param pair whether they are those of sends and receives, and not of a collective
   */
  Connection[] of(int group, int rank, int[] peers, int channel, boolean sends, boolean pair) {
    Connection[] made = new Connection[peers.length];
    for (int i = 0; i < made.length; i++) {
      made[i] =
          sends
              ? connection(group, rank, peers[i], channel, pair)
              : connection(group, peers[i], rank, channel, pair);
    }
    return made;
  }

  private Connection connection(int group, int from, int to, int channel, boolean pair) {
    VirtualCommunicator comm = groups.get(group);
    int n = comm.ranks();
    if (from == n || to == n) {
      return network(group, from == n ? to : from, channel, from == n);
    }
    int source = from;
    int destination = to;
    if (fold > 0) {
      source = from % fold;
      destination = Math.floorMod(source + to - from, n);
    }
    long key = key(n, source, destination, channel, pair);
    Map<Long, Connection> known = byGroup.get(group);
    Connection found = known.get(key);
    if (found == null) {
      found = connect(comm, source, destination);
      known.put(key, found);
    }
    return found;
  }

  private static long key(int n, int from, int to, int channel, boolean pair) {
    return (((long) from * (n + 1) + to) * 64 + channel) * 2 + (pair ? 1 : 0);
  }

  private Connection connect(VirtualCommunicator comm, int from, int to) {
    boolean networked = !comm.sharesMemory(from, to);
    int source = comm.gpu(from);
    int destination = comm.gpu(to);
    int[] route = {};
    if (networked || !costs.serial()) { // a processor writes where the other one reads
      route = cluster.route(source, destination);
      if (fold > 0) {
        for (int i = 0; i < route.length; i++) {
          route[i] = cluster.folded(route[i]);
        }
      }
    }
    double micros =
        networked
            ? costs.messageMicros() + cluster.switches(source, destination) * costs.switchMicros()
            : costs.signalMicros();
    return new Connection(clock, networked, route, (long) (micros * SimulationClock.PICOS));
  }

  /** Returns the way of a head to the collective network, or back. */
  private Connection network(int group, int rank, int channel, boolean back) {
    VirtualCommunicator comm = groups.get(group);
    int head = comm.heads().head(comm.layout().host(rank), comm.layout().index(rank));
    Map<Long, Connection> known = byGroup.get(group);
    if (reducers.get(group).putIfAbsent((long) head * 64 + channel, true) == null) {
      makeReducers(comm, head, channel, known);
    }
    int n = comm.ranks();
    long key = back ? key(n, n, rank, channel, false) : key(n, rank, n, channel, false);
    return Objects.requireNonNull(known.get(key));
  }

  private static int head(VirtualCommunicator comm, int host, int head) {
    return comm.layout().member(host, comm.heads().place(host, head));
  }

  /** Makes the switches for the heads of one number: one for each leaf, and one above them. */
  private void makeReducers(
      VirtualCommunicator comm, int head, int channel, Map<Long, Connection> known) {
    long hop = (long) (costs.switchMicros() * SimulationClock.PICOS);
    long wire = (long) (costs.messageMicros() * SimulationClock.PICOS) + hop;
    Map<Integer, ReducingSwitch> leaves = new HashMap<>();
    ReducingSwitch root = new ReducingSwitch();
    int n = comm.ranks();
    int first = -1;
    boolean several = false;
    for (int host = 0; host < comm.layout().hosts(); host++) {
      int leaf = cluster.leaf(comm.gpu(head(comm, host, head)));
      several |= first >= 0 && leaf != first;
      first = leaf;
    }
    for (int host = 0; host < comm.layout().hosts(); host++) {
      int rank = head(comm, host, head);
      int gpu = comm.gpu(rank);
      int leaf = cluster.leaf(gpu);
      ReducingSwitch on = several ? leaves.get(leaf) : root;
      if (on == null) {
        on = new ReducingSwitch();
        leaves.put(leaf, on);
        Connection up = new Connection(clock, true, cluster.toRoot(leaf, false), hop);
        Connection down = new Connection(clock, true, cluster.toRoot(leaf, true), hop);
        on.setAbove(down, up);
        root.addBelow(up, down);
      }
      Connection there = new Connection(clock, true, cluster.toLeaf(gpu, false), wire);
      Connection back = new Connection(clock, true, cluster.toLeaf(gpu, true), wire);
      on.addBelow(there, back);
      known.put(key(n, rank, n, channel, false), there);
      known.put(key(n, n, rank, channel, false), back);
    }
  }
}
