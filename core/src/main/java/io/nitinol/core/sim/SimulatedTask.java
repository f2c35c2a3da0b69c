// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import io.nitinol.core.recording.StepTransfers;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import io.nitinol.core.sim.workload.CollectiveSpec;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One schedule of a rank under way, as {@code ScheduleTask} runs it, but on a clock. */
final class SimulatedTask implements Connection.End {
  private final Schedule schedule;
  private final boolean pair;
  private final int[] sendPeers;
  private final int[] recvPeers;
  private final Connection[] sends;
  private final Connection[] receives;
  private final @Nullable TeamState team;
  private final int member;
  final @Nullable StepTransfers transfers;
  private final long steps;
  private final long rounds;

  final Step step = new Step();
  private long index;
  private boolean entered;
  boolean done;

  /** Where this runs. */
  private @Nullable StepRunner lane;

  /**
   * Creates a task at its first step.
   *
   * @param schedule planned
   * @param pair whether messages may be empty
   * @param sends by place in {@code schedule.sendPeers()}
   * @param receives by place in {@code schedule.recvPeers()}
   * @param team the team's signals; null where the schedule has no rounds
   */
  SimulatedTask(
      Schedule schedule,
      boolean pair,
      Connection[] sends,
      Connection[] receives,
      @Nullable TeamState team,
      int member,
      @Nullable StepTransfers transfers) {
    this.schedule = schedule;
    this.pair = pair;
    this.sendPeers = schedule.sendPeers();
    this.recvPeers = schedule.recvPeers();
    this.sends = sends;
    this.receives = receives;
    this.team = team;
    this.member = member;
    this.transfers = transfers;
    this.steps = schedule.steps();
    this.rounds = schedule.rounds();
    for (Connection each : sends) {
      each.sender = this;
    }
    for (Connection each : receives) {
      each.receiver = this;
    }
    find();
  }

  void joins(StepRunner on) {
    lane = on;
    if (team != null) {
      team.join(on);
    }
  }

  @Override
  public void wake() {
    StepRunner mine = lane;
    if (mine != null) {
      mine.wake();
    }
  }

  private void find() {
    while (index < steps) {
      schedule.step(index, step);
      if (pair || !step.isEmpty()) {
        return;
      }
      index++;
    }
    done = true;
    TeamState mine = team;
    if (mine != null) {
      mine.base[member] += rounds;
    }
  }

  boolean isMessage() {
    return step.count() > 0 || pair;
  }

  Connection to() {
    return sends[place(sendPeers, step.sendPeer())];
  }

  Connection from() {
    return receives[place(recvPeers, step.recvPeer())];
  }

  private static int place(int[] peers, int peer) {
    int at = 0;
    while (peers[at] != peer) {
      at++;
    }
    return at;
  }

  boolean isReady() {
    StepKind kind = step.kind();
    if (isMessage()
        && ((kind.receives() && !from().isReady()) || (kind.sends() && !to().hasRoom()))) {
      return false;
    }
    return team == null || isTeamReady(team);
  }

  private boolean isTeamReady(TeamState mine) {
    long base = mine.base[member];
    if (!entered) {
      if (!mine.isWritable(member, base)) {
        return false;
      }
      entered = true;
    }
    long round = base + step.round();
    Signal awaits = step.awaits();
    if (awaits != Signal.NONE) {
      boolean given =
          step.member() == Step.ALL
              ? mine.haveAllSignalled(member, awaits, round)
              : step.member() == member || mine.hasSignalled(step.member(), awaits, round);
      if (!given) {
        return false;
      }
    }
    return switch (step.kind()) {
      case PUT, PUT_RESULT, FOLD_PUT, FOLD_SLOT -> mine.isWritable(member, round);
      default -> true;
    };
  }

  /** Returns the bytes of what a step counts. */
  int elementBytes() {
    return pair ? 1 : CollectiveSpec.ELEMENT_BYTES;
  }

  int teamSize() {
    TeamState mine = team;
    return mine == null ? 1 : mine.members();
  }

  /** Ends the step at hand and goes to the next one. */
  void advance() {
    if (isMessage() && step.kind().receives()) {
      from().release();
    }
    if (step.signals() != Signal.NONE) {
      TeamState mine = Objects.requireNonNull(team);
      mine.signal(member, step.signals(), mine.base[member] + step.round());
    }
    index++;
    find();
  }

  @Override
  public String toString() {
    return "step " + index + " of " + steps + " " + step;
  }
}
