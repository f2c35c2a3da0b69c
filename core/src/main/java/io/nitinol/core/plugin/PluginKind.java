// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

/** What a plugin is for. */
public enum PluginKind {
  /** Point-to-point messages: {@code ncclNet}. */
  NET("net"),
  /** Reduction inside the network: {@code ncclCollNet}. */
  COLLNET("collnet"),
  /** Reductions on host memory; NCCL has no such plugin. */
  KERNEL("kernel");

  private final String label;

  PluginKind(String label) {
    this.label = label;
  }

  /** Returns the word for people and JSON: {@code net}, {@code collnet} or {@code kernel}. */
  public String label() {
    return label;
  }
}
