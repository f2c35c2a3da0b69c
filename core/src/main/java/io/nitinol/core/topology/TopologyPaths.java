// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The paths of a graph as NCCL 2.28 finds them: breadth first, a wider one replaces a longer one
 * ({@code ncclTopoSetPaths}); then GPUs and network devices that may not reach each other's memory
 * go over their CPU, or over a GPU that is nearer ({@code ncclTopoComputePaths}). Immutable.
 */
public final class TopologyPaths {
  private final Topology topology;
  private final PathOptions options;

  /** From each node to the bases: all GPUs, network devices, NUMA domains and NVSwitches. */
  private final Map<TopologyNode, Map<TopologyNode, TopologyPath>> paths = new HashMap<>();

  private TopologyPaths(Topology topology, PathOptions options) {
    this.topology = topology;
    this.options = options;
  }

  /** Finds all paths. */
  public static TopologyPaths of(Topology topology, PathOptions options) {
    TopologyPaths paths = new TopologyPaths(topology, options);
    for (NodeKind kind : List.of(NodeKind.CPU, NodeKind.GPU, NodeKind.NET, NodeKind.NVS)) {
      topology.nodes(kind).forEach(paths::search);
    }
    paths.divertGpus();
    paths.shortenOverC2c();
    paths.divertNets();
    return paths;
  }

  /**
   * Returns the path from a node to a GPU, a network device, a NUMA domain or an NVSwitch; of kind
   * {@link PathKind#DIS} where there is none.
   */
  public TopologyPath path(TopologyNode from, TopologyNode to) {
    return paths.getOrDefault(from, Map.of()).getOrDefault(to, TopologyPath.NONE);
  }

  /**
   * Returns the nodes of a kind to which a GPU or network device has the widest path, and of these
   * the nearest; mirrors {@code ncclTopoGetLocal}.
   */
  public List<TopologyNode> local(TopologyNode from, NodeKind kind) {
    List<TopologyNode> best = new ArrayList<>();
    PathKind nearest = PathKind.DIS;
    float widest = 0;
    for (TopologyNode to : topology.nodes(kind)) {
      TopologyPath path = path(from, to);
      boolean nearer = path.kind().compareTo(nearest) < 0;
      if (path.bandwidth() > widest || (path.bandwidth() == widest && nearer)) {
        widest = path.bandwidth();
        nearest = path.kind();
        best.clear();
      }
      if (path.bandwidth() == widest && path.kind() == nearest && widest > 0) {
        best.add(to);
      }
    }
    return best;
  }

  private void put(TopologyNode from, TopologyNode to, TopologyPath path) {
    paths.computeIfAbsent(from, _ -> new HashMap<>()).put(to, path);
  }

  private void search(TopologyNode base) {
    put(base, base, new TopologyPath(PathKind.LOC, LinkSpeeds.LOCAL, List.of()));
    Set<TopologyNode> round = Set.of(base);
    while (!round.isEmpty()) {
      Set<TopologyNode> next = new LinkedHashSet<>();
      for (TopologyNode node : round) {
        for (TopologyLink link : node.links()) {
          if (extend(base, node, link)) {
            next.add(link.to());
          }
        }
      }
      round = next;
    }
  }

  /** Tries the path over {@code node}; returns whether it is better than what was known. */
  private boolean extend(TopologyNode base, TopologyNode node, TopologyLink link) {
    TopologyPath path = path(node, base);
    TopologyNode far = link.to();
    TopologyPath known = path(far, base);
    float bandwidth = Math.min(path.bandwidth(), link.bandwidth());
    if (node != base && node.kind() == NodeKind.GPU && !mayPass(path, link)) {
      return false;
    }
    boolean replaceable = known.bandwidth() == 0 || known.hops() > path.hops();
    if (!replaceable || known.bandwidth() >= bandwidth) {
      return false;
    }
    List<TopologyLink> links = new ArrayList<>(path.hops() + 1);
    links.add(far.links().get(far.indexOf(link.kind(), node)));
    links.addAll(path.links());
    put(far, base, new TopologyPath(kind(path, node, link), bandwidth, links));
    return true;
  }

  private boolean mayPass(TopologyPath path, TopologyLink link) {
    return options.throughGpus()
        && link.kind() == LinkKind.NVL
        && link.to().kind() == NodeKind.GPU
        && path.hops() <= 1;
  }

  private static PathKind kind(TopologyPath path, TopologyNode node, TopologyLink link) {
    PathKind kind = link.kind().path();
    NodeKind far = link.to().kind();
    if (node.kind() == NodeKind.PCI && far == NodeKind.PCI) {
      kind = PathKind.PXB;
    }
    if (link.kind() == LinkKind.PCI && (node.kind() == NodeKind.CPU || far == NodeKind.CPU)) {
      kind = PathKind.PHB;
    }
    boolean nvlink = path.kind() == PathKind.NVL && kind == PathKind.NVL;
    if (node.kind() == NodeKind.GPU && nvlink && path.hops() >= 1) {
      kind = PathKind.NVB;
    }
    return path.kind().max(kind);
  }

  /** Leads paths between GPUs that are too far apart for peer access over the CPU of the second. */
  private void divertGpus() {
    List<TopologyNode> gpus = topology.nodes(NodeKind.GPU);
    PathKind level = p2pLevel(gpus.size());
    for (TopologyNode to : gpus) {
      TopologyNode cpu = nearestCpu(to);
      for (TopologyNode from : gpus) {
        if (cpu != null && !path(from, to).kind().isWithin(level)) {
          join(from, cpu, to);
        }
      }
    }
  }

