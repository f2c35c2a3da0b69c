// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import org.jspecify.annotations.Nullable;

/** How data goes through a host; the numbers are those of NCCL's files. */
public enum GraphPattern {
  /** From the network to the first GPU, along a chain, and from the first two GPUs back. */
  BALANCED_TREE(1),
  /** From the network to the first GPU, and from the second one back. */
  SPLIT_TREE(2),
  /** All between the network and the host goes through the first GPU. */
  TREE(3),
  /** From the network through every GPU and back, or in a circle within one host. */
  RING(4),
  /** Every GPU reads and writes the NVSwitches, which reduce. */
  NVLS(5),
  /** Heads, which exchange with all GPUs, talk to a network that reduces. */
  COLLNET_DIRECT(6);

  private final int number;

  GraphPattern(int number) {
    this.number = number;
  }

  /** Returns NCCL's number. */
  public int number() {
    return number;
  }

  /** Returns the pattern of a number, or null. */
  static @Nullable GraphPattern of(int number) {
    for (GraphPattern pattern : values()) {
      if (pattern.number == number) {
        return pattern;
      }
    }
    return null;
  }

  /** Returns whether the search counts it as a tree, whose data goes both ways. */
  boolean isTree() {
    return this == BALANCED_TREE || this == SPLIT_TREE || this == TREE;
  }
}
