// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

/**
 * Hints about the traffic that a communicator is going to have; mirrors {@code ncclNetAttr_v11_t},
 * which is the same in version 12. Hints only: traffic of another shape must work too.
 *
 * @param send about connections that send
 * @param recv about connections that receive
 * @param op the collectives that are used, a bit for each {@code ncclFunc_t}; {@link #UNDEFINED}
 *     where it is not known
 * @param algo the algorithms, a bit each in the order of NCCL's numbers; or {@link #UNDEFINED}
 * @param proto the protocols, a bit each in the order of NCCL's numbers; or {@link #UNDEFINED}
 */
public record NetAttributes(Flows send, Flows recv, int op, int algo, int proto) {

  /** Nothing is known; mirrors {@code NCCL_NET_ATTR_UNDEF}. In a mask, every bit. */
  public static final int UNDEFINED = -1;

  /**
   * How many connections of one direction there will be; each number is {@link #UNDEFINED} where it
   * is not known.
   *
   * @param maxConcurrentPeers with how many peers at once, at the most
   * @param minConcurrentPeers with how many peers at once, at the least
   * @param maxFlowsPerPeer how many connections with one of them, at the most
   * @param minFlowsPerPeer how many connections with one of them, at the least
   */
  public record Flows(
      int maxConcurrentPeers, int minConcurrentPeers, int maxFlowsPerPeer, int minFlowsPerPeer) {}
}
