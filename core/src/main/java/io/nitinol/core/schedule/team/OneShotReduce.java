// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/** The reduce of a team for small messages: all put their input, the root folds it. */
public final class OneShotReduce extends StagedSchedule {

  /**
   * Creates a schedule without elements.
   *
   * @param team the team, of 2 or more; members are ranks
   * @param area the slots to use
   * @param channel which channel this is, from 0
   */
  public OneShotReduce(TeamShape team, SlotShape area, int channel) {
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
    // The root's own input is folded from where it is: it posts an empty slot.
    into.begin(StepKind.PUT, index == root ? 0 : count).at(offset).signals(Signal.POSTED);
  }

  @Override
  void read(int part, long offset, long count, Step into) {
    if (index == root) {
      into.begin(StepKind.FOLD, count).at(offset).awaits(Signal.POSTED, Step.ALL).last(true);
    } else {
      into.begin(StepKind.NOTHING, 0);
    }
    into.signals(Signal.FREED);
  }
}
