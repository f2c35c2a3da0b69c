// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.topo;

import io.nitinol.cli.page.Html;
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
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The graph as a drawing in one page without scripts and without anything from elsewhere: CPUs at
 * the top, the PCI tree below, devices at its leaves, NVSwitches at the bottom. Below it is the
 * matrix of paths.
 */
final class TopologyPage {
  private static final int STEP = 124;
  private static final int ROW = 86;
  private static final int WIDTH = 104;
  private static final int HEIGHT = 40;
  private static final int MARGIN = 24;

  private record Place(int x, int y) {}

  private final Topology topology;
  private final TopologyPaths paths;
  private final IdentityHashMap<TopologyNode, Place> places = new IdentityHashMap<>();
  private final StringBuilder out = new StringBuilder();
  private int column;
  private int deepest;

  private TopologyPage(Topology topology, TopologyPaths paths) {
    this.topology = topology;
    this.paths = paths;
  }

  static String text(Topology topology, TopologyPaths paths) {
    TopologyPage page = new TopologyPage(topology, paths);
    page.place();
    page.write();
    return page.out.toString();
  }

  private void place() {
    for (TopologyNode cpu : topology.nodes(NodeKind.CPU)) {
      placeBelow(cpu, null, 0);
    }
    for (TopologyNode all : topology.nodes(NodeKind.NVS)) {
      places.put(all, new Place(Math.max(0, column - 1) * STEP / 2, deepest + 1));
    }
  }

  /** Puts a node above the middle of what is below it. */
  private void placeBelow(TopologyNode node, @Nullable TopologyNode parent, int depth) {
    deepest = Math.max(deepest, depth);
    int first = column;
    for (TopologyNode child : children(node, parent)) {
      placeBelow(child, node, depth + 1);
    }
    if (column == first) {
      column++;
    }
    places.put(node, new Place((first + column - 1) * STEP / 2, depth));
  }

  private static List<TopologyNode> children(TopologyNode node, @Nullable TopologyNode parent) {
    List<TopologyNode> below = new ArrayList<>();
    for (TopologyLink link : node.links()) {
      boolean tree = link.kind() == LinkKind.PCI || link.kind() == LinkKind.NET;
      if (tree && link.to() != parent) {
        below.add(link.to());
      }
    }
    return below;
  }

  private int x(TopologyNode node) {
    return MARGIN + at(node).x + WIDTH / 2;
  }

  private int y(TopologyNode node) {
    return MARGIN + at(node).y * ROW + HEIGHT / 2;
  }

  private Place at(TopologyNode node) {
    return places.getOrDefault(node, new Place(0, 0));
  }

  private void write() {
    out.append(
        Html.begin(
            "Topology",
            """
            <style>
            svg text { font: 11px sans-serif; text-anchor: middle }
            .link { paint-order: stroke; stroke: var(--paper); stroke-width: 7px; stroke-linejoin: round }
            svg g text { fill: #222 }
            svg line { stroke-width: 1.5 }
            .CPU { fill: #dbe9f6 } .PCI { fill: #eee } .GPU { fill: #d9efd0 }
            .NIC { fill: #fdebc8 } .NET { fill: #f9d9b0 } .NVS { fill: #e6d9f2 }
            .lPCI { stroke: #888 } .lNVL { stroke: #7b4fb0 } .lSYS { stroke: #2b6cb0 }
            .lNET { stroke: #c77700 } .lC2C { stroke: #2e8b57 } .lLOC { stroke: #bbb }
            </style>
            """));
    out.append("<p>Links and paths with their bandwidth in GB/s, as NCCL counts it.</p>\n");
    int width = 2 * MARGIN + Math.max(1, column) * STEP;
    int height = 2 * MARGIN + (deepest + 1) * ROW + HEIGHT;
    out.append(
        ErrorText.of(
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Drawing\">\n"
                + "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%d\" height=\"%d\""
                + " viewBox=\"0 0 %d %d\">\n",
            width, height, width, height));
    out.append("<title>Links between the parts of the machine</title>\n");
    StringBuilder labels = new StringBuilder(); // above all lines
    IdentityHashMap<TopologyNode, Boolean> done = new IdentityHashMap<>();
    for (TopologyNode node : topology.nodes()) {
      done.put(node, true);
      for (TopologyLink link : node.links()) {
        if (!done.containsKey(link.to())) {
          drawLink(node, link, labels);
        }
      }
    }
    out.append(labels);
    topology.nodes().forEach(this::drawNode);
    out.append("</svg></div>\n");
    writeMatrix();
    out.append(Html.end());
  }

