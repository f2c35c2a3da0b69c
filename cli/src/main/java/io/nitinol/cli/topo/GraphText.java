// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.topo;

import io.nitinol.core.topology.NodeFacts;
import io.nitinol.core.topology.TopologyNode;
import io.nitinol.core.topology.report.TopologyReport;
import io.nitinol.core.topology.search.ChannelGraph;
import io.nitinol.core.topology.search.GraphChannel;
import io.nitinol.core.topology.search.HostOrders;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What a search has found, a line for each order: channels of one order stand together. */
final class GraphText {
  /** Longer rings are cut off. */
  private static final int MOST_RANKS = 64;

  private GraphText() {}

  static List<String> lines(TopologyReport report) {
    List<String> lines = new ArrayList<>();
    report.graphs().values().forEach(graph -> add(graph, lines));
    HostOrders orders = report.orders();
    lines.add("");
    lines.add(
        ErrorText.of(
            "%d channels of %d ranks on %d host(s)",
            orders.channels(), report.model().inputs().ranks(), report.hosts()));
    List<String> rings = new ArrayList<>();
    for (int channel = 0; channel < orders.channels(); channel++) {
      List<Integer> ring = orders.ring(channel);
      String more = ring.size() > MOST_RANKS ? " …" : "";
      rings.add(
          ring.stream().limit(MOST_RANKS).map(String::valueOf).collect(Collectors.joining(" "))
              + more);
    }
    addRuns(rings, "  ring of channel", lines);
    return lines;
  }

  private static void add(ChannelGraph graph, List<String> lines) {
    if (graph.channels().isEmpty()) {
      return;
    }
    lines.add("");
    lines.add(
        ErrorText.of(
            "%s: %d channels of %.1f GB/s, %.1f between hosts; %s, cross NIC %d, paths %s/%s",
            graph.kind(),
            graph.channels().size(),
            graph.intra(),
            graph.inter(),
            graph.pattern(),
            graph.crossNic(),
            graph.intraKind(),
            graph.interKind()));
    addRuns(graph.channels().stream().map(GraphText::order).toList(), "  channel", lines);
  }

  private static void addRuns(List<String> orders, String title, List<String> lines) {
    int from = 0;
    for (int i = 1; i <= orders.size(); i++) {
      if (i == orders.size() || !orders.get(i).equals(orders.get(from))) {
        String which = i - 1 == from ? " " + from : ErrorText.of("s %d to %d", from, i - 1);
        lines.add(ErrorText.of("%s%s: %s", title, which, orders.get(from)));
        from = i;
      }
    }
  }

  static String order(GraphChannel channel) {
    List<String> names = new ArrayList<>();
    if (channel.in() != null) {
      names.add(name(channel.in()));
    }
    channel.gpus().forEach(gpu -> names.add(name(gpu)));
    if (channel.out() != null) {
      names.add(name(channel.out()));
    }
    return String.join(" ", names);
  }

  static String name(TopologyNode node) {
    return switch (node.facts()) {
      case NodeFacts.Gpu gpu -> "GPU" + gpu.rank();
      case NodeFacts.Net net -> "NET" + net.device();
      default -> node.toString();
    };
  }
}
