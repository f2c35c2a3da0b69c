// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import java.util.List;

/**
 * The way from one node to another.
 *
 * @param kind how far it is
 * @param bandwidth of its narrowest link, in GB/s; 0 where there is none
 * @param links its links, in order; none from a node to itself
 */
public record TopologyPath(PathKind kind, float bandwidth, List<TopologyLink> links) {
  /** Between nodes that nothing joins. */
  static final TopologyPath NONE = new TopologyPath(PathKind.DIS, 0, List.of());

  /** Copies the list. */
  public TopologyPath {
    links = List.copyOf(links);
  }

  /** Returns how many links it has. */
  public int hops() {
    return links.size();
  }
}
