// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/** The broadcast of a team: the root puts its input, the others get it. */
public final class TeamBroadcast extends StagedSchedule {

  /**
   * Creates a schedule without elements.
   *
   * @param team the team, of 2 or more; members are ranks
   * @param area the slots to use
   * @param channel which channel this is, from 0
   */
  public TeamBroadcast(TeamShape team, SlotShape area, int channel) {
    super(team, area, channel);
  }

  @Override
  long mostPerRound() {
    return slotCount;
  }

  @Override
  int putSteps() {
    return index == root ? 1 : 0;
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
    if (index == root) {
      into.begin(StepKind.COPY, count).at(offset);
    } else {
      into.begin(StepKind.GET, count).at(offset).awaits(Signal.POSTED, root);
    }
    into.signals(Signal.FREED);
  }
}
