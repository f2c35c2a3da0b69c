// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import org.jspecify.annotations.Nullable;

/** What a graph is for; one of each is searched. Ids are those of NCCL's files. */
public enum GraphKind {
  /** Rings. */
  RING(0, GraphPattern.RING, false),
  /** Trees. */
  TREE(1, GraphPattern.BALANCED_TREE, false),
  /** The network reduces what the heads send; GPUs exchange with the heads directly. */
  COLLNET_DIRECT(4, GraphPattern.COLLNET_DIRECT, true),
  /** The network reduces what the first GPU of a chain sends. */
  COLLNET_CHAIN(2, GraphPattern.TREE, true),
  /** NVSwitches reduce. */
  NVLS(3, GraphPattern.NVLS, false);

  private final int id;
  private final GraphPattern pattern;
  private final boolean collNet;

  GraphKind(int id, GraphPattern pattern, boolean collNet) {
    this.id = id;
    this.pattern = pattern;
    this.collNet = collNet;
  }

  /** Returns NCCL's number. */
  public int id() {
    return id;
  }

  /** Returns the pattern that is tried first. */
  GraphPattern pattern() {
    return pattern;
  }

  /** Returns whether only network devices that reduce will do. */
  boolean collNet() {
    return collNet;
  }

  /** Returns the kind of a number, or null. */
  static @Nullable GraphKind of(int id) {
    for (GraphKind kind : values()) {
      if (kind.id == id) {
        return kind;
      }
    }
    return null;
  }
}
