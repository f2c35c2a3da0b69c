// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.ring;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Schedule;

/** A place in a ring of two or more, and this channel's share of the elements. */
abstract class RingSchedule implements Schedule {
  final Ring ring;
  final ChunkShape shape;
  final Rounds rounds = new Rounds();

  /** Elements of the operation, as it was called. */
  long operationCount;

  /** Elements of a cache line, of a slot, and of the least slice. */
  long align;

  long slotCount;
  long minSlice;

  private final HostLayout layout;
  private final int channel;
  private final int[] sendPeers;
  private final int[] recvPeers;

  /**
   * Sets what does not change.
   *
   * @param layout all ranks, in whose order of hosts the ring visits them
   */
  RingSchedule(HostLayout layout, int rank, ChunkShape shape, int channel) {
    this.ring = Ring.of(layout, rank);
    if (ring.size() < 2) {
      throw new IllegalArgumentException("a ring of " + ring.size() + "; expected 2 or more");
    }
    this.layout = layout;
    this.shape = shape;
    this.channel = channel;
    this.sendPeers = new int[] {ring.next()};
    this.recvPeers = new int[] {ring.previous()};
  }

  @Override
  public final int[] sendPeers() {
    return sendPeers;
  }

  @Override
  public final int[] recvPeers() {
    return recvPeers;
  }

  @Override
  public final void plan(long count, int elementBytes, int root, int channels) {
    operationCount = count;
    align = ChunkShape.ALIGNMENT / elementBytes;
    slotCount = shape.slotBytes() / elementBytes;
    minSlice = Rounds.alignUp(Math.ceilDiv(shape.minSliceBytes(), elementBytes), align);
    long least = Math.ceilDiv(shape.minChannelBytes(), elementBytes);
    rounds.share(count, align, least, channel, channels);
    planRounds(root);
  }

  /** Cuts {@link #rounds} and counts the steps. */
  abstract void planRounds(int root);

  @Override
  public final long receives(int peer) {
    return peer == ring.previous() ? receives() : 0;
  }

  /** Returns how many messages come from the rank before. */
  abstract long receives();

  /** Returns the rank that is {@code distance} places before this one. */
  final int before(int distance) {
    int place = ring.index() - distance;
    return layout.at(place < 0 ? place + ring.size() : place);
  }

  /** Returns how many places this rank is behind {@code rank}. */
  final int distanceFrom(int rank) {
    int distance = ring.index() - layout.place(rank);
    return distance < 0 ? distance + ring.size() : distance;
  }
}
