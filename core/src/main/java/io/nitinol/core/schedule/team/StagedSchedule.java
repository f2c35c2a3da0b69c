// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Pipeline;
import io.nitinol.core.schedule.Step;

/**
 * A collective of a team whose rounds have two stages: all that is put, then all that is read.
 * While the others are still reading a round, the next one is put, if there are slots for that.
 */
abstract class StagedSchedule extends TeamSchedule {
  private final Pipeline pipeline;

  StagedSchedule(TeamShape team, SlotShape area, int channel) {
    super(team.members(), team.index(), area.slotBytes(), channel);
    int lag = Math.min(area.depth() - 1, 1);
    this.pipeline = new Pipeline(0, lag);
  }

  @Override
  final void planRounds() {
    rounds.cut(mostPerRound(), align);
    pipeline.setSteps(0, putSteps());
    pipeline.setSteps(1, readSteps());
    pipeline.plan(rounds.rounds());
  }

  /** Returns the most elements of a round, whole cache lines. */
  abstract long mostPerRound();

  /** Returns how many steps of a round put something. */
  abstract int putSteps();

  /** Returns how many steps of a round come after that. */
  abstract int readSteps();

  /** Tells what to put of {@code count} elements from {@code offset}. */
  abstract void put(int part, long offset, long count, Step into);

  /** Tells what to do when that is put; the round is set later. */
  abstract void read(int part, long offset, long count, Step into);

  @Override
  public final long steps() {
    return pipeline.steps();
  }

  @Override
  public final void step(long number, Step into) {
    pipeline.seek(number);
    long round = pipeline.item();
    if (pipeline.stage() == 0) {
      put(pipeline.part(), rounds.begin(round), rounds.count(round), into);
    } else {
      read(pipeline.part(), rounds.begin(round), rounds.count(round), into);
    }
    into.slot(round, into.place());
  }
}
