// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import io.nitinol.core.schedule.Signal;
import java.util.ArrayList;
import java.util.List;

/** The signals of the ranks of one host on one channel, as {@code TeamSide} sees them. */
final class TeamState {
  private static final int SIGNALS = Signal.values().length;

  private final int members;
  private final int depth;

  /** By signal and member, 1 + the last round that it was given for. */
  private final long[][] given;

  /** By member, how many rounds its operations so far have had. */
  final long[] base;

  /** Where the members run now. */
  private final List<StepRunner> lanes = new ArrayList<>();

  TeamState(int members, int depth) {
    this.members = members;
    this.depth = depth;
    this.given = new long[SIGNALS][members];
    this.base = new long[members];
  }

  int members() {
    return members;
  }

  void join(StepRunner lane) {
    if (!lanes.contains(lane)) {
      lanes.add(lane);
    }
  }

  boolean hasSignalled(int member, Signal signal, long round) {
    return given[signal.ordinal()][member] > round;
  }

  boolean haveAllSignalled(int but, Signal signal, long round) {
    for (int m = 0; m < members; m++) {
      if (m != but && !hasSignalled(m, signal, round)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether all others are done with what stands where {@code round} writes. */
  boolean isWritable(int member, long round) {
    return round < depth || haveAllSignalled(member, Signal.FREED, round - depth);
  }

  void signal(int member, Signal signal, long round) {
    long[] row = given[signal.ordinal()];
    row[member] = Math.max(row[member], round + 1);
    for (StepRunner lane : lanes) {
      lane.wake();
    }
  }
}
