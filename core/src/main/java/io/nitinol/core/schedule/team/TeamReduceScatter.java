// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * The reduce-scatter of a team: every member puts the others' blocks of its input side by side and
 * folds its own.
 */
public final class TeamReduceScatter extends StagedSchedule {

  /**
   * Creates a schedule without elements.
   *
   * @param team the team, of 2 or more; members are ranks
   * @param area the slots to use
   * @param channel which channel this is, from 0
   */
  public TeamReduceScatter(TeamShape team, SlotShape area, int channel) {
    super(team, area, channel);
  }

  @Override
  long mostPerRound() {
    return mostPerMember();
  }

  @Override
  int putSteps() {
    return members - 1;
  }

  @Override
  int readSteps() {
    return 1;
  }

  @Override
  void put(int part, long offset, long count, Step into) {
    int member = behind(part + 1);
    into.begin(StepKind.PUT, count)
        .input(member * operationCount + offset)
        .slot(0, member * rounds.size())
        .signals(part == members - 2 ? Signal.POSTED : Signal.NONE);
  }

  @Override
  void read(int part, long offset, long count, Step into) {
    into.begin(StepKind.FOLD, count)
        .input(index * operationCount + offset)
        .output(offset)
        .slot(0, index * rounds.size())
        .awaits(Signal.POSTED, Step.ALL)
        .signals(Signal.FREED)
        .last(true);
  }
}
