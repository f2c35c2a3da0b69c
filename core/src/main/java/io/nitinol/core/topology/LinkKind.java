// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

/** What joins two nodes; mirrors NCCL's {@code LINK_} constants. */
public enum LinkKind {
  /** A way within one PCI switch that shows as several. */
  LOC(PathKind.LOC),
  /** NVLink. */
  NVL(PathKind.NVL),
  /** NVLink-C2C, between a GPU and its CPU. */
  C2C(PathKind.C2C),
  /** PCI Express. */
  PCI(PathKind.PIX),
  /** The link between NUMA domains. */
  SYS(PathKind.SYS),
  /** From a card to a device of a network plugin; costs a path nothing. */
  NET(PathKind.LOC);

  private final PathKind path;

  LinkKind(PathKind path) {
    this.path = path;
  }

  /** Returns the kind of a path that is this link alone. */
  PathKind path() {
    return path;
  }
}
