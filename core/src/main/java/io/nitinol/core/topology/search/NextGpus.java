// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import io.nitinol.core.topology.search.SearchSpace.Ends;
import io.nitinol.core.topology.search.SearchSpace.Way;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which the next GPU of a channel is tried, which decides whether the search finds a
 * good answer soon; mirrors {@code ncclTopoSearchNextGpuSort}.
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
      int gpu, int start, int hops, int bandwidth, int netHops, int pciBandwidth, int netBandwidth) {
    static final Comparator<Score> ORDER =
        Comparator.comparingInt((Score score) -> -score.netBandwidth)
            .thenComparingInt(score -> -score.pciBandwidth)
            .thenComparingInt(score -> score.netHops)
            .thenComparingInt(score -> -score.bandwidth)
            .thenComparingInt(score -> score.hops)
            .thenComparingInt(score -> score.start);
  }

  private NextGpus() {}

  /**
   * Returns the GPUs to try.
   *
   * @param used which GPUs the channel has already
   * @param net the channel's network device; any number where {@code near} is NONE
   */
  static int[] of(
      SearchSpace space, GraphPattern pattern, int gpu, boolean[] used, Near near, int net) {
    int count = space.gpus.size();
    List<Score> scores = new ArrayList<>(count);
    for (int i = 1; i < count; i++) {
      int next = (gpu + i) % count;
      Way way = space.way(Ends.GPU_GPU, gpu, next);
      if (way.links().length == 0 || used[next]) {
        continue;
      }
      if (near == Near.NONE) {
        scores.add(new Score(next, i, way.links().length, (int) way.bandwidth(), 0, 0, 0));
      } else {
        Way back = space.way(Ends.NET_GPU, net, next);
        scores.add(
            new Score(
                next,
                i,
                way.links().length,
                (int) way.bandwidth(),
                back.links().length,
                space.pciBandwidth(next),
                (int) back.bandwidth()));
      }
    }
    scores.sort(Score.ORDER);
    if (near == Near.LAST && areAlike(scores)) {
      Collections.reverse(scores);
    }
    List<Integer> next = new ArrayList<>(scores.stream().map(Score::gpu).toList());
    if (space.nvSwitch) {
      return neighbours(pattern, gpu, count, next);
    }
    return next.stream().mapToInt(Integer::intValue).toArray();
  }

  private static boolean areAlike(List<Score> scores) {
    return scores.stream()
        .allMatch(
            score ->
                score.bandwidth == scores.getFirst().bandwidth
                    && score.hops == scores.getFirst().hops);
  }

  /** NVSwitches are better at few pairs that talk to each other: only neighbours are tried. */
  private static int[] neighbours(GraphPattern pattern, int gpu, int count, List<Integer> next) {
    int before = (gpu - 1 + count) % count;
    int after = (gpu + 1) % count;
    List<Integer> wanted =
        switch (pattern) {
          case RING -> List.of(before, after);
          case SPLIT_TREE, BALANCED_TREE -> List.of(after, before);
          default -> List.of(after);
        };
    List<Integer> first = new ArrayList<>();
    for (Integer each : wanted) {
      if (next.contains(each) && !first.contains(each)) {
        first.add(each);
      }
    }
    return first.stream().mapToInt(Integer::intValue).toArray();
  }
}
