// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import io.nitinol.core.schedule.Signal;
import java.lang.foreign.ValueLayout;

/** A team's members post, read and check each other's slots, round after round. */
final class TeamRounds {
  private static final int SPINS = 10_000;

  private TeamRounds() {}

  /** Every member writes {@code longs} longs and reads those of all; returns the next round. */
  static long exchange(TeamArea area, long from, long rounds, int longs) {
    int index = area.index();
    for (long round = from; round < from + rounds; round++) {
      awaitWritable(area, round);
      long own = area.offset(index, round);
      for (int i = 0; i < longs; i++) {
        area.memory(index).set(ValueLayout.JAVA_LONG, own + 8L * i, value(index, round, i));
      }
      area.announce(round, round, ~round);
      area.signal(Signal.POSTED, round);
      for (int member = 0; member < area.members(); member++) {
        if (member == index) {
          continue;
        }
        awaitSignal(area, member, Signal.POSTED, round);
        long offset = area.offset(member, round);
        for (int i = 0; i < longs; i++) {
          long found = area.memory(member).get(ValueLayout.JAVA_LONG, offset + 8L * i);
          if (found != value(member, round, i)) {
            throw new AssertionError("round " + round + " of " + member + ": " + found);
          }
        }
        if (area.callWord(member, round) != round || area.callCountWord(member, round) != ~round) {
          throw new AssertionError("round " + round + " of " + member + " has another call");
        }
      }
      area.signal(Signal.FREED, round);
    }
    return from + rounds;
  }

  private static long value(int member, long round, int place) {
    return (round * 0x9E37_79B9_7F4A_7C15L) ^ ((long) member << 56) ^ place;
  }

  private static void awaitWritable(TeamArea area, long round) {
    for (int spins = 0; !area.isWritable(round); spins++) {
      pause(spins, area);
    }
  }

  private static void awaitSignal(TeamArea area, int member, Signal signal, long round) {
    for (int spins = 0; !area.hasSignalled(member, signal, round); spins++) {
      pause(spins, area);
    }
  }

  private static void pause(int spins, TeamArea area) {
    if (spins > SPINS) {
      Thread.yield();
      if (spins > 1_000_000_000) {
        throw new AssertionError("nothing moves: " + area);
      }
    }
  }
}
