// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.topo;

import io.nitinol.core.topology.NodeFacts;
import io.nitinol.core.topology.NodeKind;
import io.nitinol.core.topology.Topology;
import io.nitinol.core.topology.TopologyLink;
import io.nitinol.core.topology.TopologyNode;
import io.nitinol.core.topology.TopologyPath;
import io.nitinol.core.topology.TopologyPaths;
import io.nitinol.core.topology.report.TopologyReport;
import io.nitinol.core.topology.search.ChannelGraph;
import io.nitinol.core.topology.tune.GpuAlgorithm;
import io.nitinol.core.topology.tune.GpuCollective;
import io.nitinol.spi.tuner.Protocol;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The graph and its paths as JSON. */
final class TopologyJson {
  private TopologyJson() {}

  /**
   * Returns the text.
   *
   * @param report what was searched; null leaves it out
   */
  static String text(Topology topology, TopologyPaths paths, @Nullable TopologyReport report) {
    JsonMapper mapper = JsonMapper.builder().build();
    ObjectNode root = mapper.createObjectNode();
    ArrayNode nodes = root.putArray("nodes");
    ArrayNode links = root.putArray("links");
    for (TopologyNode node : topology.nodes()) {
      ObjectNode shown = nodes.addObject();
      shown.put("name", node.toString()).put("kind", node.kind().name());
      shown.put("host", node.system()).put("id", node.id());
      putFacts(shown, node.facts());
      for (TopologyLink link : node.links()) {
        links
            .addObject()
            .put("from", node.toString())
            .put("to", link.to().toString())
            .put("kind", link.kind().name())
            .put("gbytes_per_s", link.bandwidth());
      }
    }
    List<TopologyNode> ends = new ArrayList<>(topology.nodes(NodeKind.GPU));
    ends.addAll(topology.nodes(NodeKind.NET));
    ArrayNode shown = root.putArray("paths");
    for (TopologyNode from : ends) {
      for (TopologyNode to : ends) {
        TopologyPath path = paths.path(from, to);
        shown
            .addObject()
            .put("from", from.toString())
            .put("to", to.toString())
            .put("kind", path.kind().name())
            .put("gbytes_per_s", path.bandwidth())
            .put("hops", path.hops());
      }
    }
    if (report != null) {
      putGraphs(root, report);
    }
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
  }

  private static void putGraphs(ObjectNode root, TopologyReport report) {
    ArrayNode graphs = root.putArray("graphs");
    for (ChannelGraph graph : report.graphs().values()) {
      ObjectNode shown = graphs.addObject();
      shown.put("kind", graph.kind().name()).put("pattern", graph.pattern().name());
      shown.put("cross_nic", graph.crossNic());
      shown.put("gbytes_per_s_intra", graph.intra()).put("gbytes_per_s_inter", graph.inter());
      shown.put("path_intra", graph.intraKind().name());
      shown.put("path_inter", graph.interKind().name());
      ArrayNode channels = shown.putArray("channels");
      graph.channels().forEach(channel -> channels.add(GraphText.order(channel)));
    }
    root.put("channels", report.orders().channels());
    ArrayNode rings = root.putArray("rings");
    for (int channel = 0; channel < report.orders().channels(); channel++) {
      ArrayNode ring = rings.addArray();
      report.orders().ring(channel).forEach(ring::add);
    }
    ArrayNode costs = root.putArray("costs");
    for (GpuCollective collective : GpuCollective.values()) {
      for (GpuAlgorithm algorithm : GpuAlgorithm.values()) {
        for (Protocol protocol : Protocol.values()) {
          float bandwidth = report.model().bandwidth(collective, algorithm, protocol);
          if (bandwidth > 0) {
            costs
                .addObject()
                .put("collective", collective.label())
                .put("algorithm", algorithm.label())
                .put("protocol", protocol.name())
                .put("latency_us", report.model().latency(collective, algorithm, protocol))
                .put("gbytes_per_s", bandwidth);
          }
        }
      }
    }
  }

  private static void putFacts(ObjectNode shown, NodeFacts facts) {
    switch (facts) {
      case NodeFacts.Gpu gpu ->
          shown
              .put("device", gpu.device())
              .put("rank", gpu.rank())
              .put("compute_capability", gpu.computeCapability())
              .put("gdr", gpu.gdr());
      case NodeFacts.Net net ->
          shown
              .put("device", net.device())
              .put("device_name", net.name())
              .put("guid", net.guid())
              .put("port", net.port())
              .put("speed_mbps", net.mbps())
              .put("latency_us", net.latency())
              .put("gdr", net.gdr())
              .put("reduces", net.reduces());
      case NodeFacts.Cpu cpu ->
          shown
              .put("numa", cpu.numa())
              .put("arch", cpu.arch())
              .put("vendor", cpu.vendor())
              .put("family", cpu.family())
              .put("model", cpu.model())
              .put("affinity", cpu.affinity());
      case NodeFacts.Pci pci -> shown.put("device", Long.toHexString(pci.device()));
      case NodeFacts.None _ -> {}
    }
  }
}
