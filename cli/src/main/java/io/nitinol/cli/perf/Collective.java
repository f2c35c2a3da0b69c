// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

/** The collectives that can be measured. */
enum Collective {
  /** Every rank ends with the reduction of all ranks' buffers. */
  ALL_REDUCE("all_reduce");

  private final String label;

  Collective(String label) {
    this.label = label;
  }

  /** Returns nccl-tests' name, without {@code _perf}. */
  String label() {
    return label;
  }

  /**
   * Returns the bus bandwidth over the algorithm bandwidth: how often each byte crosses a rank's
   * link in the best algorithm, so that figures of different rank counts compare with the hardware.
   */
  double busFactor(int ranks) {
    return switch (this) {
      case ALL_REDUCE -> 2.0 * (ranks - 1) / ranks;
    };
  }
}
