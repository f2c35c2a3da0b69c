// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/** The reduce of a team for large messages: {@link Slices} that the root gets. */
public final class SlicedReduce extends Slices {

  /**
   * Creates a schedule without elements.
   *
   * @param team the team, of 2 or more; members are ranks
   * @param channel which channel this is, from 0
   */
  public SlicedReduce(TeamShape team, int channel) {
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
