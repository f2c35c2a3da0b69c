// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Pipeline;
import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * A reduction in which each member reduces one slice of every round: it puts the other slices of
 * its input into its slot and folds its own from the slots of the others; {@link #finish} says what
 * becomes of the folded slices. A slice lies at the same place of the slot as of the round, and the
 * place of a member's own slice in its slot takes the folded one. Each byte is so written and read
 * as few times as memory that is shared allows.
 *
 * <p>The three stages of successive rounds overlap, as far as the depth of the slots permits: a
 * slot is put again only after all have freed it, and they free it in the last stage.
 */
abstract class Slices extends TeamSchedule {
  private static final int PUT = 0;
  private static final int FOLD = 1;
  private static final int FINISH = 2;

  final Pipeline pipeline;

  Slices(TeamShape team, int channel) {
    super(team.members(), team.index(), team.simple().slotBytes(), channel);
    int depth = team.simple().depth();
    this.pipeline = new Pipeline(0, depth > 2 ? 1 : 0, Math.min(depth - 1, 2));
  }

  @Override
  final void planRounds() {
    rounds.cut(mostPerMember() * members, align * members);
    pipeline.setSteps(PUT, 2);
    pipeline.setSteps(FOLD, 1);
    pipeline.setSteps(FINISH, finishSteps());
    pipeline.plan(rounds.rounds());
  }

  @Override
  public final long steps() {
    return pipeline.steps();
  }

  @Override
  public final void step(long number, Step into) {
    pipeline.seek(number);
    long round = pipeline.item();
    switch (pipeline.stage()) {
      case PUT -> put(round, pipeline.part(), into);
      case FOLD -> {
        long place = place(round, index);
        fold(into, count(round, index))
            .at(rounds.begin(round) + place)
            .slot(round, place)
            .awaits(Signal.POSTED, Step.ALL)
            .last(true);
      }
      default -> finish(round, pipeline.part(), into);
    }
  }

  /** Puts what lies in front of this member's slice, then what lies behind it. */
  private void put(long round, int part, Step into) {
    long mine = place(round, index);
    long from = part == 0 ? 0 : mine + count(round, index);
    long to = part == 0 ? mine : rounds.count(round);
    into.begin(StepKind.PUT, to - from)
        .at(rounds.begin(round) + from)
        .slot(round, from)
        .signals(part == 0 ? Signal.NONE : Signal.POSTED);
  }

  /** Makes {@code into} the kind of step that folds a slice, with what it signals. */
  abstract Step fold(Step into, long count);

  /** Returns how many steps {@link #finish} has. */
  abstract int finishSteps();

  /** Tells what to do with a round whose slices are folded. */
  abstract void finish(long round, int part, Step into);

  /** Gets the slice of the member at {@code distance} behind this one; nothing if it has none. */
  final Step get(long round, int distance, Step into) {
    int member = behind(distance);
    long count = count(round, member);
    long place = place(round, member);
    return into.begin(StepKind.GET, count)
        .at(rounds.begin(round) + place)
        .slot(round, place)
        .awaits(count == 0 ? Signal.NONE : Signal.SHARED, member);
  }

  private long slice(long round) {
    return Rounds.alignUp(Math.ceilDiv(rounds.count(round), members), align);
  }

  private long place(long round, int member) {
    return Math.min(rounds.count(round), member * slice(round));
  }

  private long count(long round, int member) {
    return Math.min(slice(round), rounds.count(round) - place(round, member));
  }
}
