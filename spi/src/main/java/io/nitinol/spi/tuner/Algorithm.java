// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.tuner;

/** How a collective is done; the names are what {@code NCCL_ALGO} takes, in any case. */
public enum Algorithm {
  /** The double binary tree. */
  TREE,
  /** Rings through all ranks. */
  RING,
  /** Over memory that all ranks share, each rank reducing its part straight from the others'. */
  DIRECT,
  /** Recursive doubling: log2(n) exchanges of everything. */
  DOUBLING,
  /** {@link #DIRECT} inside each host, a ring between the hosts. */
  HIERARCHY,
  /** Sends and receives between pairs. */
  PAIRS
}
