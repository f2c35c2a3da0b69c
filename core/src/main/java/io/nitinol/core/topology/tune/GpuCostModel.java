// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.tune;

import io.nitinol.core.topology.PathKind;
import io.nitinol.core.topology.search.ChannelGraph;
import io.nitinol.core.topology.search.GraphPattern;
import io.nitinol.spi.tuner.Protocol;

/**
 * Latency and bandwidth of each collective, algorithm and protocol; mirrors {@code
 * ncclTopoTuneModel} and {@code ncclTopoGetAlgoTime}. Variables such as {@code NCCL_ALGO} do not
 * change it. Immutable.
 */
public final class GpuCostModel {
  private static final int COLLECTIVES = GpuCollective.values().length;
  private static final int ALGORITHMS = GpuAlgorithm.values().length;
  private static final int PROTOCOLS = Protocol.values().length;
  private static final int NVLS_MOST_PER_HOST = 32;
  private static final int COLLNET_MOST_PER_HOST = 8;
  private static final float PCI_GEN3 = 12;

  private final GpuModelInputs inputs;
  private final float[][][] latency = new float[COLLECTIVES][ALGORITHMS][PROTOCOLS];
  private final float[][][] bandwidth = new float[COLLECTIVES][ALGORITHMS][PROTOCOLS];
  private final int[][] threads = new int[ALGORITHMS][PROTOCOLS];
  private final int generation;
  private final int span;
  private final float perHost;

  /** Computes the model. */
  public GpuCostModel(GpuModelInputs inputs) {
    this.inputs = inputs;
    this.generation = GpuConstants.generation(inputs.generation());
    this.span = Math.min(inputs.hosts(), 3) - 1;
    this.perHost = (float) inputs.ranks() / inputs.hosts();
    setThreads();
    if (inputs.ranks() > 1) {
      for (GpuCollective collective : GpuCollective.values()) {
        for (GpuAlgorithm algorithm : GpuAlgorithm.values()) {
          for (Protocol protocol : Protocol.values()) {
            if (exists(collective, algorithm, protocol)) {
              set(collective, algorithm, protocol);
            }
          }
        }
      }
    }
  }

  /** Returns the inputs. */
  public GpuModelInputs inputs() {
    return inputs;
  }

  /** Returns microseconds before the first byte arrives; 0 where there is no such way. */
  public float latency(GpuCollective collective, GpuAlgorithm algorithm, Protocol protocol) {
    return latency[collective.ordinal()][algorithm.ordinal()][protocol.ordinal()];
  }

  /** Returns GB/s of a rank's larger buffer; 0 where it is not done that way. */
  public float bandwidth(GpuCollective collective, GpuAlgorithm algorithm, Protocol protocol) {
    return bandwidth[collective.ordinal()][algorithm.ordinal()][protocol.ordinal()];
  }

  /** Returns the most threads of a block; 0 where NCCL sets none. */
  public int threads(GpuAlgorithm algorithm, Protocol protocol) {
    return threads[algorithm.ordinal()][protocol.ordinal()];
  }

  /**
   * Returns the microseconds that an operation takes, or a negative number where it is not done
   * that way.
   *
   * @param bytes of a rank's larger buffer
   */
  public float time(
      GpuCollective collective, GpuAlgorithm algorithm, Protocol protocol, long bytes) {
    float rate = bandwidth(collective, algorithm, protocol);
    float delay = latency(collective, algorithm, protocol);
    if (rate == 0 || !isOffered(collective, algorithm)) {
      return -1;
    }
    int size = log2(bytes >> 6);
    float[] correction = GpuConstants.TREE_CORRECTION[protocol.ordinal()];
    boolean all = collective == GpuCollective.ALL_REDUCE;
    if (algorithm == GpuAlgorithm.TREE && all && size >= 0 && size < correction.length) {
      rate *= correction[size];
    }
    boolean bulkRing = algorithm == GpuAlgorithm.RING && protocol == Protocol.SIMPLE && all;
    if (bulkRing
        && inputs.hosts() > 1
        && bytes / ((long) inputs.channels() * inputs.ranks()) >= 64) {
      delay *= inputs.generation() < 80 ? 1.9f : 1.4f; // the plateau of rings
    }
    return delay + bytes / (1000 * rate);
  }

  private boolean isOffered(GpuCollective collective, GpuAlgorithm algorithm) {
    int most = Math.ceilDiv(inputs.ranks(), inputs.hosts());
    if (algorithm.isCollNet()) {
      return inputs.collNetHeads() > 0 && most <= COLLNET_MOST_PER_HOST;
    }
    if (algorithm.isNvls()) {
      boolean fits = collective == GpuCollective.ALL_REDUCE || most <= NVLS_MOST_PER_HOST;
      boolean hosts =
          algorithm != GpuAlgorithm.NVLS || inputs.hosts() == 1 || inputs.collNetHeads() > 0;
      return inputs.nvlsChannels() > 0 && fits && hosts;
    }
    return true;
  }

