// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/** The broadcast of a team in one process for large messages: all read the root's input. */
public final class DirectBroadcast extends DirectSchedule {

  /**
   * Creates a schedule without elements.
   *
   * @param team the team, of 2 or more in one process; members are ranks
   * @param channel which channel this is, from 0
   */
  public DirectBroadcast(TeamShape team, int channel) {
    super(team, channel);
  }

  @Override
  boolean isUsed() {
    return index == root;
  }

  @Override
  long planWork() {
    return cutPieces(rounds.begin(), rounds.begin() + rounds.length());
  }

  @Override
  void work(long number, Step into) {
    if (index == root) {
      into.begin(StepKind.COPY, pieces.count(number));
    } else {
      into.begin(StepKind.GET_DIRECT, pieces.count(number))
          .awaits(number == 0 ? Signal.POSTED : Signal.NONE, root);
    }
    into.at(pieces.begin(number));
  }
}
