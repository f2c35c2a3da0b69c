// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

/** The calls that are measured, for all ranks of this process at once. */
interface GpuCalls extends AutoCloseable {

  /** Returns one line about who runs them and how. */
  String describe();

  /**
   * Prepares an operation, so that to put it in allocates nothing.
   *
   * @param count what each rank passes as the count
   * @return puts one operation of each rank into its stream
   */
  Runnable prepare(GpuOperation operation, long count);

  /**
   * Waits until a rank's stream is done and its results may be used.
   *
   * @throws RuntimeException where an operation has failed or takes too long
   */
  void settle(GpuRank rank);

  @Override
  void close();
}
