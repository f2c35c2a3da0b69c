// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.ring;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/** The ring broadcast: a chain from the root to the rank before it. */
public final class RingBroadcast extends RingChain {

  /**
   * Creates a schedule without elements.
   *
   * @param order all ranks, as the ring visits them, 2 or more
   * @param rank this rank
   * @param shape the sizes of messages, the same on all ranks
   * @param channel which channel this is, from 0
   */
  public RingBroadcast(int[] order, int rank, ChunkShape shape, int channel) {
    super(order, rank, shape, channel);
  }

  @Override
  int stepsPerPiece() {
    return distance == 0 ? 2 : 1;
  }

  @Override
  boolean receivesPieces() {
    return distance > 0;
  }

  @Override
  void step(int part, long offset, long count, Step into) {
    StepKind kind;
    if (distance == 0) {
      kind = part == 0 ? StepKind.SEND : StepKind.COPY;
    } else {
      kind = distance < ring.size() - 1 ? StepKind.RECV_COPY_SEND : StepKind.RECV;
    }
    into.begin(kind, count)
        .at(offset)
        .from(kind.receives() ? ring.previous() : Step.NO_PEER)
        .to(kind.sends() ? ring.next() : Step.NO_PEER);
  }
}
