// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.tune;

/**
 * The constants of NCCL 2.28.9's model ({@code ncclTunerConstantsDefaults}): latencies in
 * microseconds, bandwidths in GB/s. Latencies stand by algorithm and protocol; bandwidths by
 * generation (Volta, Ampere, Hopper, Blackwell) and number of hosts (1, 2, more).
 */
final class GpuConstants {
  /** What an operation takes before anything moves. */
  static final float[][] BASE = {
    {6.8f, 14, 8.4f}, {6.6f, 14, 8.4f}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {8, 8, 8}
  };

  /** A step over NVLink. */
  static final float[][] NVLINK = {
    {.6f, 1.25f, 4},
    {.6f, 1.9f, 3.4f},
    {0, 0, 3.7f},
    {0, 0, 2.8f},
    {0, 0, 25},
    {0, 0, 25},
    {0, 0, 4}
  };

  /** A step over PCI. */
  static final float[][] PCI = {
    {1, 1.9f, 4}, {1, 2.5f, 5.7f}, {0, 0, 3.7f}, {0, 0, 2.8f}, {0, 0, 0}, {0, 0, 0}, {0, 0, 4}
  };

  /** A step over the network. */
  static final float[][] NETWORK = {
    {5, 8.5f, 14}, {2.7f, 4, 14}, {0, 0, 31}, {0, 0, 30}, {0, 0, 18}, {0, 0, 20.9f}, {0, 0, 14}
  };

  /** The most that LL carries. Of several hosts the processors decide: Intel's, then AMD's. */
  static final double[][] LL = {
    {39, 39, 20.4}, {87.7, 22.5, 19}, {141, 45, 35}, {2 * 141.0, 2 * 45.0, 2 * 35.0}
  };

  /** The most that a channel of a ring carries with LL128. */
  static final double[][] RING_LL128 = {
    {20, 20, 20}, {20, 20, 20}, {36.7, 36.7, 36.7}, {2 * 36.7, 34.6, 2 * 36.7}
  };

  /** The most that a channel of a tree carries with LL128. */
  static final double[][] TREE_LL128 = {
    {20, 20, 20}, {20, 20, 20}, {36.7, 36.7, 29}, {55.6, 31.67, 20}
  };

  /** The most that a channel of a tree carries. */
  static final double[][] TREE = {
    {26.5, 18.5, 10}, {24, 23.6, 17.8}, {38.7, 41.4, 36}, {70, 42.8, 24}
  };

  /** The most that a channel of NVLS and trees carries. */
  static final double[][] NVLS_TREE = {
    {26.5, 18.5, 10}, {24, 23.6, 17.8}, {0, 57.7, 45.5}, {0, 96, 43.8}
  };

  /** What is left of the bandwidth when NVSwitches reduce. */
  static final float[] NVLS_EFFICIENCY = {0, 0, .85f, .74f};

  /**
   * By how much trees fall short of the model, for sizes of 64 bytes to 256 MiB in powers of two;
   * by protocol.
   */
  static final float[][] TREE_CORRECTION = {
    {
      1, 1, 1, 1, .9f, .8f, .7f, .7f, .7f, .7f, .6f, .5f, .4f, .4f, .5f, .6f, .7f, .8f, .9f, 1, 1,
      1, 1
    },
    {
      1, 1, 1, 1, 1, .9f, .8f, .8f, .8f, .7f, .6f, .6f, .6f, .6f, .6f, .6f, .8f, .9f, .9f, .9f, .9f,
      1, 1
    },
    {
      .9f, .9f, .9f, .9f, .9f, .9f, .9f, .8f, .7f, .6f, .6f, .5f, .5f, .5f, .5f, .6f, .7f, .8f, .7f,
      .7f, .8f, .9f, .9f
    }
  };

  private GpuConstants() {}

  /** Returns the row of a compute capability. */
  static int generation(int computeCapability) {
    return computeCapability >= 100
        ? 3
        : computeCapability >= 90 ? 2 : computeCapability >= 80 ? 1 : 0;
  }
}
