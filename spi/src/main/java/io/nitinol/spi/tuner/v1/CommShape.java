// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.tuner.v1;

/**
 * The facts about a communicator that a tuner gets, the same on all its ranks. Mirrors the
 * arguments of {@code init} of {@code ncclTuner_v5}.
 *
 * @param id a number of the communicator, mirrors {@code commId}
 * @param ranks how many ranks it has
 * @param nodes on how many hosts they are
 * @param fewestOnNode how many ranks the host with the fewest has
 * @param mostOnNode how many ranks the host with the most has
 */
public record CommShape(long id, int ranks, int nodes, int fewestOnNode, int mostOnNode) {

  /**
   * Checks that there may be such a communicator.
   *
   * @throws IllegalArgumentException when there is no rank or no host, or hosts have more ranks
   *     than there are or none
   */
  public CommShape {
    if (ranks < 1
        || nodes < 1
        || nodes > ranks
        || fewestOnNode < 1
        || mostOnNode < fewestOnNode
        || mostOnNode > ranks) {
      throw new IllegalArgumentException(
          "a communicator of "
              + ranks
              + " ranks on "
              + nodes
              + " hosts with "
              + fewestOnNode
              + " to "
              + mostOnNode
              + " ranks each; expected 1 or more on each");
    }
  }
}
