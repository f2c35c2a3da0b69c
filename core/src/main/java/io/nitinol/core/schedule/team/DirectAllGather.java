// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * The all-gather of a team in one process for large messages: every member reads everybody's input.
 */
public final class DirectAllGather extends DirectSchedule {
  private long perMember;

  /**
   * Creates a schedule without elements.
   *
   * @param team the team, of 2 or more in one process; members are ranks
   * @param channel which channel this is, from 0
   */
  public DirectAllGather(TeamShape team, int channel) {
    super(team, channel);
  }

  @Override
  long planWork() {
    perMember = cutPieces(rounds.begin(), rounds.begin() + rounds.length());
    return perMember * members;
  }

  @Override
  void work(long number, Step into) {
    long distance = number / perMember;
    long piece = number - distance * perMember;
    int member = behind((int) distance);
    if (distance == 0) {
      into.begin(StepKind.COPY, pieces.count(piece));
    } else {
      into.begin(StepKind.GET_DIRECT, pieces.count(piece))
          .awaits(piece == 0 ? Signal.POSTED : Signal.NONE, member);
    }
    into.input(pieces.begin(piece)).output(member * operationCount + pieces.begin(piece));
  }
}
