// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.tune;

import io.nitinol.spi.tuner.Protocol;

/**
 * What NCCL would do for one operation.
 *
 * @param algorithm the algorithm
 * @param protocol the protocol
 * @param channels over how many channels the data goes
 * @param micros how long it takes by the model
 */
public record GpuChoice(GpuAlgorithm algorithm, Protocol protocol, int channels, float micros) {
  private static final long LEAST_TRAFFIC = 16 << 10;

  /**
   * Chooses; mirrors {@code topoGetAlgoInfo} for an operation that is alone.
   *
   * @param countBytes the bytes of a rank's count: of what it sends to an all-gather, of what it
   *     gets of a reduce-scatter, of its buffer otherwise; at least 1
   */
  public static GpuChoice of(GpuCostModel model, GpuCollective collective, long countBytes) {
    GpuModelInputs inputs = model.inputs();
    if (inputs.ranks() == 1) {
      return new GpuChoice(GpuAlgorithm.RING, Protocol.SIMPLE, 1, 0);
    }
    long bytes = collective.modelBytes(countBytes, inputs.ranks());
    GpuAlgorithm algorithm = GpuAlgorithm.RING;
    Protocol protocol = Protocol.SIMPLE;
    float least = Float.MAX_VALUE;
    for (GpuAlgorithm a : GpuAlgorithm.values()) {
      for (Protocol p : Protocol.values()) {
        float time = model.time(collective, a, p, bytes);
        if (time >= 0 && time < least) {
          least = time;
          algorithm = a;
          protocol = p;
        }
      }
    }
    int most = mostChannels(model, algorithm, protocol, bytes);
    int used =
        algorithm.isCollNet() ? most : usedChannels(collective, protocol, countBytes, most, inputs);
    return new GpuChoice(algorithm, protocol, used, least);
  }

  private static int mostChannels(
      GpuCostModel model, GpuAlgorithm algorithm, Protocol protocol, long bytes) {
    GpuModelInputs inputs = model.inputs();
    if (algorithm.isNvls()) {
      boolean shared = algorithm == GpuAlgorithm.NVLS && inputs.hosts() > 1;
      return shared ? Math.min(inputs.nvlsChannels(), inputs.channels()) : inputs.nvlsChannels();
    }
    long threads = model.threads(algorithm, protocol);
    long threshold = threshold(algorithm, protocol, inputs.ranks());
    int channels = inputs.channels();
    if (algorithm == GpuAlgorithm.COLLNET_DIRECT) {
      return directChannels(bytes, channels, threads * inputs.collNetHeads(), threshold);
    }
    while (channels > 1 && bytes < channels * threads * threshold) {
      channels--;
    }
    return channels;
  }

  private static int directChannels(long bytes, int of, long threads, long from) {
    int channels = of;
    long threshold = from;
    int step = 16;
    boolean less = true;
    while (step >= 1 && less) {
      while (true) {
        less = bytes < channels * threads * threshold;
        if (!less || channels <= step) {
          break;
        }
        if (channels == step + step / 2) {
          threshold /= 2;
        }
        channels--;
      }
      step /= 2;
    }
    return channels;
  }

  private static long threshold(GpuAlgorithm algorithm, Protocol protocol, int ranks) {
    if (protocol == Protocol.SIMPLE) {
      return algorithm.isCollNet() ? 512 : 64;
    }
    return algorithm == GpuAlgorithm.RING && protocol == Protocol.LL ? 8L * ranks : 8;
  }

  /** Returns how many channels get a part: cells of some size fill one channel after the other. */
  private static int usedChannels(
      GpuCollective collective, Protocol protocol, long countBytes, int most, GpuModelInputs in) {
    long perByte = (long) collective.traffic(in.ranks()) * (protocol == Protocol.LL ? 4 : 1);
    long traffic = Math.max(LEAST_TRAFFIC, countBytes * perByte);
    long perChannel = Math.max(LEAST_TRAFFIC, traffic / most);
    long cell = Math.ceilDiv(Math.ceilDiv(LEAST_TRAFFIC, perByte), 16) * 16;
    long cells = Math.ceilDiv(countBytes, cell);
    long cellsEach = Math.min(cells, Math.ceilDiv(perChannel, cell * perByte));
    int channels = (int) Math.ceilDiv(cells, cellsEach);
    return Math.clamp(channels, 1, in.channels());
  }
}
