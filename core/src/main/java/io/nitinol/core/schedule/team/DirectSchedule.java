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
abstract class DirectSchedule extends TeamSchedule {
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
}
