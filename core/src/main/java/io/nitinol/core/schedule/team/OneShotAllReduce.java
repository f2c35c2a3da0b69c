// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Pipeline;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * The all-reduce of a team for small messages: every member puts all of its input and folds all of
 * everybody's, in the order of the team, so that all get the same bits after one exchange.
 */
public final class OneShotAllReduce extends TeamSchedule {
  private final Pipeline pipeline;

  /**
   * Creates a schedule without elements.
   *
   * @param team the team, of 2 or more
   * @param channel which channel this is, from 0
   */
  public OneShotAllReduce(TeamShape team, int channel) {
    super(team.members(), team.index(), team.ll().slotBytes(), channel);
    int lag = Math.min(team.ll().depth() - 1, 1);
    this.pipeline = new Pipeline(lag, lag);
  }

  @Override
  void planRounds() {
    rounds.cut(slotCount, align);
    pipeline.plan(rounds.rounds(), 1, 1, 0);
  }

  @Override
  public long steps() {
    return pipeline.steps();
  }

  @Override
  public void step(long number, Step into) {
    pipeline.seek(number);
    long round = pipeline.item();
    long count = rounds.count(round);
    if (pipeline.stage() == 0) {
      into.begin(StepKind.PUT, count).signals(Signal.POSTED);
    } else {
      into.begin(StepKind.FOLD, count)
          .awaits(Signal.POSTED, Step.ALL)
          .signals(Signal.FREED)
          .last(true);
    }
    into.at(rounds.begin(round)).slot(round, 0);
  }
}
