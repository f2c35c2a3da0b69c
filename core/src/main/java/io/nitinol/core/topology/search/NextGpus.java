// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import io.nitinol.core.topology.search.SearchSpace.Ends;
import io.nitinol.core.topology.search.SearchSpace.Way;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which the next GPU of a channel is tried, which decides whether the search finds a
 * good answer soon; mirrors {@code ncclTopoSearchNextGpuSort}. The order among all GPUs is computed
 * once; those that a channel has already are left out of it. Of one thread.
 */
final class NextGpus {
  /** Whether the next GPU should be near the channel's network device. */
  enum Near {
    /** It does not matter. */
    NONE,
    /** It should be. */
    FIRST,
    /** A later one should be, so those come first that are not, all else being equal. */
    LAST
  }

  private record Score(
      int gpu,
      int start,
      int hops,
      int bandwidth,
      int netHops,
      int pciBandwidth,
      int netBandwidth) {
    static final Comparator<Score> ORDER =
        Comparator.comparingInt((Score score) -> -score.netBandwidth)
            .thenComparingInt(score -> -score.pciBandwidth)
            .thenComparingInt(score -> score.netHops)
            .thenComparingInt(score -> -score.bandwidth)
            .thenComparingInt(score -> score.hops)
            .thenComparingInt(score -> score.start);
  }

  private final SearchSpace space;
  private final int count;

  /** By network device, the last place for none, and by GPU; null where not asked for yet. */
  private final Score[][][] sorted;

  NextGpus(SearchSpace space) {
    this.space = space;
    this.count = space.gpus.size();
    this.sorted = new Score[space.nets.size() + 1][count][];
  }

  /**
   * Returns the GPUs to try.
   *
   * @param used which GPUs the channel has already
   * @param net the channel's network device; any number where {@code near} is NONE
   */
  int[] of(GraphPattern pattern, int gpu, boolean[] used, Near near, int net) {
    if (space.nvSwitch) {
      return neighbours(pattern, gpu, used);
    }
    Score[] all = sorted(gpu, near == Near.NONE ? space.nets.size() : net);
    int[] next = new int[all.length];
    int found = 0;
    boolean alike = true;
    Score first = null;
    for (Score score : all) {
      if (used[score.gpu]) {
        continue;
      }
      first = first == null ? score : first;
      alike &= score.bandwidth == first.bandwidth && score.hops == first.hops;
      next[found++] = score.gpu;
    }
    next = Arrays.copyOf(next, found);
    if (near == Near.LAST && alike) {
      for (int i = 0; i < found / 2; i++) {
        int moved = next[i];
        next[i] = next[found - 1 - i];
        next[found - 1 - i] = moved;
      }
    }
    return next;
  }

  private Score[] sorted(int gpu, int net) {
    Score[] known = sorted[net][gpu];
    if (known == null) {
      List<Score> scores = new ArrayList<>();
      for (int i = 1; i < count; i++) {
        int next = (gpu + i) % count;
        Way way = space.way(Ends.GPU_GPU, gpu, next);
        if (way.links().length > 0) {
          scores.add(score(next, i, way, net));
        }
      }
      scores.sort(Score.ORDER);
      known = scores.toArray(Score[]::new);
      sorted[net][gpu] = known;
    }
    return known;
  }

  private Score score(int next, int start, Way way, int net) {
    int hops = way.links().length;
    int bandwidth = (int) way.bandwidth();
    if (net == space.nets.size()) {
      return new Score(next, start, hops, bandwidth, 0, 0, 0);
    }
    Way back = space.way(Ends.NET_GPU, net, next);
    return new Score(
        next,
        start,
        hops,
        bandwidth,
        back.links().length,
        space.pciBandwidth(next),
        (int) back.bandwidth());
  }

  /** NVSwitches are better at few pairs that talk to each other: only neighbours are tried. */
  private int[] neighbours(GraphPattern pattern, int gpu, boolean[] used) {
    int before = (gpu - 1 + count) % count;
    int after = (gpu + 1) % count;
    int[] wanted =
        switch (pattern) {
          case RING -> new int[] {before, after};
          case SPLIT_TREE, BALANCED_TREE -> new int[] {after, before};
          default -> new int[] {after};
        };
    int[] next = new int[wanted.length];
    int found = 0;
    for (int each : wanted) {
      boolean again = found > 0 && next[0] == each;
      boolean reached = each != gpu && space.way(Ends.GPU_GPU, gpu, each).links().length > 0;
      if (!again && reached && !used[each]) {
        next[found++] = each;
      }
    }
    return Arrays.copyOf(next, found);
  }
}
