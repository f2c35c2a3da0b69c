// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import java.util.Arrays;

/** What is measured, with the names and the bus bandwidths of nccl-tests. Elements are floats. */
enum GpuOperation {
  ALL_REDUCE("all_reduce", false),
  ALL_GATHER("all_gather", true),
  REDUCE_SCATTER("reduce_scatter", true),
  BROADCAST("broadcast", false),
  REDUCE("reduce", false),
  ALL_TO_ALL("alltoall", true),
  SEND_RECV("sendrecv", false);

  private final String label;
  private final boolean parts;

  GpuOperation(String label, boolean parts) {
    this.label = label;
    this.parts = parts;
  }

  /**
   * Returns the operation of a name.
   *
   * @throws IllegalArgumentException where there is none
   */
  static GpuOperation of(String label) {
    return Arrays.stream(values())
        .filter(each -> each.label.equals(label))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "operation %s: expected one of %s"
                    .formatted(
                        label,
                        String.join(
                            ", ", Arrays.stream(values()).map(each -> each.label).toList()))));
  }

  String label() {
    return label;
  }

  /**
   * Returns the count that a rank passes to the call, at least 1.
   *
   * @param bytes the size of the largest buffer of a rank
   */
  long count(long bytes, int ranks) {
    return Math.max(bytes / Float.BYTES / (parts ? ranks : 1), 1);
  }

  /** Returns the size in bytes of the largest buffer of a rank, for a count. */
  long size(long count, int ranks) {
    return count * Float.BYTES * (parts ? ranks : 1);
  }

  /** Returns by what the bandwidth of the largest buffer is multiplied to be that of a link. */
  double busFactor(int ranks) {
    double others = (double) (ranks - 1) / ranks;
    return switch (this) {
      case ALL_REDUCE -> 2 * others;
      case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL -> others;
      case BROADCAST, REDUCE, SEND_RECV -> 1;
    };
  }
}
