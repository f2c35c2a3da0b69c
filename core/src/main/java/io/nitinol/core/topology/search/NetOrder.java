// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import io.nitinol.core.topology.PathKind;
import io.nitinol.core.topology.TopologyNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order in which network devices are tried: those that each GPU prefers, channel by channel,
 * then the others from near to far. Mirrors {@code ncclTopoSelectNets} with its default policy.
 */
final class NetOrder {
  /** For all GPUs, where a search begins. */
  static final int ANY = -1;

  private final SearchSpace space;
  private final Map<PathKind, Map<Integer, int[]>> known = new HashMap<>();

  NetOrder(SearchSpace space) {
    this.space = space;
  }

  /**
   * Returns the devices for a GPU, or for {@link #ANY}.
   *
   * @param most how far one may be, beside those that are preferred
   */
  int[] of(PathKind most, int gpu) {
    return known
        .computeIfAbsent(most, _ -> new HashMap<>())
        .computeIfAbsent(gpu, _ -> select(most, gpu));
  }

  private int[] select(PathKind most, int gpu) {
    Set<Integer> chosen = new LinkedHashSet<>();
    List<Integer> gpus = new ArrayList<>();
    for (int i = 0; i < space.gpus.size(); i++) {
      if (gpu == ANY || gpu == i) {
        gpus.add(i);
      }
    }
    for (int i : gpus) {
      addPreferred(space.gpus.get(i), chosen);
    }
    for (PathKind kind : PathKind.values()) {
      if (kind.isWithin(most)) {
        for (int i : gpus) {
          for (int j = 0; j < space.nets.size() && j < GraphSearch.MOST_CHANNELS; j++) {
            if (space.way(SearchSpace.Ends.GPU_NET, i, j).kind() == kind) {
              chosen.add(j);
            }
          }
        }
      }
    }
    return chosen.stream().mapToInt(Integer::intValue).toArray();
  }

  private void addPreferred(TopologyNode gpu, Set<Integer> chosen) {
    TopologyNode first = null;
    for (int channel = 0; channel < GraphSearch.MOST_CHANNELS; channel++) {
      TopologyNode net = space.paths.localNet(gpu, channel);
      if (net == null || net == first) {
        return;
      }
      first = first == null ? net : first;
      chosen.add(space.nets.indexOf(net));
    }
  }
}
