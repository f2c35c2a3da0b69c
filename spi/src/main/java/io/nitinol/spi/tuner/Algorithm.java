// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.tuner;

/**
 * The algorithm of a collective; {@code NCCL_ALGO} takes these names, in any case and with or
 * without underscores.
 */
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
  PAIRS,
  /**
   * The collective network reduces between hosts: a chain of each host's ranks to the one that
   * talks to the network, and back.
   */
  COLLNET_CHAIN,
  /**
   * The collective network reduces between hosts: {@link #DIRECT} inside each host, where as many
   * ranks talk to the network as there are devices, each for its share.
   */
  COLLNET_DIRECT
}