  private void setThreads() {
    ChannelGraph ring = inputs.graph(GpuAlgorithm.RING);
    boolean slow = ring.intra() * ring.channels().size() <= PCI_GEN3;
    for (GpuAlgorithm algorithm : GpuAlgorithm.values()) {
      int[] row = threads[algorithm.ordinal()];
      switch (algorithm) {
        case RING, TREE -> {
          row[Protocol.LL.ordinal()] = 512;
          row[Protocol.LL128.ordinal()] = 640;
          row[Protocol.SIMPLE.ordinal()] = algorithm == GpuAlgorithm.RING && slow ? 256 : 512;
        }
        case PAT -> {}
        default -> row[Protocol.SIMPLE.ordinal()] = 640;
      }
    }
  }

  /** Returns whether NCCL has an algorithm for a collective at all. */
  private boolean exists(GpuCollective collective, GpuAlgorithm algorithm, Protocol protocol) {
    boolean simple = protocol == Protocol.SIMPLE;
    return switch (algorithm) {
      case RING -> true;
      case TREE, COLLNET_CHAIN -> collective == GpuCollective.ALL_REDUCE;
      case COLLNET_DIRECT -> collective.isScattered() || collective == GpuCollective.ALL_REDUCE;
      case NVLS ->
          simple
              && (collective.isScattered() || collective == GpuCollective.ALL_REDUCE)
              && inputs.graph(algorithm).channels().size() >= 2;
      case NVLS_TREE ->
          simple
              && collective == GpuCollective.ALL_REDUCE
              && inputs.graph(algorithm).channels().size() >= 2;
      case PAT ->
          simple
              && collective.isScattered()
              && inputs.hosts() == inputs.ranks()
              && inputs.generation() >= 60;
    };
  }

  private void set(GpuCollective collective, GpuAlgorithm algorithm, Protocol protocol) {
    int c = collective.ordinal();
    int a = algorithm.ordinal();
    int p = protocol.ordinal();
    boolean enabled = isEnabled(algorithm) && isEnabled(algorithm, protocol);
    bandwidth[c][a][p] = enabled ? busBandwidth(collective, algorithm, protocol) : 0;
    latency[c][a][p] = totalLatency(collective, algorithm, protocol);
  }

  private boolean isEnabled(GpuAlgorithm algorithm) {
    boolean several = inputs.hosts() > 1;
    return switch (algorithm) {
      case NVLS_TREE -> several;
      case NVLS -> !several || inputs.collNetHeads() > 0;
      case COLLNET_CHAIN -> inputs.collNetHeads() > 0;
      case COLLNET_DIRECT -> inputs.collNetHeads() > 0 && inputs.nvSwitch();
      case TREE, RING, PAT -> true;
    };
  }

  /** Returns whether a protocol is used: LL128 needs links that keep 128 bytes together. */
  private boolean isEnabled(GpuAlgorithm algorithm, Protocol protocol) {
    if (protocol != Protocol.LL128) {
      return true;
    }
    ChannelGraph graph = inputs.graph(algorithm);
    PathKind most = inputs.generation() >= 90 ? PathKind.PXN : PathKind.PXB;
    return graph.interKind().isWithin(most)
        && graph.intraKind().isWithin(PathKind.NVB)
        && inputs.generation() == inputs.newestGeneration()
        && inputs.generation() >= 70;
  }

  private float busBandwidth(GpuCollective collective, GpuAlgorithm algorithm, Protocol protocol) {
    ChannelGraph graph = inputs.graph(algorithm);
    int channels = graph.channels().size();
    boolean small = inputs.hosts() <= 2 || algorithm.isCollNet();
    float each =
        algorithm.isNvls()
            ? nvlsBandwidth(collective, algorithm, graph)
            : small ? graph.intra() : graph.inter();
    float bus = channels * each;
    boolean several = inputs.hosts() > 1;
    // Of one host the GPUs decide what LL carries, of several the processors.
    double mostLl = GpuConstants.LL[several ? (inputs.isAmd() ? 1 : 0) : generation][span];
    switch (algorithm) {
      case RING -> {
        if (protocol == Protocol.LL) {
          bus = (float) Math.min(mostLl, bus * .5);
        } else if (protocol == Protocol.LL128) {
          bus = (float) Math.min(bus * .92, channels * GpuConstants.RING_LL128[generation][span]);
        }
      }
      case TREE -> bus = treeBandwidth(bus, channels, protocol, mostLl);
      case PAT -> bus *= .75f;
      case COLLNET_DIRECT -> bus = directBandwidth(collective, protocol, graph, bus);
      case COLLNET_CHAIN -> bus = protocol == Protocol.SIMPLE ? bus : 0;
      case NVLS, NVLS_TREE -> bus = several && collective.isScattered() ? 0 : bus;
    }
    return bus * algorithmShare(collective, algorithm);
  }

  private float treeBandwidth(float of, int channels, Protocol protocol, double mostLl) {
    float bus = (float) Math.min(of * .92, channels * GpuConstants.TREE[generation][span]);
    if (protocol == Protocol.LL) {
      bus = (float) Math.min(bus * 1.0 / 3.8, mostLl);
    } else if (protocol == Protocol.LL128) {
      double share = inputs.hosts() == 1 ? 7.0 / 9 : 120.0 / 128;
      bus = (float) Math.min(bus * share, channels * GpuConstants.TREE_LL128[generation][span]);
    }
    boolean plain = inputs.graph(GpuAlgorithm.TREE).pattern() == GraphPattern.TREE;
    return plain ? bus * .85f : bus;
  }

