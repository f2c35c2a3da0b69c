// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

/** How far apart two nodes are, nearest first; mirrors NCCL's {@code PATH_} constants. */
public enum PathKind {
  /** The node itself. */
  LOC,
  /** Over NVLink. */
  NVL,
  /** Over NVLink through another GPU. */
  NVB,
  /** Over NVLink-C2C. */
  C2C,
  /** Through one PCI switch at most. */
  PIX,
  /** Through several PCI switches, not through a CPU. */
  PXB,
  /** From a GPU over NVLink-C2C and on from its CPU by PCI. */
  P2C,
  /** Over NVLink to a GPU that is near the network device. */
  PXN,
  /** Through the PCI host bridge of a CPU. */
  PHB,
  /** Between NUMA domains. */
  SYS,
  /** Over the network. */
  NET,
  /** Not at all. */
  DIS;

  /** Returns the one that is farther. */
  public PathKind max(PathKind other) {
    return compareTo(other) >= 0 ? this : other;
  }

  /** Returns whether this is as near as the other one, or nearer. */
  public boolean isWithin(PathKind other) {
    return compareTo(other) <= 0;
  }
}