  private PathKind p2pLevel(int gpus) {
    if (options.p2p() != null) {
      return options.p2p();
    }
    List<TopologyNode> cpus = topology.nodes(NodeKind.CPU);
    boolean amd =
        !cpus.isEmpty() && cpus.getFirst().facts() instanceof NodeFacts.Cpu cpu && cpu.isAmd();
    return amd && gpus <= 2 ? PathKind.SYS : PathKind.PXB;
  }

  private @Nullable TopologyNode nearestCpu(TopologyNode gpu) {
    TopologyNode nearest = null;
    for (TopologyNode cpu : local(gpu, NodeKind.CPU)) {
      if (nearest == null || path(gpu, cpu).hops() < path(gpu, nearest).hops()) {
        nearest = cpu;
      }
    }
    return nearest;
  }

  private void shortenOverC2c() {
    for (TopologyNode net : topology.nodes(NodeKind.NET)) {
      for (TopologyNode gpu : topology.nodes(NodeKind.GPU)) {
        TopologyNode cpu = nearestCpu(gpu);
        if (cpu != null && merged(path(gpu, cpu).kind(), path(net, cpu).kind()) == PathKind.P2C) {
          shorten(gpu, net);
          shorten(net, gpu);
        }
      }
    }
  }

  private void shorten(TopologyNode from, TopologyNode to) {
    TopologyPath path = path(from, to);
    if (path.kind().compareTo(PathKind.P2C) > 0) {
      put(from, to, new TopologyPath(PathKind.P2C, path.bandwidth(), path.links()));
    }
  }

  private void divertNets() {
    for (TopologyNode net : topology.nodes(NodeKind.NET)) {
      for (TopologyNode gpu : topology.nodes(NodeKind.GPU)) {
        TopologyNode relay = gpu;
        TopologyNode near = options.pxn() ? localGpu(net) : null;
        if (near != null && near != gpu && canRelay(gpu, near, net)) {
          TopologyPath last = path(near, net);
          join(gpu, near, net, PathKind.PXN, last);
          relay = near;
        }
        TopologyNode cpu = nearestCpu(gpu);
        boolean close = path(gpu, net).kind().compareTo(PathKind.PHB) < 0;
        if (close && cpu != null && !reachesMemory(net, gpu, relay)) {
          join(net, cpu, gpu);
          join(gpu, cpu, net);
        }
      }
    }
  }

  private boolean canRelay(TopologyNode gpu, TopologyNode near, TopologyNode net) {
    TopologyPath last = path(near, net);
    TopologyPath now = path(gpu, net);
    boolean better = last.bandwidth() > now.bandwidth() || now.kind().compareTo(PathKind.PXN) > 0;
    return last.kind().isWithin(PathKind.P2C)
        && path(near, gpu).kind().isWithin(PathKind.NVL)
        && near.system() == gpu.system()
        && better;
  }

  /** Returns whether a device may use a GPU's memory; mirrors {@code ncclTopoCheckGdr}. */
  private boolean reachesMemory(TopologyNode net, TopologyNode gpu, TopologyNode relay) {
    if (!(net.facts() instanceof NodeFacts.Net device)
        || !(gpu.facts() instanceof NodeFacts.Gpu memory)
        || !device.gdr()
        || !memory.gdr()) {
      return false;
    }
    PathKind distance = path(relay, net).kind();
    PathKind counted = distance == PathKind.P2C ? PathKind.C2C : distance;
    return counted.isWithin(options.gdr() == null ? PathKind.PXB : options.gdr());
  }

  /** Returns the GPU whose traffic a device carries first; mirrors {@code ncclTopoGetLocalGpu}. */
  public @Nullable TopologyNode localGpu(TopologyNode net) {
    List<TopologyNode> gpus = local(net, NodeKind.GPU);
    int channels = topology.nodes(NodeKind.NET).size();
    for (int channel = 0; channel < channels; channel++) {
      for (TopologyNode gpu : gpus) {
        if (localNet(gpu, channel) == net) {
          return gpu;
        }
      }
    }
    return null;
  }

  /**
   * Returns the device that a GPU uses for a channel, or null where it reaches none; mirrors {@code
   * ncclTopoGetLocalNet}.
   */
  public @Nullable TopologyNode localNet(TopologyNode gpu, int channel) {
    List<TopologyNode> nets = local(gpu, NodeKind.NET);
    if (nets.isEmpty() || !(gpu.facts() instanceof NodeFacts.Gpu facts)) {
      return null;
    }
    int count = nets.size();
    int sharers = Math.max(1, local(nets.getFirst(), NodeKind.GPU).size());
    int each = Math.ceilDiv(count, sharers);
    int first = Integer.bitCount(count) == 1 ? mirrored(facts.device(), count) : facts.device();
    return nets.get(Math.floorMod(first + channel % each, count));
  }

  private static int mirrored(int value, int powerOfTwo) {
    int bits = Integer.numberOfTrailingZeros(powerOfTwo);
    return bits == 0 ? 0 : Integer.reverse(value) >>> (Integer.SIZE - bits);
  }

  private void join(TopologyNode from, TopologyNode over, TopologyNode to) {
    TopologyPath last = path(over, to);
    join(from, over, to, merged(path(from, over).kind(), last.kind()), last);
  }

  private void join(
      TopologyNode from, TopologyNode over, TopologyNode to, PathKind kind, TopologyPath last) {
    TopologyPath first = path(from, over);
    List<TopologyLink> links = new ArrayList<>(first.links());
    links.addAll(last.links());
    put(from, to, new TopologyPath(kind, Math.min(first.bandwidth(), last.bandwidth()), links));
  }

  private static PathKind merged(PathKind one, PathKind other) {
    PathKind far = one.max(other);
    PathKind near = far == one ? other : one;
    return far == PathKind.PHB && near == PathKind.C2C ? PathKind.P2C : far;
  }
}
