// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import io.nitinol.core.topology.LinkKind;
import io.nitinol.core.topology.NodeFacts;
import io.nitinol.core.topology.NodeKind;
import io.nitinol.core.topology.PathKind;
import io.nitinol.core.topology.Topology;
import io.nitinol.core.topology.TopologyLink;
import io.nitinol.core.topology.TopologyNode;
import io.nitinol.core.topology.TopologyPath;
import io.nitinol.core.topology.TopologyPaths;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The links of a machine with the bandwidth that is left on them while a search takes of it. Of one
 * thread.
 */
final class SearchSpace {
  /** The ways between two kinds of ends. */
  enum Ends {
    GPU_GPU,
    GPU_NET,
    NET_GPU,
    GPU_NVS,
    NVS_GPU;

    /** Whether the network has no part in it. */
    boolean inside() {
      return this != GPU_NET && this != NET_GPU;
    }
  }

  /**
   * A path as places in the table of links.
   *
   * @param links the table's places
   * @param reverse those of the links back
   * @param overPci for each link, whether it is PCI
   * @param back for each link, the share of what goes forth that it costs on the way back
   * @param slowPci whether a GB/s costs more on PCI, for paths through Intel's processors
   */
  @SuppressWarnings("ArrayRecordComponent") // read in the innermost loops, compared by no code
  record Way(
      PathKind kind,
      float bandwidth,
      int[] links,
      int[] reverse,
      boolean[] overPci,
      float[] back,
      boolean slowPci) {}

  final TopologyPaths paths;
  final List<TopologyNode> gpus;
  final List<TopologyNode> nets;
  final boolean nvSwitch;
  final int generation;
  final int newestGeneration;

  /** What is left of each network device's own bandwidth. */
  final float[] netLeft;

  /** The GPU whose traffic each network device carries first, or -1. */
  final int[] localGpu;

  private final float[] left;
  private final IdentityHashMap<TopologyLink, Integer> places = new IdentityHashMap<>();
  private final Way[][][] ways;

  SearchSpace(Topology topology, TopologyPaths paths) {
    this.paths = paths;
    this.gpus = topology.nodes(NodeKind.GPU);
    this.nets = topology.nodes(NodeKind.NET);
    List<TopologyNode> switches = topology.nodes(NodeKind.NVS);
    this.nvSwitch = !switches.isEmpty();
    List<Float> bandwidths = new ArrayList<>();
    for (TopologyNode node : topology.nodes()) {
      for (TopologyLink link : node.links()) {
        places.put(link, bandwidths.size());
        bandwidths.add(link.bandwidth());
      }
    }
    left = new float[bandwidths.size()];
    for (int i = 0; i < left.length; i++) {
      left[i] = bandwidths.get(i);
    }
    ways = new Way[Ends.values().length][][];
    ways[Ends.GPU_GPU.ordinal()] = ways(gpus, gpus);
    ways[Ends.GPU_NET.ordinal()] = ways(gpus, nets);
    ways[Ends.NET_GPU.ordinal()] = ways(nets, gpus);
    ways[Ends.GPU_NVS.ordinal()] = ways(gpus, switches);
    ways[Ends.NVS_GPU.ordinal()] = ways(switches, gpus);
    netLeft = new float[nets.size()];
    localGpu = new int[nets.size()];
    for (int i = 0; i < nets.size(); i++) {
      netLeft[i] = netBandwidth(nets.get(i));
      TopologyNode near = paths.localGpu(nets.get(i));
      localGpu[i] = near == null ? -1 : gpus.indexOf(near);
    }
    generation = gpus.stream().mapToInt(SearchSpace::generation).min().orElse(0);
    newestGeneration = gpus.stream().mapToInt(SearchSpace::generation).max().orElse(0);
  }

  private static int generation(TopologyNode gpu) {
    return gpu.facts() instanceof NodeFacts.Gpu facts ? facts.computeCapability() : 0;
  }

  NodeFacts.Net net(int place) {
    return (NodeFacts.Net) nets.get(place).facts();
  }

  /** Returns whether two network devices are one port of one card. */
  boolean samePort(int one, int other) {
    NodeFacts.Net first = net(one);
    NodeFacts.Net second = net(other);
    return first.guid() == second.guid() && first.port() == second.port();
  }

  private static float netBandwidth(TopologyNode net) {
    float widest = 0;
    for (TopologyLink link : net.links()) {
      if (link.kind() == LinkKind.NET) {
        widest = Math.max(widest, link.bandwidth());
      }
    }
    return widest;
  }

  private Way[][] ways(List<TopologyNode> from, List<TopologyNode> to) {
    Way[][] table = new Way[from.size()][to.size()];
    for (int i = 0; i < from.size(); i++) {
      for (int j = 0; j < to.size(); j++) {
        table[i][j] = way(from.get(i), paths.path(from.get(i), to.get(j)));
      }
    }
    return table;
  }

