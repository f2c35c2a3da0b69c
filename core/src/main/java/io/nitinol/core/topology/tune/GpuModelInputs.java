// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.tune;

import io.nitinol.core.topology.search.ChannelGraph;
import io.nitinol.core.topology.search.GraphKind;
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
