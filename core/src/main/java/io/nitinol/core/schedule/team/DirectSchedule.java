// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * A collective of a team in one process that works on the members' own buffers, in a single round:
 * POSTED once a member's buffers may be read, SHARED once it has done its work on the buffers of
 * all. No rank is done before all have shared, since its buffers are in use until then.
 */
public abstract class DirectSchedule extends TeamSchedule {
  /** What {@link #work} may walk through: piece by piece, so that other things get their turn. */
  final Rounds pieces = new Rounds();

  private long work;

  DirectSchedule(TeamShape team, int channel) {
    super(team.members(), team.index(), team.simple().slotBytes(), channel);
  }

  @Override
  final void planRounds() {
    work = rounds.rounds() == 0 ? 0 : planWork();
  }

  @Override
  public final long steps() {
    return work == 0 ? 0 : work + 2;
  }

  @Override
  public final void step(long number, Step into) {
    Schedule.checkIndex(number, steps());
    if (number == 0) {
      into.begin(StepKind.PUT, 0); // as a slot, to be shown when free
      into.signals(isUsed() ? Signal.POSTED : Signal.NONE);
    } else if (number <= work) {
      work(number - 1, into);
      if (number == work) {
        into.signals(Signal.SHARED);
      }
    } else {
      into.begin(StepKind.NOTHING, 0)
          .awaits(isUsed() ? Signal.SHARED : Signal.NONE, Step.ALL)
          .signals(Signal.FREED);
    }
  }

  /** Returns whether other members read or write this rank's buffers. */
  boolean isUsed() {
    return true;
  }

  /** Returns how many steps {@link #work} has for the elements of {@link #rounds}, from 1. */
  abstract long planWork();

  /** Tells what step {@code number} does, from 0; signals are set later. */
  abstract void work(long number, Step into);

  /** Cuts this member's slice of the round into {@link #pieces}; returns how many, from 1. */
  final long cutSlice() {
    long length = rounds.length();
    long slice = Rounds.alignUp(Math.ceilDiv(length, members), align);
    long end = rounds.begin() + length;
    long from = Math.min(end, rounds.begin() + index * slice);
    return cutPieces(from, Math.min(end, from + slice));
  }

  /** Cuts elements into {@link #pieces}; returns how many, from 1. */
  final long cutPieces(long from, long to) {
    pieces.range(from, to);
    pieces.cut(slotCount, align);
    return Math.max(1, pieces.rounds());
  }

  /**
   * The all-gather of a team in one process for large messages: every member reads everybody's
   * input.
   */
  public static final class AllGather extends DirectSchedule {
    private long perMember;

    public AllGather(TeamShape team, int channel) {
      super(team, channel);
    }

    @Override
    long planWork() {
      perMember = cutPieces(rounds.begin(), rounds.begin() + rounds.length());
      return perMember * members;
    }

    @Override
    void work(long number, Step into) {
      long distance = number / perMember;
      long piece = number - distance * perMember;
      int member = behind((int) distance);
      if (distance == 0) {
        into.begin(StepKind.COPY, pieces.count(piece));
      } else {
        into.begin(StepKind.GET_DIRECT, pieces.count(piece))
            .awaits(piece == 0 ? Signal.POSTED : Signal.NONE, member);
      }
      into.input(pieces.begin(piece)).output(member * operationCount + pieces.begin(piece));
    }
  }

  /**
   * The all-reduce of a team in one process for large messages: every member folds one slice of all
   * inputs into all outputs, so that nothing is copied on the way. No other rank touches the slice,
   * and what is read of an element is read before it is written: buffers may be in place.
   */
  public static final class AllReduce extends DirectSchedule {

    public AllReduce(TeamShape team, int channel) {
      super(team, channel);
    }

    @Override
    long planWork() {
      return cutSlice();
    }

    @Override
    void work(long number, Step into) {
      into.begin(StepKind.FOLD_DIRECT, pieces.count(number)).at(pieces.begin(number)).last(true);
      if (number == 0) {
        into.awaits(Signal.POSTED, Step.ALL);
      }
    }
  }

  /** The broadcast of a team in one process for large messages: all read the root's input. */
  public static final class Broadcast extends DirectSchedule {

    public Broadcast(TeamShape team, int channel) {
      super(team, channel);
    }

    @Override
    boolean isUsed() {
      return index == root;
    }

    @Override
    long planWork() {
      return cutPieces(rounds.begin(), rounds.begin() + rounds.length());
    }

    @Override
    void work(long number, Step into) {
      if (index == root) {
        into.begin(StepKind.COPY, pieces.count(number));
      } else {
        into.begin(StepKind.GET_DIRECT, pieces.count(number))
            .awaits(number == 0 ? Signal.POSTED : Signal.NONE, root);
      }
      into.at(pieces.begin(number));
    }
  }

  /**
   * The reduce of a team in one process for large messages: every member folds one slice of all
   * inputs into the root's output.
   */
  public static final class Reduce extends DirectSchedule {

    public Reduce(TeamShape team, int channel) {
      super(team, channel);
    }

    @Override
    long planWork() {
      return 1 + cutSlice();
    }

    @Override
    void work(long number, Step into) {
      if (number == 0) {
        into.begin(StepKind.NOTHING, 0).awaits(Signal.POSTED, Step.ALL);
      } else {
        long piece = number - 1;
        into.begin(StepKind.FOLD_DIRECT_TO, pieces.count(piece))
            .at(pieces.begin(piece))
            .of(root)
            .last(true);
      }
    }
  }

  /**
   * The reduce-scatter of a team in one process for large messages: every member folds its block of
   * all inputs into its output, which may be that block of its input.
   */
  public static final class ReduceScatter extends DirectSchedule {

    public ReduceScatter(TeamShape team, int channel) {
      super(team, channel);
    }

    @Override
    long planWork() {
      return 1 + cutPieces(rounds.begin(), rounds.begin() + rounds.length());
    }

    @Override
    void work(long number, Step into) {
      if (number == 0) {
        into.begin(StepKind.NOTHING, 0).awaits(Signal.POSTED, Step.ALL);
      } else {
        long offset = pieces.begin(number - 1);
        into.begin(StepKind.FOLD_DIRECT_TO, pieces.count(number - 1))
            .input(index * operationCount + offset)
            .output(offset)
            .of(index)
            .last(true);
      }
    }
  }
}
