// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import io.nitinol.core.topology.PathKind;

/** A graph while it is searched for; GPUs and network devices are their places in the lists. */
final class Draft {
  final GraphKind kind;
  final int gpus;
  GraphPattern pattern;
  int crossNic;
  int channels;
  int least = 1;
  int most;
  float intraBw;
  float interBw;
  float latency;
  PathKind intraKind = PathKind.LOC;
  PathKind interKind = PathKind.PIX;
  boolean same;
  float hops;

  /** The GPUs of each channel, in order. */
  final int[] order;

  /** The network device over which each channel comes, and the one over which it goes. */
  final int[] nets = new int[2 * GraphSearch.MOST_CHANNELS];

  Draft(GraphKind kind, int gpus, int least, int most) {
    this.kind = kind;
    this.pattern = kind.pattern();
    this.gpus = gpus;
    this.least = least;
    this.most = most;
    this.order = new int[gpus * GraphSearch.MOST_CHANNELS];
  }

  void copy(Draft from) {
    pattern = from.pattern;
    crossNic = from.crossNic;
    channels = from.channels;
    least = from.least;
    most = from.most;
    intraBw = from.intraBw;
    interBw = from.interBw;
    latency = from.latency;
    intraKind = from.intraKind;
    interKind = from.interKind;
    same = from.same;
    hops = from.hops;
    int used = Math.max(1, from.channels);
    System.arraycopy(from.order, 0, order, 0, used * gpus);
    System.arraycopy(from.nets, 0, nets, 0, used * 2);
  }

  /** Gives each channel a twin of half its bandwidth; mirrors {@code ncclTopoDupChannels}. */
  void duplicate(int generation) {
    boolean slow = intraBw < 25;
    boolean enough = generation > 80 && intraBw < 50 && channels > 4;
    if (channels == 0 || pattern == GraphPattern.NVLS || slow || enough) {
      return;
    }
    int doubled = Math.min(channels * 2, most);
    System.arraycopy(order, 0, order, channels * gpus, (doubled - channels) * gpus);
    System.arraycopy(nets, 0, nets, channels * 2, (doubled - channels) * 2);
    int share = Math.ceilDiv(doubled, channels);
    intraBw /= share;
    interBw /= share;
    channels = doubled;
  }

  /** Returns whether this is better than another one; mirrors {@code ncclTopoCompareGraphs}. */
  boolean isBetter(Draft than) {
    if (channels < least) {
      return false;
    }
    if (pattern == GraphPattern.NVLS) {
      return (channels > than.channels && channels <= gpus)
          || channels * interBw > than.channels * than.interBw;
    }
    float own = channels * intraBw;
    float other = than.channels * than.intraBw;
    if (own != other) {
      return own > other;
    }
    return pattern == than.pattern && crossNic == than.crossNic && hops < than.hops;
  }
}
