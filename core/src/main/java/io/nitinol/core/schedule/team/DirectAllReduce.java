// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * The all-reduce of a team in one process for large messages: every member folds one slice of all
 * inputs into all outputs, so that nothing is copied on the way. No other rank touches the slice,
 * and what is read of an element is read before it is written: buffers may be in place.
 */
public final class DirectAllReduce extends DirectSchedule {

  /**
   * Creates a schedule without elements.
   *
   * @param team the team, of 2 or more in one process
   * @param channel which channel this is, from 0
   */
  public DirectAllReduce(TeamShape team, int channel) {
    super(team, channel);
  }

  @Override
  long planWork() {
    return cutSlice();
  }

  @Override
  void work(long number, Step into) {
    into.begin(StepKind.FOLD_DIRECT, pieces.count(number)).at(pieces.begin(number)).last(true);
    if (number == 0) {
      into.awaits(Signal.POSTED, Step.ALL);
    }
  }
}
