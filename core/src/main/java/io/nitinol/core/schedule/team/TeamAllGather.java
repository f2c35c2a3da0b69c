// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/** The all-gather of a team: every member puts its input and gets everybody else's. */
public final class TeamAllGather extends StagedSchedule {

  /**
   * Creates a schedule without elements.
   *
   * @param team the team, of 2 or more; members are ranks
   * @param area the slots to use
   * @param channel which channel this is, from 0
   */
  public TeamAllGather(TeamShape team, SlotShape area, int channel) {
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
    return members;
  }

  @Override
  void put(int part, long offset, long count, Step into) {
    into.begin(StepKind.PUT, count).input(offset).signals(Signal.POSTED);
  }

  @Override
  void read(int part, long offset, long count, Step into) {
    // Its own first, while the others put theirs; then the neighbour's, so that not all read from
    // the same member at once.
    int member = behind(part);
    if (part == 0) {
      into.begin(StepKind.COPY, count).input(offset);
    } else {
      into.begin(StepKind.GET, count).awaits(Signal.POSTED, member);
    }
    into.output(member * operationCount + offset)
        .signals(part == members - 1 ? Signal.FREED : Signal.NONE);
  }
}
