// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import io.nitinol.core.topology.NodeFacts;
import io.nitinol.core.topology.NodeKind;
import io.nitinol.core.topology.PathKind;
import io.nitinol.core.topology.Topology;
import io.nitinol.core.topology.TopologyNode;
import io.nitinol.core.topology.TopologyPaths;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Searches the graphs of a host: as much bandwidth for a channel as there are ways for, then as
 * many channels; of equal ones that with the shortest ways. Mirrors {@code ncclTopoCompute} of NCCL
 * 2.28.9, the tables of bandwidths included. A number of tries bounds each search, so that its
 * result does not depend on how fast the machine is. Of one thread.
 */
public final class GraphSearch {
  /** How many channels a graph may have. */
  public static final int MOST_CHANNELS = 64;

  private static final int MOST_HEADS = 8;
  private static final int MOST_NVLS_HEADS = 32;
  private static final long ALL_TRIES = 1 << 19;
  private static final int TRIES = 1 << 14;
  private static final int TRIES_OF_SAME = 1 << 8;

  private static final int MOST_GPUS = 128;

  /** With more GPUs the calls may go deeper than the stack of a usual thread. */
  private static final int MOST_ON_CALLER = 16;

  private static final long STACK_BYTES = 128L << 20;

  private static final float[] INSIDE = {40, 30, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3};
  private static final float[] INSIDE_90 = {60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3};
  private static final float[] INSIDE_100 = {90, 80, 70, 60, 50, 40, 30, 24, 20, 19, 18};
  private static final float[] BETWEEN = {
    48, 30, 28, 24, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3, 2.4f, 1.2f, 0.24f, 0.12f
  };
  private static final float[] BETWEEN_90 = {
    48, 45, 42, 40, 30, 24, 22, 20, 17.5f, 15, 12, 6, 3, 2.4f, 1.2f, 0.24f, 0.12f
  };
  private static final float[] BETWEEN_100 = {
    96, 48, 45.1f, 42, 40, 30, 24, 22, 20, 17.5f, 15, 12, 6, 3, 2.4f, 1.2f, 0.24f, 0.12f
  };

  private final SearchSpace space;
  private final NetOrder netOrder;
  private final SearchOptions options;
  private final float maxBw;
  private final float totalBw;
  private final boolean amd;

  private GraphSearch(Topology topology, TopologyPaths paths, SearchOptions options) {
    this.space = new SearchSpace(topology, paths);
    this.netOrder = new NetOrder(space);
    this.options = options;
    boolean alone = !options.between() && space.gpus.size() == 1;
    this.maxBw = alone ? ALONE : space.widest(options.between());
    this.totalBw = alone ? ALONE : space.total();
    NodeFacts.Cpu cpu = SearchSpace.cpu(topology);
    this.amd = cpu != null && cpu.arch().equals("x86_64") && cpu.vendor().equals("AuthenticAMD");
  }

  private static final float ALONE = 5000;

  /**
   * Searches one graph of each kind, the trees and chains with as many channels as the rings.
   *
   * @param topology the machine
   * @param paths its paths
   * @return a graph for each kind, in NCCL's order; one without channels where there is no way
   * @throws IllegalArgumentException where the machine has no GPU, or more than 128
   */
  public static Map<GraphKind, ChannelGraph> all(
      Topology topology, TopologyPaths paths, SearchOptions options) {
    return all(topology, paths, options, Map.of());
  }

