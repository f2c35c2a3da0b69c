// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.ring;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * Collectives in which each rank has a block of its own that all others take part in: every block
 * travels round the ring. A loop moves the same chunk of all blocks, in slices that fit a slot.
 */
public abstract class RingBlocks extends RingSchedule {
  private final int phases;
  private long slice;
  private int slices;
  private long steps;
  private long receives;

  /**
   * Sets what does not change.
   *
   * @param phases how many steps each slice of a chunk has
   */
  RingBlocks(HostLayout layout, int rank, ChunkShape shape, int channel, int phases) {
    super(layout, rank, shape, channel);
    this.phases = phases;
  }

  @Override
  final void planRounds(int root) {
    rounds.cut(shape.slices() * slotCount, align);
    long chunk = Math.max(1, rounds.size());
    long wanted = Rounds.alignUp(Math.ceilDiv(chunk, shape.slices()), align);
    slice = Math.min(slotCount, Math.max(minSlice, wanted));
    slices = Math.toIntExact(Math.ceilDiv(chunk, slice));
    long loops = rounds.rounds();
    steps = loops * phases * slices;
    long messages = loops == 0 ? 0 : (loops - 1) * slices;
    messages += loops == 0 ? 0 : Math.ceilDiv(rounds.count(loops - 1), slice);
    receives = messages * (ring.size() - 1);
  }

  @Override
  public final long steps() {
    return steps;
  }

  @Override
  final long receives() {
    return receives;
  }

  @Override
  public final void step(long index, Step into) {
    Schedule.checkIndex(index, steps);
    int perLoop = phases * slices;
    long loop = index / perLoop;
    int inLoop = (int) (index - loop * perLoop);
    int phase = inLoop / slices;
    long inChunk = (inLoop - phase * slices) * slice;
    long count = Math.max(0, Math.min(slice, rounds.count(loop) - inChunk));
    step(phase, rounds.begin(loop) + inChunk, count, into);
  }

  /** Tells what to do with {@code count} elements of a block, from {@code offset} in it. */
  abstract void step(int phase, long offset, long count, Step into);

  /**
   * The ring all-gather: each rank sends its block and passes on those of all others but the rank
   * behind, n-1 messages per slice.
   */
  public static final class AllGather extends RingBlocks {
    private static final int SEND = 0;
    private static final int COPY = 1;

    public AllGather(HostLayout layout, int rank, ChunkShape shape, int channel) {
      super(layout, rank, shape, channel, layout.ranks() + 1);
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

  /**
   * The ring reduce-scatter: the block of a rank begins at the rank behind it and gathers
   * contributions until it comes home, n-1 messages per slice.
   */
  public static final class ReduceScatter extends RingBlocks {

    public ReduceScatter(HostLayout layout, int rank, ChunkShape shape, int channel) {
      super(layout, rank, shape, channel, layout.ranks());
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
}
