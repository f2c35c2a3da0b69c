// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.tune;

import io.nitinol.core.topology.NodeFacts;
import io.nitinol.core.topology.NodeKind;
import io.nitinol.core.topology.Topology;
import io.nitinol.core.topology.TopologyNode;
import io.nitinol.core.topology.search.ChannelGraph;
import io.nitinol.core.topology.search.GraphKind;
import java.util.List;
import java.util.Map;

/**
 * What the model needs to know.
 *
 * @param graphs the graphs of a host, one of each kind; all hosts are alike
 * @param ranks how many GPUs the job has
 * @param hosts how many hosts
 * @param generation the lowest compute capability of a GPU
 * @param newestGeneration the highest
 * @param arch the processors' architecture
 * @param vendor their vendor, empty except on x86
 * @param nvSwitch whether the hosts have NVSwitches
 * @param channels how many channels the communicator has, after they were doubled
 * @param collNetHeads how many GPUs of a host talk to a network that reduces; 0 without one
 * @param nvlsChannels how many channels reduce in NVSwitches; 0 where they cannot
 */
public record GpuModelInputs(
    Map<GraphKind, ChannelGraph> graphs,
    int ranks,
    int hosts,
    int generation,
    int newestGeneration,
    String arch,
    String vendor,
    boolean nvSwitch,
    int channels,
    int collNetHeads,
    int nvlsChannels) {

  /** Copies the graphs. */
  public GpuModelInputs {
    graphs = Map.copyOf(graphs);
  }

  private static final int NVLS_CHANNELS = 16;
  private static final int NVLS_CHANNELS_100 = 32;
  private static final int NVLS_CHANNELS_100_ONE_HOST = 24;

  /**
   * Takes what a machine and its graphs say.
   *
   * @param topology the machine, of which all hosts are copies
   * @param graphs what was searched in it
   * @param hosts how many hosts the job has
   * @param channels how many channels its communicator has
   */
  public static GpuModelInputs of(
      Topology topology, Map<GraphKind, ChannelGraph> graphs, int hosts, int channels) {
    List<TopologyNode> gpus = topology.nodes(NodeKind.GPU);
    int oldest = Integer.MAX_VALUE;
    int newest = 0;
    for (TopologyNode gpu : gpus) {
      int generation = ((NodeFacts.Gpu) gpu.facts()).computeCapability();
      oldest = Math.min(oldest, generation);
      newest = Math.max(newest, generation);
    }
    String arch = "";
    String vendor = "";
    List<TopologyNode> cpus = topology.nodes(NodeKind.CPU);
    if (!cpus.isEmpty() && cpus.getFirst().facts() instanceof NodeFacts.Cpu cpu) {
      arch = cpu.arch();
      vendor = cpu.vendor();
    }
    ChannelGraph direct =
        graphs.getOrDefault(GraphKind.COLLNET_DIRECT, ChannelGraph.none(GraphKind.COLLNET_DIRECT));
    long heads =
        direct.channels().stream().map(channel -> channel.gpus().getFirst()).distinct().count();
    boolean nvls =
        !graphs
            .getOrDefault(GraphKind.NVLS, ChannelGraph.none(GraphKind.NVLS))
            .channels()
            .isEmpty();
    int nvlsChannels =
        oldest < 100 ? NVLS_CHANNELS : hosts > 1 ? NVLS_CHANNELS_100 : NVLS_CHANNELS_100_ONE_HOST;
    return new GpuModelInputs(
        graphs,
        gpus.size() * hosts,
        hosts,
        oldest,
        newest,
        arch,
        vendor,
        !topology.nodes(NodeKind.NVS).isEmpty(),
        channels,
        (int) heads,
        nvls ? nvlsChannels : 0);
  }

  ChannelGraph graph(GpuAlgorithm algorithm) {
    ChannelGraph graph = graphs.get(algorithm.graph());
    if (graph == null) {
      throw new IllegalArgumentException("no graph of kind " + algorithm.graph());
    }
    return graph;
  }

  boolean isAmd() {
    return arch.equals("x86_64") && vendor.equals("AuthenticAMD");
  }
}
