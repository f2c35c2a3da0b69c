// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.report;

import io.nitinol.core.config.TopologyVariables;
import io.nitinol.core.topology.NodeFacts;
import io.nitinol.core.topology.NodeKind;
import io.nitinol.core.topology.PathOptions;
import io.nitinol.core.topology.Topology;
import io.nitinol.core.topology.TopologyDocument;
import io.nitinol.core.topology.TopologyException;
import io.nitinol.core.topology.TopologyNode;
import io.nitinol.core.topology.TopologyPaths;
import io.nitinol.core.topology.search.ChannelGraph;
import io.nitinol.core.topology.search.GraphDocument;
import io.nitinol.core.topology.search.GraphKind;
import io.nitinol.core.topology.search.GraphSearch;
import io.nitinol.core.topology.search.HostOrders;
import io.nitinol.core.topology.search.SearchOptions;
import io.nitinol.core.topology.tune.GpuCostModel;
import io.nitinol.core.topology.tune.GpuModelInputs;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The graphs of a job on hosts that are all like one machine, and what the model says of them.
 *
 * @param topology the machine
 * @param paths its paths
 * @param hosts how many hosts the job has
 * @param graphs what was searched, or read from {@code NCCL_GRAPH_FILE}
 * @param orders the rings and trees of all ranks
 * @param model what operations cost
 */
public record TopologyReport(
    Topology topology,
    TopologyPaths paths,
    int hosts,
    Map<GraphKind, ChannelGraph> graphs,
    HostOrders orders,
    GpuCostModel model) {

  /**
   * Searches.
   *
   * @param hosts how many hosts the job has
   * @param settings where the variables of the search are read
   * @throws TopologyException where there is nothing to search, or {@code NCCL_GRAPH_FILE} cannot
   *     be used
   */
  public static TopologyReport of(Topology topology, int hosts, Settings settings)
      throws TopologyException {
    TopologyPaths paths = TopologyPaths.of(topology, PathOptions.of(settings));
    boolean reduces =
        topology.nodes(NodeKind.NET).stream()
            .anyMatch(net -> ((NodeFacts.Net) net.facts()).reduces());
    SearchOptions options =
        new SearchOptions(
            hosts > 1,
            settings.get(TopologyVariables.CROSS_NIC),
            reduces,
            settings.get(TopologyVariables.NVLS_ENABLE) != 0);
    Map<GraphKind, ChannelGraph> graphs;
    try {
      graphs = GraphSearch.all(topology, paths, options, given(topology, settings));
    } catch (IllegalArgumentException e) {
      throw new TopologyException("nothing to search: " + e.getMessage(), e);
    }
    HostOrders orders = orders(topology, hosts, graphs);
    GpuModelInputs inputs = GpuModelInputs.of(topology, graphs, hosts, orders.channels());
    return new TopologyReport(topology, paths, hosts, graphs, orders, new GpuCostModel(inputs));
  }

  private static Map<GraphKind, ChannelGraph> given(Topology topology, Settings settings)
      throws TopologyException {
    String file = settings.get(TopologyVariables.GRAPH_FILE);
    if (file.isEmpty()) {
      return Map.of();
    }
    try {
      return GraphDocument.read(Path.of(file), topology);
    } catch (InvalidPathException | TopologyException e) {
      throw new TopologyException(
          ErrorText.of("%s: %s", TopologyVariables.GRAPH_FILE.name(), e.getMessage()), e);
    }
  }

  private static HostOrders orders(
      Topology topology, int hosts, Map<GraphKind, ChannelGraph> graphs) throws TopologyException {
    List<TopologyNode> gpus = topology.nodes(NodeKind.GPU);
    List<HostOrders.Host> all = new ArrayList<>();
    ChannelGraph ring = graphs.getOrDefault(GraphKind.RING, ChannelGraph.none(GraphKind.RING));
    ChannelGraph tree = graphs.getOrDefault(GraphKind.TREE, ChannelGraph.none(GraphKind.TREE));
    for (int host = 0; host < hosts; host++) {
      List<Integer> ranks = new ArrayList<>();
      for (int i = 0; i < gpus.size(); i++) {
        ranks.add(host * gpus.size() + i);
      }
      all.add(new HostOrders.Host(ring, tree, ranks));
    }
    int generation =
        gpus.stream()
            .mapToInt(gpu -> ((NodeFacts.Gpu) gpu.facts()).computeCapability())
            .min()
            .orElse(0);
    int[] ranks = gpus.stream().mapToInt(TopologyReport::rank).sorted().toArray();
    for (int rank = 0; rank < ranks.length; rank++) {
      if (ranks[rank] != rank) {
        throw new TopologyException(
            ErrorText.of(
                "the GPUs have the ranks %s; expected each from 0 to %d once",
                Arrays.toString(ranks), ranks.length - 1));
      }
    }
    return new HostOrders(all, generation);
  }

  private static int rank(TopologyNode gpu) {
    return ((NodeFacts.Gpu) gpu.facts()).rank();
  }

  /**
   * Writes {@code NCCL_GRAPH_DUMP_FILE}, if it is set.
   *
   * @throws IOException with the variable, the file and a reason in words
   */
  public void dump(Settings settings) throws IOException {
    String file = settings.get(TopologyVariables.GRAPH_DUMP_FILE);
    if (!file.isEmpty()) {
      write(TopologyVariables.GRAPH_DUMP_FILE.name(), file, GraphDocument.text(graphs));
    }
  }

  /**
   * Writes a topology to {@code NCCL_TOPO_DUMP_FILE}, if it is set.
   *
   * @throws IOException with the variable, the file and a reason in words
   */
  public static void dump(TopologyDocument document, Settings settings) throws IOException {
    String file = settings.get(TopologyVariables.TOPO_DUMP_FILE);
    if (!file.isEmpty()) {
      write(TopologyVariables.TOPO_DUMP_FILE.name(), file, document.text());
    }
  }

  private static void write(String variable, String file, String text) throws IOException {
    try {
      OutputFile.write(Path.of(file), text);
    } catch (InvalidPathException | IOException e) {
      throw new IOException(
          ErrorText.of("%s=%s cannot be written: %s", variable, file, e.getMessage()), e);
    }
  }
}
