// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

/** What perf finds out about an operation, and so what it prints. */
sealed interface PerfMode {
  /** A row for each size: nccl-tests' table. */
  record Table() implements PerfMode {}

  /**
   * The same table with messages a second, of messages that follow each other without a wait.
   *
   * @param both whether both ranks of a pair send
   * @param window how many messages are sent before a wait
   */
  record Rate(boolean both, int window) implements PerfMode {}

  /**
   * Latency and bandwidth of each ordered pair of ranks, for one size.
   *
   * @param window how many messages are sent before a wait, for the bandwidth
   */
  record Pairs(int window) implements PerfMode {}

  /**
   * One size for some time, with figures again and again.
   *
   * @param nanos how long an interval is
   * @param totalNanos how long the run is
   */
  record Intervals(long nanos, long totalNanos) implements PerfMode {}

  /** Returns whether the rows have messages a second. */
  default boolean hasRate() {
    return this instanceof Rate;
  }
}
