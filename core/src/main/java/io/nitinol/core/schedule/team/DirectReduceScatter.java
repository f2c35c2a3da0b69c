// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * The reduce-scatter of a team in one process for large messages: every member folds its block of
 * all inputs into its output, which may be that block of its input.
 */
public final class DirectReduceScatter extends DirectSchedule {

  /**
   * Creates a schedule without elements.
   *
   * @param team the team, of 2 or more in one process; members are ranks
   * @param channel which channel this is, from 0
   */
  public DirectReduceScatter(TeamShape team, int channel) {
    super(team, channel);
  }

  @Override
  long planWork() {
    return 1 + cutPieces(rounds.begin(), rounds.begin() + rounds.length());
  }

  @Override
  void work(long number, Step into) {
    if (number == 0) {
      into.begin(StepKind.NOTHING, 0).awaits(Signal.POSTED, Step.ALL);
    } else {
      long offset = pieces.begin(number - 1);
      into.begin(StepKind.FOLD_DIRECT_TO, pieces.count(number - 1))
          .input(index * operationCount + offset)
          .output(offset)
          .of(index)
          .last(true);
    }
  }
}
