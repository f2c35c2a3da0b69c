// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

/** What a node of the graph is; the names are NCCL's. */
public enum NodeKind {
  /** A GPU. */
  GPU,
  /** A PCI switch or bridge. */
  PCI,
  /** The NVSwitches of a machine, as one. */
  NVS,
  /** A NUMA domain. */
  CPU,
  /** A network card, with all its ports. */
  NIC,
  /** A device of a network plugin. */
  NET
}
