// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes one node of a Broadcom switch that shows as several bridges, one below the other, since
 * what passes within it costs nothing; mirrors {@code ncclTopoFlattenBcmSwitches}.
 */
final class SwitchFlattening {
  private static final long FAMILY = 0xfffffffffffff000L;
  private static final long GENERATION_4 = 0x1000c0101000a000L;
  private static final long GENERATION_5 = 0x1000c03010000000L;
  private static final long LEVEL = 0x1000;

  private final List<TopologyNode> switches;

  /** Starts with the machine's switches, a list from which those that are joined are removed. */
  SwitchFlattening(List<TopologyNode> switches) {
    this.switches = switches;
  }

  void run() {
    for (TopologyNode top : List.copyOf(switches)) {
      int generation = generation(top, 0);
      if (generation != 0 && switches.contains(top)) {
        flatten(top, generation);
      }
    }
  }

  private void flatten(TopologyNode top, int generation) {
    List<TopologyNode> parts = new ArrayList<>();
    for (TopologyLink link : top.links()) {
      boolean below = switches.indexOf(link.to()) > switches.indexOf(top);
      if (below && link.kind() == LinkKind.PCI && generation(link.to(), 1) == generation) {
        parts.add(link.to());
      }
    }
    top.changeable().removeIf(link -> parts.contains(link.to()));
    for (TopologyNode part : parts) {
      for (TopologyLink link : List.copyOf(part.links())) {
        if (link.to() == top || parts.contains(link.to())) {
          continue; // it is within the switch
        }
        top.changeable().add(link);
        List<TopologyLink> back = link.to().changeable();
        back.replaceAll(
            up -> up.to() == part ? new TopologyLink(up.kind(), top, up.bandwidth()) : up);
      }
      switches.remove(part);
    }
  }

  private static int generation(TopologyNode node, int level) {
    if (!(node.facts() instanceof NodeFacts.Pci pci)) {
      return 0;
    }
    long family = pci.device() & FAMILY;
    if (family == GENERATION_4) {
      return 4;
    }
    return family == (GENERATION_5 | level * LEVEL) ? 5 : 0;
  }
}
