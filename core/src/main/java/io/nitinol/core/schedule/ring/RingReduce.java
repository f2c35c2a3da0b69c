// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.ring;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/** The ring reduce: a chain from the rank behind the root round to the root. */
public final class RingReduce extends RingChain {

  /**
   * Creates a schedule without elements.
   *
   * @param order all ranks, as the ring visits them, 2 or more
   * @param rank this rank
   * @param shape the sizes of messages, the same on all ranks
   * @param channel which channel this is, from 0
   */
  public RingReduce(int[] order, int rank, ChunkShape shape, int channel) {
    super(order, rank, shape, channel);
  }

  @Override
  int stepsPerPiece() {
    return 1;
  }

  @Override
  boolean receivesPieces() {
    return distance != 1;
  }

  @Override
  void step(int part, long offset, long count, Step into) {
    StepKind kind =
        switch (distance) {
          case 0 -> StepKind.RECV_REDUCE_COPY;
          case 1 -> StepKind.SEND;
          default -> StepKind.RECV_REDUCE_SEND;
        };
    into.begin(kind, count)
        .at(offset)
        .from(kind.receives() ? ring.previous() : Step.NO_PEER)
        .to(kind.sends() ? ring.next() : Step.NO_PEER)
        .last(distance == 0);
  }
}
