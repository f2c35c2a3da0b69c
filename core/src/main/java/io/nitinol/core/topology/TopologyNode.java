// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A node of the graph. It does not change once its {@link Topology} is made; two nodes are equal
 * only if they are the same.
 */
public final class TopologyNode {
  private final NodeKind kind;
  private final int system;
  private final String id;
  private final NodeFacts facts;
  private final List<TopologyLink> links = new ArrayList<>();

  TopologyNode(NodeKind kind, int system, String id, NodeFacts facts) {
    this.kind = kind;
    this.system = system;
    this.id = id;
    this.facts = facts;
  }

  /** Returns what it is. */
  public NodeKind kind() {
    return kind;
  }

  /** Returns the number of its host in the file, from 0 on. */
  public int system() {
    return system;
  }

  /** Returns the bus id, the NUMA domain or the device's number; unique in its kind and host. */
  public String id() {
    return id;
  }

  /** Returns what else is known of it. */
  public NodeFacts facts() {
    return facts;
  }

  /** Returns its links: the widest first, but the one to the parent in the PCI tree last. */
  public List<TopologyLink> links() {
    return Collections.unmodifiableList(links);
  }

  /** Adds bandwidth; mirrors {@code ncclTopoConnectNodes}. */
  void connect(LinkKind by, TopologyNode to, float bandwidth) {
    float sum = bandwidth;
    int at = indexOf(by, to);
    if (at >= 0) {
      sum += links.remove(at).bandwidth();
    } else {
      at = links.size();
    }
    while (at > 0 && links.get(at - 1).bandwidth() < sum) {
      at--;
    }
    links.add(at, new TopologyLink(by, to, sum));
  }

  /** Returns the first link of a kind to a node, or -1. */
  int indexOf(LinkKind by, TopologyNode to) {
    for (int i = 0; i < links.size(); i++) {
      if (links.get(i).to() == to && links.get(i).kind() == by) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the links to be changed while the graph is made. */
  List<TopologyLink> changeable() {
    return links;
  }

  @Override
  public String toString() {
    return kind + "/" + (system == 0 ? "" : system + "-") + id;
  }
}
