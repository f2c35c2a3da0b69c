// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.cluster;

import io.nitinol.core.topology.NodeFacts;
import io.nitinol.core.topology.NodeKind;
import io.nitinol.core.topology.PathOptions;
import io.nitinol.core.topology.Topology;
import io.nitinol.core.topology.TopologyNode;
import io.nitinol.core.topology.TopologyPath;
import io.nitinol.core.topology.TopologyPaths;
import io.nitinol.toolkit.ErrorText;
import java.util.Arrays;
import java.util.List;

/**
 * A kind of host.
 *
 * @param nicOf by GPU, the network device that it uses
 * @param nicRates by network device, in bytes per microsecond each way
 * @param gpuRate what a GPU exchanges with the other ones of its host, in bytes per microsecond
 *     each way
 */
public record HostType(List<Integer> nicOf, List<Double> nicRates, double gpuRate) {
  /** The most GPUs and network devices of a host. */
  public static final int MOST = 1024;

  /** Bytes per microsecond of a GB/s. */
  private static final double GBYTES = 1000;

  /** Checks the numbers. */
  public HostType {
    nicOf = List.copyOf(nicOf);
    nicRates = List.copyOf(nicRates);
    if (nicOf.isEmpty() || nicOf.size() > MOST || nicRates.isEmpty() || nicRates.size() > MOST) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "%d GPUs and %d network devices a host; expected 1 to %d of each",
              nicOf.size(), nicRates.size(), MOST));
    }
    for (int nic : nicOf) {
      if (nic < 0 || nic >= nicRates.size()) {
        throw new IllegalArgumentException("network device " + nic + " of " + nicRates.size());
      }
    }
  }

  /** Returns how many GPUs, and so ranks, there are. */
  public int gpus() {
    return nicOf.size();
  }

  /** Returns how many network devices there are. */
  public int nics() {
    return nicRates.size();
  }

  /**
   * Returns a host whose GPUs share its network devices evenly, neighbours the same one.
   *
   * @param nicRate bytes per microsecond of each device
   * @param gpuRate bytes per microsecond of each GPU within the host
   */
  public static HostType of(int gpus, int nics, double nicRate, double gpuRate) {
    Integer[] nicOf = new Integer[gpus];
    for (int g = 0; g < gpus; g++) {
      nicOf[g] = (int) ((long) g * nics / gpus);
    }
    Double[] rates = new Double[nics];
    Arrays.fill(rates, nicRate);
    return new HostType(List.of(nicOf), List.of(rates), gpuRate);
  }

  /**
   * Returns the host that a topology file describes: each GPU uses the nearest network device, of
   * equal ones the one that fewest use, and no more of its speed than the way there gives.
   *
   * @param name what errors call the file
   * @throws IllegalArgumentException where it has no GPU or no network device
   */
  public static HostType of(String name, Topology topology) {
    List<TopologyNode> gpus = topology.nodes(NodeKind.GPU);
    List<TopologyNode> nets = topology.nodes(NodeKind.NET);
    if (gpus.isEmpty() || nets.isEmpty()) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "%s has %d GPUs with a rank and %d network devices; expected 1 or more of each",
              name, gpus.size(), nets.size()));
    }
    TopologyPaths paths = TopologyPaths.of(topology, PathOptions.DEFAULT);
    Double[] rates = new Double[nets.size()];
    for (int n = 0; n < rates.length; n++) {
      int mbps = nets.get(n).facts() instanceof NodeFacts.Net net ? net.mbps() : 0;
      rates[n] = (mbps <= 0 ? 10_000 : mbps) / 8.0;
    }
    int[] users = new int[rates.length];
    Integer[] nicOf = new Integer[gpus.size()];
    double gpuRate = Double.MAX_VALUE;
    for (int g = 0; g < nicOf.length; g++) {
      int best = 0;
      for (int n = 1; n < rates.length; n++) {
        TopologyPath one = paths.path(gpus.get(g), nets.get(n));
        TopologyPath other = paths.path(gpus.get(g), nets.get(best));
        int nearer = one.kind().compareTo(other.kind());
        if (nearer == 0) {
          nearer = Float.compare(other.bandwidth(), one.bandwidth());
        }
        if (nearer < 0 || (nearer == 0 && users[n] < users[best])) {
          best = n;
        }
      }
      nicOf[g] = best;
      users[best]++;
      double way = paths.path(gpus.get(g), nets.get(best)).bandwidth() * GBYTES;
      rates[best] = way > 0 ? Math.min(rates[best], way) : rates[best];
      for (int other = 0; other < nicOf.length; other++) {
        double between = paths.path(gpus.get(g), gpus.get(other)).bandwidth() * GBYTES;
        gpuRate = other != g && between > 0 ? Math.min(gpuRate, between) : gpuRate;
      }
    }
    double rate = gpuRate == Double.MAX_VALUE ? rates[0] : gpuRate;
    return new HostType(List.of(nicOf), List.of(rates), rate);
  }
}