  private void drawLink(TopologyNode from, TopologyLink link, StringBuilder labels) {
    TopologyNode to = link.to();
    out.append(
        ErrorText.of(
            "<line class=\"l%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n",
            link.kind(), x(from), y(from), x(to), y(to)));
    // Near the end that has fewer links: at the other one those of its neighbours would be.
    boolean forward = from.links().size() <= to.links().size();
    TopologyNode near = forward ? from : to;
    TopologyNode far = forward ? to : from;
    double distance = Math.max(1, Math.abs(y(far) - y(near)));
    double part = y(far) == y(near) ? 0.5 : (HEIGHT / 2.0 + 13) / distance;
    labels.append(
        ErrorText.of(
            "<text class=\"link\" x=\"%.0f\" y=\"%.0f\">%s %.1f</text>\n",
            x(near) + part * (x(far) - x(near)),
            y(near) + part * (y(far) - y(near)) + 4,
            link.kind(),
            link.bandwidth()));
  }

  private void drawNode(TopologyNode node) {
    List<String> lines = label(node);
    out.append(
        ErrorText.of(
            "<g><title>%s</title><rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\""
                + " rx=\"5\" stroke=\"#555\"/>",
            Html.escaped(node + " " + String.join(" ", lines)),
            node.kind(),
            x(node) - WIDTH / 2,
            y(node) - HEIGHT / 2,
            WIDTH,
            HEIGHT));
    for (int i = 0; i < lines.size(); i++) {
      out.append(
          ErrorText.of(
              "<text x=\"%d\" y=\"%d\">%s</text>",
              x(node), y(node) - 3 + i * 14, Html.escaped(lines.get(i))));
    }
    out.append("</g>\n");
  }

  private static List<String> label(TopologyNode node) {
    return switch (node.facts()) {
      case NodeFacts.Gpu gpu ->
          List.of("GPU" + gpu.rank() + " sm " + gpu.computeCapability(), node.id());
      case NodeFacts.Net net -> List.of("NET" + net.device(), net.name());
      case NodeFacts.Cpu cpu -> List.of("NUMA " + cpu.numa(), cpu.arch());
      default -> List.of(node.kind().name(), node.id());
    };
  }

  private void writeMatrix() {
    List<TopologyNode> ends = new ArrayList<>(topology.nodes(NodeKind.GPU));
    ends.addAll(topology.nodes(NodeKind.NET));
    out.append("<table><tr><th>from \\ to</th>");
    ends.forEach(
        end -> out.append("<th>").append(Html.escaped(GraphText.name(end))).append("</th>"));
    out.append("</tr>\n");
    for (TopologyNode from : ends) {
      out.append("<tr><th>").append(Html.escaped(GraphText.name(from))).append("</th>");
      for (TopologyNode to : ends) {
        out.append("<td>").append(cell(paths.path(from, to))).append("</td>");
      }
      out.append("</tr>\n");
    }
    out.append("</table>\n");
  }

  private static String cell(TopologyPath path) {
    if (path.kind() == PathKind.LOC || path.kind() == PathKind.DIS) {
      return path.kind() == PathKind.LOC ? "LOC" : "-";
    }
    return ErrorText.of("%s %.1f", path.kind(), path.bandwidth());
  }
}
