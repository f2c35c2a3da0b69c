// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.ring;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * A collective with a root, as a chain along the ring that begins or ends there: the elements pass
 * through in pieces, and all ranks are at work at once on different pieces.
 */
public abstract class RingChain extends RingSchedule {
  private int stepsPerPiece;

  /** How many places this rank is behind the root. */
  int distance;

  RingChain(HostLayout layout, int rank, ChunkShape shape, int channel) {
    super(layout, rank, shape, channel);
  }

  @Override
  final void planRounds(int root) {
    distance = distanceFrom(root);
    stepsPerPiece = stepsPerPiece();
    // A chain of p pieces takes as long as n - 2 + p of them. With a cost per piece like that of
    // the least slice's bytes, this many are best.
    double slices = (double) rounds.length() / minSlice;
    long wanted = Math.max(1, (long) Math.sqrt((ring.size() - 2) * slices));
    rounds.cut(slotCount, align, wanted);
  }

  /** Returns how many steps each piece has. */
  abstract int stepsPerPiece();

  /** Returns whether this rank receives anything. */
  abstract boolean receivesPieces();

  /** Tells what to do with a piece; the elements are set. */
  abstract void step(int part, long offset, long count, Step into);

  @Override
  public final long steps() {
    return rounds.rounds() * stepsPerPiece;
  }

  @Override
  final long receives() {
    return receivesPieces() ? rounds.rounds() : 0;
  }

  @Override
  public final void step(long index, Step into) {
    Schedule.checkIndex(index, steps());
    long piece = index / stepsPerPiece;
    int part = (int) (index - piece * stepsPerPiece);
    step(part, rounds.begin(piece), rounds.count(piece), into);
  }

  /** The ring broadcast: a chain from the root to the rank before it. */
  public static final class Broadcast extends RingChain {

    public Broadcast(HostLayout layout, int rank, ChunkShape shape, int channel) {
      super(layout, rank, shape, channel);
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

  /** The ring reduce: a chain from the rank behind the root round to the root. */
  public static final class Reduce extends RingChain {

    public Reduce(HostLayout layout, int rank, ChunkShape shape, int channel) {
      super(layout, rank, shape, channel);
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
}
