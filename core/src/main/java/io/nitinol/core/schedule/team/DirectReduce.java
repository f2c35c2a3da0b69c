// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * The reduce of a team in one process for large messages: every member folds one slice of all
 * inputs into the root's output.
 */
public final class DirectReduce extends DirectSchedule {

  /**
   * Creates a schedule without elements.
   *
   * @param team the team, of 2 or more in one process; members are ranks
   * @param channel which channel this is, from 0
   */
  public DirectReduce(TeamShape team, int channel) {
    super(team, channel);
  }

  @Override
  long planWork() {
    return 1 + cutSlice();
  }

  @Override
  void work(long number, Step into) {
    if (number == 0) {
      into.begin(StepKind.NOTHING, 0).awaits(Signal.POSTED, Step.ALL);
    } else {
      long piece = number - 1;
      into.begin(StepKind.FOLD_DIRECT_TO, pieces.count(piece))
          .at(pieces.begin(piece))
          .of(root)
          .last(true);
    }
  }
}
