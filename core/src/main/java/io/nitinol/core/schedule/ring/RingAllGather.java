// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.ring;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * The ring all-gather: each rank sends its block and passes on those of all others but the rank
 * behind, n-1 messages per slice.
 */
public final class RingAllGather extends RingBlocks {
  private static final int SEND = 0;
  private static final int COPY = 1;

  /**
   * Creates a schedule without elements.
   *
   * @param order all ranks, as the ring visits them, 2 or more
   * @param rank this rank
   * @param shape the sizes of messages, the same on all ranks
   * @param channel which channel this is, from 0
   */
  public RingAllGather(int[] order, int rank, ChunkShape shape, int channel) {
    super(order, rank, shape, channel, order.length + 1);
  }

  @Override
  void step(int phase, long offset, long count, Step into) {
    switch (phase) {
      case SEND -> into.begin(StepKind.SEND, count).input(offset).to(ring.next());
      case COPY -> // while the first messages are on their way
          into.begin(StepKind.COPY, count)
              .input(offset)
              .output(before(0) * operationCount + offset);
      default -> {
        int distance = phase - 1;
        boolean on = distance < ring.size() - 1;
        into.begin(on ? StepKind.RECV_COPY_SEND : StepKind.RECV, count)
            .output(before(distance) * operationCount + offset)
            .from(ring.previous())
            .to(on ? ring.next() : Step.NO_PEER);
      }
    }
  }
}
