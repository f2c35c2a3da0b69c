// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import io.nitinol.core.topology.NodeKind;
import io.nitinol.core.topology.PathKind;
import io.nitinol.core.topology.TopologyNode;
import io.nitinol.core.topology.search.SearchSpace.Ends;
import io.nitinol.core.topology.search.SearchSpace.Way;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tries orders, channel by channel, for one bandwidth and one set of conditions; keeps the best.
 * Mirrors {@code ncclTopoSearchRec} and what it calls. A number of tries bounds it. Of one thread.
 */
final class OrderSearch {
  /** Where the order is given. */
  private enum Forced {
    /** It is not. */
    NO,
    /** That of the PCI bus. */
    PCI,
    /** That of the channel before. */
    REPLAY
  }

  /** Of the tries that are left when the best possible graph was found. */
  static final int PERFECT = -1;

  private static final int FIRST_TRIES = 1 << 10;

  private final SearchSpace space;
  private final NetOrder netOrder;
  private final NextGpus nextGpus;
  private final boolean between;
  private final int gpuCount;
  private final Draft draft;
  private final Draft best;
  private final boolean[][] used;

  /** How many tries are left; {@link #PERFECT} ends the search. */
  private int tries;

  OrderSearch(SearchSpace space, NetOrder netOrder, boolean between, Draft draft, Draft best) {
    this.space = space;
    this.netOrder = netOrder;
    this.nextGpus = new NextGpus(space);
    this.between = between;
    this.gpuCount = space.gpus.size();
    this.draft = draft;
    this.best = best;
    this.used = new boolean[GraphSearch.MOST_CHANNELS + 1][gpuCount];
  }

  /** Searches; returns how many tries are left, {@link #PERFECT} for the best possible graph. */
  int run(int most) {
    tries = most;
    draft.channels = 0;
    draft.hops = 0;
    for (boolean[] each : used) {
      Arrays.fill(each, false);
    }
    next();
    return tries;
  }

  private int backToNet() {
    if (!between) {
      return -1;
    }
    return switch (draft.pattern) {
      case RING -> gpuCount - 1;
      case SPLIT_TREE -> 1;
      default -> 0;
    };
  }

  private int backToFirst() {
    return !between && draft.pattern == GraphPattern.RING ? gpuCount - 1 : -1;
  }

  /** Begins the next channel. */
  private void next() {
    if (between) {
      fromNets();
      return;
    }
    if (draft.pattern == GraphPattern.NVLS) {
      start(draft.channels, Forced.NO);
      return;
    }
    if (draft.channels == 0) {
      start(0, Forced.PCI);
    } else {
      start(lastOrder(0), Forced.REPLAY);
    }
    if (!draft.same || draft.channels == 0) {
      for (int gpu = 0; gpu < gpuCount; gpu++) {
        start(gpu, Forced.NO);
      }
    }
  }

  private int lastOrder(int step) {
    return draft.order[(draft.channels - 1) * gpuCount + step];
  }

  /** Begins a channel at a GPU. */
  private void start(int gpu, Forced forced) {
    boolean[] taken = used[draft.channels];
    taken[gpu] ^= true;
    visit(gpu, 0, backToNet(), backToFirst(), forced);
    taken[gpu] ^= true;
  }

  /**
   * Takes the bandwidth of a channel, or a share of it, if the path is near enough.
   *
   * @param reverse the path back, which a tree uses too; null where it does not count
   */
  private boolean take(Ends ends, Way way, @Nullable Way reverse, float share) {
    PathKind most = ends.inside() ? draft.intraKind : draft.interKind;
    Way back = draft.pattern.isTree() && reverse != null ? reverse : way;
    if (way.kind() == PathKind.DIS || !way.kind().isWithin(most) || !back.kind().isWithin(most)) {
      return false;
    }
    return takeShare(ends, way, share);
  }

  /** The same for a path that may be as far as it is. */
  private boolean takeShare(Ends ends, Way way, float share) {
    float bandwidth = (ends.inside() ? draft.intraBw : draft.interBw) * share;
    if (way.kind() == PathKind.DIS || !space.take(way, bandwidth)) {
      return false;
    }
    draft.hops += way.links().length;
    return true;
  }

  private void giveBack(Ends ends, Way way, float share) {
    space.take(way, -(ends.inside() ? draft.intraBw : draft.interBw) * share);
    draft.hops -= way.links().length;
  }