  private Way way(TopologyNode start, TopologyPath path) {
    int hops = path.hops();
    int[] links = new int[hops];
    int[] reverse = new int[hops];
    boolean[] overPci = new boolean[hops];
    float[] back = new float[hops];
    boolean slowPci = false;
    TopologyNode at = start;
    for (int i = 0; i < hops; i++) {
      TopologyLink link = path.links().get(i);
      TopologyNode to = link.to();
      links[i] = place(link);
      reverse[i] = reversePlace(at, link);
      overPci[i] = link.kind() == LinkKind.PCI;
      if (to.facts() instanceof NodeFacts.Cpu cpu) {
        boolean intel = cpu.arch().equals("x86_64") && cpu.vendor().equals("GenuineIntel");
        slowPci |= intel && path.kind() == PathKind.PHB && start.kind() == NodeKind.GPU;
        back[i] = cpu.arch().equals("ppc64") && link.kind() == LinkKind.NVL ? 1 : 0;
      } else if (to.facts() instanceof NodeFacts.Gpu gpu
          && gpu.computeCapability() < 80
          && start.kind() != NodeKind.GPU) {
        back[i] = 1 / 8f;
      }
      at = to;
    }
    return new Way(path.kind(), path.bandwidth(), links, reverse, overPci, back, slowPci);
  }

  private int place(TopologyLink link) {
    Integer place = places.get(link);
    if (place == null) {
      throw new IllegalStateException("a path leads over a link that no node has: " + link);
    }
    return place;
  }

  private int reversePlace(TopologyNode from, TopologyLink link) {
    for (TopologyLink other : link.to().links()) {
      if (other.to() == from && other.kind() == link.kind()) {
        return place(other);
      }
    }
    return place(link); // every link has one back: the file was refused otherwise
  }

  Way way(Ends ends, int from, int to) {
    return ways[ends.ordinal()][from][to];
  }

  /**
   * Takes bandwidth of a path, or gives it back where it is negative; takes nothing and returns
   * false where there is too little. Mirrors {@code ncclTopoFollowPath}.
   */
  boolean take(Way way, float bandwidth) {
    int done = follow(way, way.links.length, bandwidth);
    if (done < way.links.length) {
      follow(way, done, -bandwidth);
      return false;
    }
    return true;
  }

  private int follow(Way way, int most, float bandwidth) {
    float overPci = way.slowPci ? bandwidth * 6 / 5 : bandwidth;
    for (int i = 0; i < most; i++) {
      float forth = way.overPci[i] ? overPci : bandwidth;
      float back = forth * way.back[i];
      int link = way.links[i];
      int reverse = way.reverse[i];
      if (left[link] < forth || (back != 0 && left[reverse] < back)) {
        return i;
      }
      left[link] = rounded(left[link] - forth);
      if (back != 0) {
        left[reverse] = rounded(left[reverse] - back);
      }
    }
    return most;
  }

  /** Rounds, since sums of such numbers drift: what was taken and given back must be the same. */
  private static float rounded(float value) {
    return Math.round(value * 1000) / 1000f;
  }

  /** Returns the nearest and the farthest of the ways of GPUs to ends of a kind. */
  PathKind[] range(Ends ends) {
    PathKind nearest = PathKind.SYS;
    PathKind farthest = PathKind.LOC;
    Way[][] table = ways[ends.ordinal()];
    for (int i = 0; i < table.length; i++) {
      for (int j = 0; j < table[i].length; j++) {
        if (ends == Ends.GPU_GPU && i == j) {
          continue;
        }
        farthest = farthest.max(table[i][j].kind);
        nearest = nearest.isWithin(table[i][j].kind) ? nearest : table[i][j].kind;
      }
    }
    return new PathKind[] {nearest, farthest};
  }

  /** Returns what one channel can carry at most: the widest way of a GPU. */
  float widest(boolean between) {
    float widest = 0;
    for (Way[] row : ways[(between ? Ends.GPU_NET : Ends.GPU_GPU).ordinal()]) {
      for (Way way : row) {
        widest = way.links.length == 0 ? widest : Math.max(widest, way.bandwidth);
      }
    }
    return widest;
  }

  /** Returns what a GPU can carry at most over all its links. */
  float total() {
    float most = 0;
    for (TopologyNode gpu : gpus) {
      float nvlink = 0;
      float pci = 0;
      for (TopologyLink link : gpu.links()) {
        if (link.kind() == LinkKind.NVL) {
          nvlink += link.bandwidth();
        } else if (link.kind() == LinkKind.PCI) {
          pci = link.bandwidth();
        }
      }
      most = Math.max(most, Math.max(pci, nvlink));
    }
    return most;
  }

  /** Returns the bandwidth of a GPU's PCI link, -1 where it has none. */
  int pciBandwidth(int gpu) {
    for (TopologyLink link : gpus.get(gpu).links()) {
      if (link.kind() == LinkKind.PCI) {
        return (int) link.bandwidth();
      }
    }
    return -1;
  }

  /** Returns whether NVLink joins the GPUs to two groups, as on machines of two sockets. */
  boolean splitNvlink() {
    int[] domain = new int[gpus.size()];
    int[] members = new int[gpus.size()];
    for (int i = 0; i < domain.length; i++) {
      domain[i] = i;
    }
    for (int i = 0; i < domain.length; i++) {
      for (int j = i + 1; j < domain.length; j++) {
        if (way(Ends.GPU_GPU, i, j).kind == PathKind.NVL) {
          domain[j] = domain[i];
        }
      }
    }
    int groups = 0;
    for (int i = 0; i < domain.length; i++) {
      if (++members[domain[i]] == 2) {
        groups++;
      }
    }
    return groups == 2;
  }

  /** Returns the first CPU, which counts for all; null where there is none. */
  static NodeFacts.@Nullable Cpu cpu(Topology topology) {
    List<TopologyNode> cpus = topology.nodes(NodeKind.CPU);
    return !cpus.isEmpty() && cpus.getFirst().facts() instanceof NodeFacts.Cpu cpu ? cpu : null;
  }
}