  /**
   * The same with graphs that a file gives.
   *
   * @param given graphs that are not searched
   */
  public static Map<GraphKind, ChannelGraph> all(
      Topology topology,
      TopologyPaths paths,
      SearchOptions options,
      Map<GraphKind, ChannelGraph> given) {
    int gpus = topology.nodes(NodeKind.GPU).size();
    if (gpus < 1 || gpus > MOST_GPUS) {
      throw new IllegalArgumentException(
          "a search needs from 1 to " + MOST_GPUS + " GPUs, and the machine has " + gpus);
    }
    if (options.between() && topology.nodes(NodeKind.NET).isEmpty()) {
      throw new IllegalArgumentException("several hosts need a network device, and there is none");
    }
    if (gpus <= MOST_ON_CALLER) {
      return new GraphSearch(topology, paths, options).all(given);
    }
    CompletableFuture<Map<GraphKind, ChannelGraph>> found = new CompletableFuture<>();
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                found.complete(new GraphSearch(topology, paths, options).all(given));
              } catch (Throwable e) { // the caller waits for nothing else
                found.completeExceptionally(e);
              }
            },
            "nitinol-graph-search",
            STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    try {
      return found.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IllegalArgumentException wrong) {
        throw wrong;
      }
      throw e;
    }
  }

  private Map<GraphKind, ChannelGraph> all(Map<GraphKind, ChannelGraph> given) {
    Map<GraphKind, ChannelGraph> found = new EnumMap<>(GraphKind.class);
    ChannelGraph ring = find(GraphKind.RING, 1, MOST_CHANNELS / 2, given);
    int same = Math.max(1, ring.channels().size());
    found.put(GraphKind.RING, ring);
    found.put(GraphKind.TREE, find(GraphKind.TREE, same, same, given));
    boolean reduces = options.collNet() && options.between();
    found.put(
        GraphKind.COLLNET_DIRECT,
        reduces
            ? find(GraphKind.COLLNET_DIRECT, 1, MOST_CHANNELS, given)
            : ChannelGraph.none(GraphKind.COLLNET_DIRECT));
    found.put(
        GraphKind.COLLNET_CHAIN,
        reduces
            ? find(GraphKind.COLLNET_CHAIN, same, same, given)
            : ChannelGraph.none(GraphKind.COLLNET_CHAIN));
    found.put(
        GraphKind.NVLS,
        options.nvls()
            ? find(GraphKind.NVLS, 1, MOST_CHANNELS, given)
            : ChannelGraph.none(GraphKind.NVLS));
    return found;
  }

  private ChannelGraph find(
      GraphKind kind, int least, int most, Map<GraphKind, ChannelGraph> given) {
    ChannelGraph known = given.get(kind);
    if (known != null && !known.channels().isEmpty()) {
      return known;
    }
    return graph(search(new Draft(kind, space.gpus.size(), least, most)));
  }

  private Draft search(Draft best) {
    int gpus = space.gpus.size();
    boolean crossing =
        switch (best.pattern) {
          case RING, BALANCED_TREE, SPLIT_TREE -> space.nets.size() > 1;
          default -> false;
        };
    int crossNic = crossing ? options.crossNic() : 0;
    best.crossNic = crossNic == 1 ? 1 : 0;
    PathKind leastIntra = PathKind.LOC;
    PathKind mostIntra = PathKind.SYS;
    PathKind leastInter = PathKind.PIX;
    PathKind mostInter = PathKind.SYS;
    if (gpus > 1) {
      PathKind[] range = space.range(SearchSpace.Ends.GPU_GPU);
      leastIntra = range[0];
      mostIntra = range[1];
    }
    if (options.between()) {
      PathKind[] range = space.range(SearchSpace.Ends.GPU_NET);
      leastInter = range[0];
      mostInter = range[1];
      mostIntra = mostInter;
    }
    best.intraKind = leastIntra;
    best.interKind = leastInter;
    boolean trySame = best.pattern != GraphPattern.NVLS;
    best.same = trySame;
    if (best.pattern == GraphPattern.NVLS) {
      if (!space.nvSwitch || space.generation < 90) {
        return best;
      }
      best.most = Math.min(MOST_NVLS_HEADS, gpus);
      best.least = options.between() ? best.least : best.most;
    }
    if (best.pattern == GraphPattern.COLLNET_DIRECT) {
      best.most = Math.min(MOST_HEADS, gpus);
    }
    if (gpus == 1 && best.pattern != GraphPattern.RING) {
      best.pattern = GraphPattern.TREE;
    }
    if (best.pattern == GraphPattern.RING
        && space.splitNvlink()
        && best.most >= 2
        && best.least == 1) {
      best.least = 2; // trees are better here, and they need two
    }
    Draft draft = new Draft(best.kind, gpus, best.least, best.most);
    draft.copy(best);
    float[] speeds = speeds();
    int speed = 0;
    boolean ring = best.pattern == GraphPattern.RING;
    float total = gpus > 1 && !ring ? totalBw * gpus / (gpus - 1) : totalBw;
    while (speed < speeds.length - 1
        && (speeds[speed] > maxBw || speeds[speed] * best.least > total)) {
      speed++;
    }
    draft.intraBw = speeds[speed];
    draft.interBw = speeds[speed];
    firstPass(
        best,
        draft,
        speeds,
        speed,
        crossNic,
        new Range(leastIntra, mostIntra, leastInter, mostInter),
        trySame);
    if (best.channels > 0) {
      secondPass(best, draft, speeds);
    } else if (!best.kind.collNet() && best.pattern != GraphPattern.NVLS) {
      fallBack(best);
    }
    return best;
  }

  /** Between which paths a search may go from the nearest to the farthest. */
  private record Range(
      PathKind leastIntra, PathKind mostIntra, PathKind leastInter, PathKind mostInter) {}

  /** Finds a graph: first by longer paths and other orders, then for less bandwidth. */
  private void firstPass(
      Draft best,
      Draft draft,
      float[] speeds,
      int from,
      int crossNic,
      Range range,
      boolean trySame) {
    int speed = from;
    long allTries = ALL_TRIES;
    OrderSearch search = new OrderSearch(space, netOrder, options.between(), draft, best);
    while (true) {
      int most = draft.same ? TRIES_OF_SAME : TRIES;
      allTries -= most;
      int left = search.run(most);
      if (left == OrderSearch.PERFECT || best.channels * best.interBw >= totalBw) {
        return;
      }
      if (draft.same && !(amd && draft.intraKind == PathKind.SYS)) {
        draft.same = false;
        continue;
      }
      draft.same = trySame;
      allTries += left;
      if (allTries < 0 && best.channels > 0) {
        return;
      }
      if (space.generation >= 90 && draft.pattern == GraphPattern.BALANCED_TREE) {
        draft.pattern = GraphPattern.TREE;
        continue;
      }
      draft.pattern = best.pattern;
      PathKind mostIntra = options.between() ? draft.interKind : range.mostIntra;
      if (draft.intraKind.compareTo(mostIntra) < 0
          && (best.channels == 0 || draft.intraKind.compareTo(best.intraKind) < 0)) {
        draft.intraKind = farther(draft.intraKind);
        continue;
      }
      draft.intraKind = range.leastIntra;
      if (options.between()
          && draft.interKind.compareTo(range.mostInter) < 0
          && (best.channels == 0
              || draft.interKind.compareTo(best.interKind) < 0
              || draft.interKind.compareTo(PathKind.PXN) < 0)) {
        draft.interKind = farther(draft.interKind);
        if (draft.interKind != PathKind.DIS) {
          continue;
        }
      }
      draft.interKind = range.leastInter;
      boolean pairs =
          best.pattern == GraphPattern.RING || best.pattern == GraphPattern.BALANCED_TREE;
      if (crossNic == 2 && draft.crossNic == 0 && pairs) {
        draft.crossNic = 2;
        continue;
      }
      draft.crossNic = crossNic == 1 ? 1 : 0;
      if (speed < speeds.length - 1
          && (best.channels == 0 || speeds[speed + 1] / best.interBw > .49)) {
        speed++;
        draft.intraBw = speeds[speed];
        draft.interBw = speeds[speed];
        continue;
      }
      return;
    }
  }

  private static PathKind farther(PathKind kind) {
    return PathKind.values()[kind.ordinal() + 1];
  }

  /** Finds out whether the channels that were found can carry more. */
  private void secondPass(Draft best, Draft draft, float[] speeds) {
    best.duplicate(space.generation);
    draft.copy(best);
    int speed = 0;
    while (speed < speeds.length - 1 && speeds[speed] > best.interBw) {
      speed++;
    }
    draft.intraBw = speeds[speed];
    draft.interBw = speeds[speed];
    draft.least = best.channels;
    OrderSearch search = new OrderSearch(space, netOrder, options.between(), draft, best);
    int left = OrderSearch.PERFECT;
    while (left != 0 && speed > 0) {
      if (best.pattern == GraphPattern.RING) {
        speed--;
        draft.intraBw = speeds[speed];
        draft.interBw = speeds[speed];
      } else if (best.pattern == GraphPattern.NVLS
          && draft.interBw == best.interBw
          && draft.interBw < draft.intraBw * 2) {
        draft.least = best.channels;
        draft.most = best.channels;
        draft.interBw = speeds[--speed];
      } else if (draft.intraBw == best.intraBw && draft.intraBw < draft.interBw * 2) {
        draft.intraBw = speeds[--speed];
      } else {
        return;
      }
      left = search.run(draft.same ? TRIES_OF_SAME : TRIES);
    }
  }

  /** Where there is no way at all the GPUs stand in their own order, as slow as can be. */
  private void fallBack(Draft best) {
    for (int i = 0; i < best.gpus; i++) {
      best.order[i] = i;
    }
    best.nets[0] = 0;
    best.nets[1] = 0;
    best.intraBw = 0.1f;
    best.interBw = 0.1f;
    best.intraKind = PathKind.SYS;
    best.interKind = PathKind.SYS;
    best.channels = 1;
  }

  private float[] speeds() {
    if (options.between()) {
      return space.generation >= 100 ? BETWEEN_100 : space.generation >= 90 ? BETWEEN_90 : BETWEEN;
    }
    return space.generation >= 100 ? INSIDE_100 : space.generation >= 90 ? INSIDE_90 : INSIDE;
  }

  private ChannelGraph graph(Draft found) {
    List<GraphChannel> channels = new ArrayList<>();
    for (int i = 0; i < found.channels; i++) {
      List<TopologyNode> gpus = new ArrayList<>();
      int count = found.kind == GraphKind.NVLS ? 1 : found.gpus;
      for (int j = 0; j < count; j++) {
        gpus.add(space.gpus.get(found.order[i * found.gpus + j]));
      }
      boolean nets = options.between() && !space.nets.isEmpty();
      channels.add(
          new GraphChannel(
              gpus,
              nets ? space.nets.get(found.nets[i * 2]) : null,
              nets ? space.nets.get(found.nets[i * 2 + 1]) : null));
    }
    return new ChannelGraph(
        found.kind,
        found.pattern,
        found.crossNic,
        found.intraBw,
        found.interBw,
        found.latency,
        found.intraKind,
        found.interKind,
        found.same,
        channels);
  }
}
