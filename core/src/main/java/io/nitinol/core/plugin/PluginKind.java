// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

/** What a plugin is for. */
public enum PluginKind {
  /** Point-to-point messages: {@code ncclNet}. */
  NET("net"),
  /** Reduction inside the network: {@code ncclCollNet}. */
  COLLNET("collnet"),
  /** Reductions on host memory; NCCL has no such plugin. */
  KERNEL("kernel"),
  /** A say in the choice of algorithms: {@code ncclTuner}. */
  TUNER("tuner"),
  /** Hears what a communicator does: {@code ncclProfiler}. */
  PROFILER("profiler"),
  /** A kind of device with its memory, streams and kernels; NCCL has no such plugin. */
  DEVICE("device");

  private final String label;

  PluginKind(String label) {
    this.label = label;
  }

  /**
   * Returns the word for messages and JSON: {@code net}, {@code collnet}, {@code kernel}, {@code
   * tuner}, {@code profiler} or {@code device}.
   */
  public String label() {
    return label;
  }
}
