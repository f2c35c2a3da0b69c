// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * The all-reduce of a team for small messages: every member puts all of its input and folds all of
 * everybody's, in the order of the team, so that all get the same bits after one exchange.
 */
public final class OneShotAllReduce extends StagedSchedule {

  /**
   * Creates a schedule without elements.
   *
   * @param team the team, of 2 or more
   * @param area the slots to use
   * @param channel which channel this is, from 0
   */
  public OneShotAllReduce(TeamShape team, SlotShape area, int channel) {
    super(team, area, channel);
  }

  @Override
  long mostPerRound() {
    return slotCount;
  }

  @Override
  int putSteps() {
    return 1;
  }

  @Override
  int readSteps() {
    return 1;
  }

  @Override
  void put(int part, long offset, long count, Step into) {
    into.begin(StepKind.PUT, count).at(offset).signals(Signal.POSTED);
  }

  @Override
  void read(int part, long offset, long count, Step into) {
    into.begin(StepKind.FOLD, count)
        .at(offset)
        .awaits(Signal.POSTED, Step.ALL)
        .signals(Signal.FREED)
        .last(true);
  }
}
