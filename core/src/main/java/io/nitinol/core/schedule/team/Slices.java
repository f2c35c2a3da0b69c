// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Pipeline;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * A reduction in which each member leads one of the {@link ReductionShares} of every round, its
 * slice; {@link #finish} says what becomes of the folded slices. Each byte is so written and read
 * as few times as memory that is shared allows.
 *
 * <p>The three stages of successive rounds overlap, as far as the depth of the slots permits: a
 * slot is put again only after all have freed it, and they free it in the last stage.
 */
public abstract class Slices extends TeamSchedule {
  private static final int PUT = 0;
  private static final int FOLD = 1;
  private static final int FINISH = 2;

  final ReductionShares shares;
  private final Pipeline pipeline;

  Slices(TeamShape team, int channel) {
    super(team.members(), team.index(), team.simple().slotBytes(), channel);
    this.shares = new ReductionShares(team, members, rounds);
    int depth = team.simple().depth();
    this.pipeline = new Pipeline(0, depth > 2 ? 1 : 0, Math.min(depth - 1, 2));
  }

  @Override
  final void planRounds() {
    shares.cut(slotCount, slotCount, align);
    pipeline.setSteps(PUT, shares.putSteps());
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
      case PUT -> shares.put(round, pipeline.part(), into);
      case FOLD -> {
        long place = shares.place(round);
        fold(into, shares.count(round))
            .at(rounds.begin(round) + place)
            .slot(round, place)
            .awaits(Signal.POSTED, Step.ALL)
            .last(true);
      }
      default -> finish(round, pipeline.part(), into);
    }
  }

  /** Makes {@code into} the kind of step that folds a slice, with what it signals. */
  abstract Step fold(Step into, long count);

  /** Returns how many steps {@link #finish} has. */
  abstract int finishSteps();

  /** Tells what to do with a round whose slices are folded. */
  abstract void finish(long round, int part, Step into);

  /** The all-reduce of a team for large messages: {@link Slices} that every member gets back. */
  public static final class AllReduce extends Slices {

    public AllReduce(TeamShape team, int channel) {
      super(team, channel);
    }

    @Override
    Step fold(Step into, long count) {
      return into.begin(StepKind.FOLD_PUT, count).signals(Signal.SHARED);
    }

    @Override
    int finishSteps() {
      return shares.getSteps();
    }

    @Override
    void finish(long round, int part, Step into) {
      shares.get(round, part, into);
    }
  }

  /** The reduce of a team for large messages: {@link Slices} that the root gets. */
  public static final class Reduce extends Slices {

    public Reduce(TeamShape team, int channel) {
      super(team, channel);
    }

    @Override
    Step fold(Step into, long count) {
      return index == root
          ? into.begin(StepKind.FOLD, count)
          : into.begin(StepKind.FOLD_SLOT, count).signals(Signal.SHARED);
    }

    @Override
    int finishSteps() {
      return index == root ? shares.getSteps() : 1;
    }

    @Override
    void finish(long round, int part, Step into) {
      if (index == root) {
        shares.get(round, part, into);
      } else {
        into.begin(StepKind.NOTHING, 0).slot(round, 0).signals(Signal.FREED);
      }
    }
  }
}
