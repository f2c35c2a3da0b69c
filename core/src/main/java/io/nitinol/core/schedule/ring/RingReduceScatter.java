// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.ring;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * The ring reduce-scatter: the block of a rank begins at the rank behind it and gathers
 * contributions until it comes home, n-1 messages per slice.
 */
public final class RingReduceScatter extends RingBlocks {

  /**
   * Creates a schedule without elements.
   *
   * @param order all ranks, as the ring visits them, 2 or more
   * @param rank this rank
   * @param shape the sizes of messages, the same on all ranks
   * @param channel which channel this is, from 0
   */
  public RingReduceScatter(int[] order, int rank, ChunkShape shape, int channel) {
    super(order, rank, shape, channel, order.length);
  }

  @Override
  void step(int phase, long offset, long count, Step into) {
    int n = ring.size();
    boolean home = phase == n - 1;
    StepKind kind =
        phase == 0 ? StepKind.SEND : home ? StepKind.RECV_REDUCE_COPY : StepKind.RECV_REDUCE_SEND;
    into.begin(kind, count)
        .input(before(home ? 0 : phase + 1) * operationCount + offset)
        .output(offset)
        .from(kind.receives() ? ring.previous() : Step.NO_PEER)
        .to(kind.sends() ? ring.next() : Step.NO_PEER)
        .last(home);
  }
}
