// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import io.nitinol.core.schedule.Signal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The slots and signals of one team, channel and protocol; rounds count over its whole life. */
final class Area {
  final int[] ranks;
  private final int depth;
  private final SymbolicMemory[][] slots;
  private final long[][] slotRound;
  private final List<Map<Signal, Map<Long, long[]>>> signals = new ArrayList<>();
  private final long[][] latest;

  /** The first round of each member's operation. */
  final long[] base;

  Area(int[] ranks, int depth, long slotCount) {
    this.ranks = ranks;
    this.depth = depth;
    int n = ranks.length;
    this.slots = new SymbolicMemory[n][depth];
    this.slotRound = new long[n][depth];
    this.latest = new long[n][Signal.values().length];
    this.base = new long[n];
    for (int m = 0; m < n; m++) {
      signals.add(new HashMap<>());
      Arrays.fill(latest[m], -1);
      for (int d = 0; d < depth; d++) {
        slots[m][d] = new SymbolicMemory("slot " + d + " of member " + m, slotCount);
        slotRound[m][d] = -1;
      }
    }
  }

  int member(int rank) {
    for (int m = 0; m < ranks.length; m++) {
      if (ranks[m] == rank) {
        return m;
      }
    }
    throw new AssertionError("rank " + rank + " is not in the team");
  }

  boolean hasSignalled(int member, Signal signal, long round) {
    return latest[member][signal.ordinal()] >= round;
  }

  /** Takes note of a signal that is there. */
  void acquire(int member, Signal signal, long round, Clock by) {
    long[] seen = seen(member, signal, round);
    Values.check(
        seen != null,
        "waits for " + signal + " of member " + member + ", which skipped round " + round);
    if (seen != null) {
      by.join(seen);
    }
  }

  private long @Nullable [] seen(int member, Signal signal, long round) {
    return signals.get(member).getOrDefault(signal, Map.of()).get(round);
  }

  void signal(int member, Signal signal, long round, Clock by) {
    Values.check(
        latest[member][signal.ordinal()] < round, "signals " + signal + " out of order: " + round);
    latest[member][signal.ordinal()] = round;
    signals.get(member).computeIfAbsent(signal, s -> new HashMap<>()).put(round, by.snapshot());
  }

  boolean isWritable(long round) {
    for (int m = 0; m < ranks.length; m++) {
      if (round >= depth && !hasSignalled(m, Signal.FREED, round - depth)) {
        return false;
      }
    }
    return true;
  }

  /** Returns a member's own slot, to be written: {@link #isWritable}. */
  SymbolicMemory own(int member, long round, Clock by) {
    if (round >= depth) {
      for (int m = 0; m < ranks.length; m++) {
        acquire(m, Signal.FREED, round - depth, by);
      }
    }
    int d = (int) (round % depth);
    SymbolicMemory slot = slots[member][d];
    if (slotRound[member][d] != round) {
      slot.clearAll(by);
      slotRound[member][d] = round;
    }
    return slot;
  }

  /** Returns a slot to be read by {@code reader}. */
  SymbolicMemory of(int member, long round, int reader) {
    Values.check(
        slotRound[member][(int) (round % depth)] == round,
        "reads round " + round + " of member " + member + ", which is not there");
    Values.check(
        !hasSignalled(reader, Signal.FREED, round), "reads round " + round + ", which it freed");
    return slots[member][(int) (round % depth)];
  }

  /** Makes sure that {@code member} has freed every round of its operation; goes to the next. */
  void finish(int member, long rounds) {
    for (long r = base[member]; r < base[member] + rounds; r++) {
      Values.check(
          seen(member, Signal.FREED, r) != null, "member " + member + " never freed round " + r);
    }
    for (Signal signal : Signal.values()) {
      Values.check(
          latest[member][signal.ordinal()] < base[member] + rounds,
          "member " + member + " signalled beyond its rounds");
    }
    base[member] += rounds;
  }

  /** Makes sure that all members have counted the same rounds. */
  void checkRounds() {
    for (long each : base) {
      Values.check(each == base[0], "members count different rounds: " + Arrays.toString(base));
    }
  }
}