  private void fromNets() {
    int bandwidth = (int) draft.interBw;
    int[] nets = netOrder.of(draft.interKind, NetOrder.ANY);
    boolean heads =
        draft.pattern == GraphPattern.NVLS || draft.pattern == GraphPattern.COLLNET_DIRECT;
    boolean found = false;
    for (int i = 0; i < nets.length && !(heads && found); i++) {
      int net = nets[(draft.channels + i) % nets.length];
      boolean paired = draft.pattern == GraphPattern.RING && draft.crossNic == 2;
      if ((draft.kind.collNet() && !space.net(net).reduces())
          || space.netLeft[net] < bandwidth
          || (paired && (draft.channels & 1) == 1 && net != draft.nets[draft.channels * 2 - 1])) {
        continue;
      }
      draft.nets[draft.channels * 2] = net;
      draft.latency = space.net(net).latency();
      takePort(net, bandwidth);
      if (heads) {
        found |= head(net, nets.length);
      } else {
        fromNet(net);
      }
      takePort(net, -bandwidth);
    }
  }

  private void takePort(int net, int bandwidth) {
    for (int i = 0; i < space.nets.size(); i++) {
      if (space.samePort(i, net)) {
        space.netLeft[i] -= bandwidth;
      }
    }
  }

  /** Tries the GPU near a device as the head of a channel; returns whether it was none before. */
  private boolean head(int net, int nets) {
    int gpu = space.localGpu[net];
    if (draft.channels >= nets || gpu < 0) {
      return false;
    }
    for (int i = 0; i < draft.channels; i++) {
      if (draft.order[i * gpuCount] == gpu) {
        return false;
      }
    }
    fromNet(net, gpu, Forced.NO);
    return true;
  }

  private void fromNet(int net) {
    if (draft.channels > 0 && draft.same) {
      fromNet(net, lastOrder(0), Forced.REPLAY);
      return;
    }
    if (draft.channels == 0 && !space.nvSwitch) {
      // A first answer, which costs no tries.
      int left = tries;
      tries = FIRST_TRIES;
      fromNet(net, 0, Forced.PCI);
      tries = tries == PERFECT ? PERFECT : left;
    }
    int near = space.localGpu[net];
    if (near >= 0) {
      fromNet(net, near, Forced.NO);
    }
    List<TopologyNode> local = space.paths.local(space.nets.get(net), NodeKind.GPU);
    for (TopologyNode gpu : local) {
      int place = space.gpus.indexOf(gpu);
      if (place != near) {
        fromNet(net, place, Forced.NO);
      }
    }
  }

  private void fromNet(int net, int gpu, Forced forced) {
    Way way = space.way(Ends.NET_GPU, net, gpu);
    if (take(Ends.NET_GPU, way, space.way(Ends.GPU_NET, gpu, net), 1)) {
      start(gpu, forced);
      giveBack(Ends.NET_GPU, way, 1);
    }
  }

  private void visit(int gpu, int step, int toNet, int toFirst, Forced forced) {
    if (tries <= 0) {
      return;
    }
    tries--;
    if (step == gpuCount) {
      finishChannel();
      return;
    }
    draft.order[draft.channels * gpuCount + step] = gpu;
    if (step == toNet) {
      toNet(gpu, step, toFirst, forced);
    } else if (draft.pattern == GraphPattern.NVLS) {
      throughSwitches(gpu);
    } else if (draft.pattern == GraphPattern.COLLNET_DIRECT) {
      toAll(gpu);
    } else if (step < gpuCount - 1) {
      toNext(gpu, step, toNet, toFirst, forced);
    } else if (step == toFirst) {
      int first = draft.order[draft.channels * gpuCount];
      Way way = space.way(Ends.GPU_GPU, gpu, first);
      if (take(Ends.GPU_GPU, way, null, 1)) {
        visit(first, step + 1, toNet, -1, forced);
        giveBack(Ends.GPU_GPU, way, 1);
      }
    } else {
      visit(gpu, gpuCount, -1, -1, forced);
    }
  }

  private void finishChannel() {
    draft.channels++;
    if (draft.isBetter(best)) {
      best.copy(draft);
      if (draft.channels == draft.most) {
        tries = PERFECT;
      }
    }
    if (draft.channels < draft.most) {
      next();
    }
    draft.channels--;
  }

