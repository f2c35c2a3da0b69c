// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/** The all-reduce of a team for large messages: {@link Slices} that every member gets back. */
public final class SlicedAllReduce extends Slices {

  /**
   * Creates a schedule without elements.
   *
   * @param team the team, of 2 or more
   * @param channel which channel this is, from 0
   */
  public SlicedAllReduce(TeamShape team, int channel) {
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
