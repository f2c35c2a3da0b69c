// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The graph of a machine, or of several that share NVLink; mirrors {@code ncclTopoSystem}.
 * Immutable.
 */
public final class Topology {
  private final Map<NodeKind, List<TopologyNode>> nodes = new EnumMap<>(NodeKind.class);

  Topology(List<TopologyNode> nodes) {
    for (NodeKind kind : NodeKind.values()) {
      this.nodes.put(kind, nodes.stream().filter(node -> node.kind() == kind).toList());
    }
  }

  /** Returns the nodes of a kind, in the order of the file. */
  public List<TopologyNode> nodes(NodeKind kind) {
    return nodes.getOrDefault(kind, List.of());
  }

  /** Returns all nodes, kind by kind. */
  public List<TopologyNode> nodes() {
    List<TopologyNode> all = new ArrayList<>();
    nodes.values().forEach(all::addAll);
    return all;
  }
}