  private void toNext(int gpu, int step, int toNet, int toFirst, Forced forced) {
    int[] next =
        switch (forced) {
          case PCI -> new int[] {step + 1};
          case REPLAY -> new int[] {lastOrder(step + 1)};
          case NO -> {
            NextGpus.Near near =
                toNet == -1
                    ? NextGpus.Near.NONE
                    : toNet == step + 1 ? NextGpus.Near.FIRST : NextGpus.Near.LAST;
            yield nextGpus.of(
                draft.pattern, gpu, used[draft.channels], near, draft.nets[draft.channels * 2]);
          }
        };
    for (int to : next) {
      Way way = space.way(Ends.GPU_GPU, gpu, to);
      if (take(Ends.GPU_GPU, way, space.way(Ends.GPU_GPU, to, gpu), 1)) {
        boolean[] taken = used[draft.channels];
        taken[to] ^= true;
        visit(to, step + 1, toNet, toFirst, forced);
        taken[to] ^= true;
        giveBack(Ends.GPU_GPU, way, 1);
      }
    }
  }

  private void toNet(int gpu, int step, int toFirst, Forced forced) {
    int start = draft.nets[draft.channels * 2];
    boolean balanced = draft.pattern == GraphPattern.BALANCED_TREE;
    float share = balanced ? 0.5f : 1;
    for (int net : netOrder.of(draft.interKind, gpu)) {
      if (!mayEnd(start, net, step)) {
        continue;
      }
      Way way = space.way(Ends.GPU_NET, gpu, net);
      if (take(Ends.GPU_NET, way, space.way(Ends.NET_GPU, net, gpu), share)) {
        draft.nets[draft.channels * 2 + 1] = net;
        visit(gpu, step, balanced && step == 0 ? 1 : -1, toFirst, forced);
        giveBack(Ends.GPU_NET, way, share);
      }
    }
  }

  /** Returns whether a channel that came over a device may leave over another one. */
  private boolean mayEnd(int start, int net, int step) {
    if (draft.pattern == GraphPattern.TREE && net != start) {
      return false;
    }
    boolean paired = draft.pattern == GraphPattern.RING && draft.crossNic == 2;
    if (paired) {
      if ((draft.channels & 1) == 1 && net != draft.nets[draft.channels * 2 - 2]) {
        return false;
      }
    } else if (draft.crossNic == 0 && !space.samePort(start, net)) {
      return false;
    }
    return draft.pattern != GraphPattern.BALANCED_TREE
        || step == 0
        || net == draft.nets[draft.channels * 2 + 1];
  }

  /** Every GPU exchanges with the head: a share of the bandwidth both ways. */
  private void toAll(int head) {
    float share = 1f / (gpuCount - 1);
    int forth = 0;
    while (forth < gpuCount && takeShare(Ends.GPU_GPU, way(head, forth), share)) {
      forth++;
    }
    int back = 0;
    if (forth == gpuCount) {
      while (back < gpuCount && takeShare(Ends.GPU_GPU, way(back, head), share)) {
        back++;
      }
      if (back == gpuCount) {
        int step = 1;
        for (int i = 0; i < gpuCount; i++) {
          if (i != head) {
            draft.order[draft.channels * gpuCount + step++] = i;
          }
        }
        visit(head, gpuCount, -1, -1, Forced.NO);
      }
    }
    while (back > 0) {
      giveBack(Ends.GPU_GPU, way(--back, head), share);
    }
    while (forth > 0) {
      giveBack(Ends.GPU_GPU, way(head, --forth), share);
    }
  }

  private Way way(int from, int to) {
    return space.way(Ends.GPU_GPU, from, to);
  }

  /** Every GPU reads from the switches and writes to them, the head twice as much. */
  private void throughSwitches(int head) {
    int down = 0;
    while (down < gpuCount
        && takeShare(Ends.NVS_GPU, space.way(Ends.NVS_GPU, 0, down), weight(down, head))) {
      down++;
    }
    int up = 0;
    if (down == gpuCount) {
      while (up < gpuCount
          && takeShare(Ends.GPU_NVS, space.way(Ends.GPU_NVS, up, 0), weight(up, head))) {
        up++;
      }
      if (up == gpuCount) {
        visit(head, gpuCount, -1, -1, Forced.NO);
      }
    }
    while (up > 0) {
      up--;
      giveBack(Ends.GPU_NVS, space.way(Ends.GPU_NVS, up, 0), weight(up, head));
    }
    while (down > 0) {
      down--;
      giveBack(Ends.NVS_GPU, space.way(Ends.NVS_GPU, 0, down), weight(down, head));
    }
  }

  private static float weight(int gpu, int head) {
    return gpu == head ? 2 : 1;
  }
}