  private float directBandwidth(
      GpuCollective collective, Protocol protocol, ChannelGraph graph, float of) {
    if (protocol != Protocol.SIMPLE || graph.channels().isEmpty()) {
      return 0;
    }
    if (collective.isScattered()) {
      // It takes a head for every GPU, and a network that gathers, which no CollNet here does.
      return 0;
    }
    float factor = perHost / graph.channels().size();
    factor -= (factor - 1) / 2;
    float bus = of / factor;
    return inputs.generation() >= 90 ? bus * .85f : bus;
  }

  private float nvlsBandwidth(
      GpuCollective collective, GpuAlgorithm algorithm, ChannelGraph graph) {
    int channels = graph.channels().size();
    float intra =
        graph.intra() * GpuConstants.NVLS_EFFICIENCY[generation] * (channels - 1) / channels;
    intra *= collective == GpuCollective.ALL_REDUCE ? 2 : (perHost - 1) / perHost;
    boolean tree = algorithm == GpuAlgorithm.NVLS_TREE;
    float inter = graph.inter() * (inputs.hosts() <= 2 && tree ? 2 : 1);
    float most = tree ? (float) GpuConstants.NVLS_TREE[generation][span] : Float.MAX_VALUE;
    return Math.min(Math.min(intra, inter), most);
  }

  /** Turns what passes a link into what passes of a rank's buffer. */
  private float algorithmShare(GpuCollective collective, GpuAlgorithm algorithm) {
    if (algorithm != GpuAlgorithm.RING && collective.isScattered()) {
      return 1;
    }
    boolean stepwise = algorithm == GpuAlgorithm.RING || algorithm.isNvls();
    return stepwise ? (float) (1.0 * inputs.ranks() / steps(collective)) : .5f;
  }

  private int steps(GpuCollective collective) {
    return switch (collective) {
      case ALL_REDUCE -> 2 * (inputs.ranks() - 1);
      case ALL_GATHER, REDUCE_SCATTER -> inputs.ranks() - 1;
      case BROADCAST, REDUCE -> inputs.ranks();
    };
  }

  private float totalLatency(GpuCollective collective, GpuAlgorithm algorithm, Protocol protocol) {
    ChannelGraph graph = inputs.graph(algorithm);
    int a = algorithm.ordinal();
    int p = protocol.ordinal();
    boolean several = inputs.hosts() > 1;
    float[][] inside = graph.intraKind() == PathKind.NVL ? GpuConstants.NVLINK : GpuConstants.PCI;
    float intra = inside[a][p];
    boolean power = inputs.arch().equals("ppc64") && protocol == Protocol.SIMPLE;
    if (power && algorithm == GpuAlgorithm.TREE && graph.intraKind() != PathKind.NVL) {
      intra = GpuConstants.PCI[GpuAlgorithm.RING.ordinal()][p];
    }
    float inter = GpuConstants.NETWORK[perHost == 1 ? GpuAlgorithm.TREE.ordinal() : a][p];
    inter += graph.latency() * (protocol == Protocol.SIMPLE ? 2 : 1);
    float base = GpuConstants.BASE[a][p];
    int perNode = inputs.ranks() / inputs.hosts();
    float log = log2(inputs.hosts());
    return switch (algorithm) {
      case RING -> {
        float step = (several ? GpuConstants.NETWORK : inside)[a][p];
        if (collective == GpuCollective.REDUCE || collective == GpuCollective.BROADCAST) {
          if (!graph.sameChannels() && protocol == Protocol.SIMPLE) {
            step = (several ? GpuConstants.NETWORK : inside)[GpuAlgorithm.TREE.ordinal()][p];
          }
          yield base + (graph.sameChannels() ? step : steps(collective) * step);
        }
        float overhead = several ? (inputs.isAmd() ? 2 : 1) : 0;
        intra = Math.max(intra, protocol == Protocol.SIMPLE ? overhead * 3 : overhead);
        int between = (inputs.hosts() - 1) * (collective == GpuCollective.ALL_REDUCE ? 2 : 1);
        yield base + (steps(collective) - between) * intra + between * inter;
      }
      case TREE -> base + 2 * ((perNode - 1) * intra + log * inter);
      case COLLNET_DIRECT ->
          (float) (base + 2 * (Math.min(1, perNode - 1) * intra + (perNode - 1) * .4) + inter);
      case COLLNET_CHAIN -> base + 2 * (perNode - 1) * intra + inter;
      case NVLS -> intra + (several ? inter : 0);
      case NVLS_TREE -> base + intra + 2 * log * inter;
      case PAT -> (float) (base + log * (inter / 3.5) + inputs.ranks() * 2.8);
    };
  }

  /** Returns the logarithm, rounded down; -1 of 0. */
  static int log2(long value) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
  }
}
