// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.topo;

import io.nitinol.cli.inspect.TextTable;
import io.nitinol.core.topology.LinkKind;
import io.nitinol.core.topology.NodeFacts;
import io.nitinol.core.topology.NodeKind;
import io.nitinol.core.topology.PathKind;
import io.nitinol.core.topology.Topology;
import io.nitinol.core.topology.TopologyLink;
import io.nitinol.core.topology.TopologyNode;
import io.nitinol.core.topology.TopologyPath;
import io.nitinol.core.topology.TopologyPaths;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The graph as a tree below each CPU, and the paths as a matrix. */
final class TopologyText {
  private TopologyText() {}

  static List<String> lines(Topology topology, TopologyPaths paths) {
    List<String> lines = new ArrayList<>();
    for (TopologyNode cpu : topology.nodes(NodeKind.CPU)) {
      lines.add(label(cpu));
      addBelow(cpu, null, "  ", lines);
    }
    List<TopologyNode> ends = new ArrayList<>(topology.nodes(NodeKind.GPU));
    ends.addAll(topology.nodes(NodeKind.NET));
    lines.add("");
    if (ends.isEmpty()) {
      lines.add("The file has no GPU with a rank and no network device.");
      return lines;
    }
    List<String> titles = new ArrayList<>(List.of("FROM \\ TO"));
    ends.forEach(end -> titles.add(shortLabel(end)));
    TextTable table = new TextTable(titles.toArray(String[]::new));
    for (TopologyNode from : ends) {
      List<String> row = new ArrayList<>(List.of(shortLabel(from)));
      ends.forEach(to -> row.add(cell(paths.path(from, to))));
      table.row(row.toArray(String[]::new));
    }
    lines.addAll(table.lines());
    return lines;
  }

  private static void addBelow(
      TopologyNode node, @Nullable TopologyNode parent, String indent, List<String> lines) {
    for (TopologyLink link : node.links()) {
      TopologyNode to = link.to();
      boolean tree = link.kind() == LinkKind.PCI || link.kind() == LinkKind.NET;
      if (tree && to == parent) {
        continue;
      }
      lines.add(ErrorText.of("%s%s %.1f  %s", indent, link.kind(), link.bandwidth(), label(to)));
      if (tree) {
        addBelow(to, node, indent + "  ", lines);
      }
    }
  }

  private static String cell(TopologyPath path) {
    return switch (path.kind()) {
      case PathKind.LOC -> "LOC";
      case PathKind.DIS -> "-";
      default -> ErrorText.of("%s %.1f", path.kind(), path.bandwidth());
    };
  }

  private static String shortLabel(TopologyNode node) {
    return switch (node.facts()) {
      case NodeFacts.Gpu gpu -> onHost(node) + "GPU" + gpu.rank();
      case NodeFacts.Net net -> onHost(node) + "NET" + net.device();
      default -> node.toString();
    };
  }

  private static String onHost(TopologyNode node) {
    return node.system() == 0 ? "" : node.system() + "/";
  }

  private static String label(TopologyNode node) {
    return switch (node.facts()) {
      case NodeFacts.Gpu gpu ->
          ErrorText.of("%s %s sm %d", shortLabel(node), node.id(), gpu.computeCapability());
      case NodeFacts.Net net ->
          ErrorText.of("%s %s port %d", shortLabel(node), net.name(), net.port());
      case NodeFacts.Cpu cpu -> ErrorText.of("%s %s %s", node, cpu.arch(), cpu.vendor()).strip();
      default -> node.toString();
    };
  }
}
