// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.tune;

import io.nitinol.core.topology.search.GraphKind;

/** NCCL's algorithms, in NCCL's order; some are none of this program's. */
public enum GpuAlgorithm {
  /** The double binary tree. */
  TREE("Tree", GraphKind.TREE),
  /** Rings through all ranks. */
  RING("Ring", GraphKind.RING),
  /** The network reduces; GPUs exchange with its heads directly. */
  COLLNET_DIRECT("CollNetDirect", GraphKind.COLLNET_DIRECT),
  /** The network reduces what a chain of GPUs sends. */
  COLLNET_CHAIN("CollNetChain", GraphKind.COLLNET_CHAIN),
  /** NVSwitches reduce. */
  NVLS("NVLS", GraphKind.NVLS),
  /** NVSwitches reduce inside a host, a tree between hosts. */
  NVLS_TREE("NVLSTree", GraphKind.NVLS),
  /** Parallel trees for hosts of one GPU. */
  PAT("PAT", GraphKind.TREE);

  private final String label;
  private final GraphKind graph;

  GpuAlgorithm(String label, GraphKind graph) {
    this.label = label;
    this.graph = graph;
  }

  /** Returns NCCL's name. */
  public String label() {
    return label;
  }

  /** Returns the graph that it uses. */
  GraphKind graph() {
    return graph;
  }

  boolean isCollNet() {
    return this == COLLNET_DIRECT || this == COLLNET_CHAIN;
  }

  boolean isNvls() {
    return this == NVLS || this == NVLS_TREE;
  }
}
