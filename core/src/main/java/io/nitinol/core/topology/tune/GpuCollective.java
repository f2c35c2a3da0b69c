// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.tune;

/** The collectives that NCCL's model knows, in its order. */
public enum GpuCollective {
  /** One rank's data goes to all. */
  BROADCAST("Broadcast"),
  /** The sum of all ranks' data goes to one. */
  REDUCE("Reduce"),
  /** Every rank's data goes to all. */
  ALL_GATHER("AllGather"),
  /** Of the sum of all ranks' data each rank gets its share. */
  REDUCE_SCATTER("ReduceScatter"),
  /** The sum of all ranks' data goes to all. */
  ALL_REDUCE("AllReduce");

  private final String label;

  GpuCollective(String label) {
    this.label = label;
  }

  /** Returns NCCL's name. */
  public String label() {
    return label;
  }

  /** Returns how often each byte of a rank's count passes a GPU, as NCCL reckons it. */
  int traffic(int ranks) {
    return switch (this) {
      case ALL_REDUCE -> 2;
      case ALL_GATHER, REDUCE_SCATTER -> ranks;
      case BROADCAST, REDUCE -> 1;
    };
  }

  /** Returns the bytes of a rank's larger buffer, which the model takes for the size. */
  long modelBytes(long countBytes, int ranks) {
    return switch (this) {
      case ALL_GATHER, REDUCE_SCATTER -> countBytes * ranks;
      case ALL_REDUCE, BROADCAST, REDUCE -> countBytes;
    };
  }

  boolean isScattered() {
    return this == ALL_GATHER || this == REDUCE_SCATTER;
  }
}
