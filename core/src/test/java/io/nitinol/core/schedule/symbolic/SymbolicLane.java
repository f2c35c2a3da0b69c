// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One schedule of one rank in one operation, being run. */
final class SymbolicLane {
  final int rank;
  private final Values values;
  private final Schedule schedule;
  private final SymbolicCall call;
  private final Links links;
  private final @Nullable Area area;
  private final int member;
  private final Clock clock;
  private final Step step = new Step();
  private final Map<Integer, Long> received = new HashMap<>();
  private long index;
  private long base;

  SymbolicLane(
      Values values,
      int rank,
      Schedule schedule,
      SymbolicCall call,
      Links links,
      @Nullable Area area,
      Clock clock) {
    this.values = values;
    this.rank = rank;
    this.schedule = schedule;
    this.call = call;
    this.links = links;
    this.area = area;
    this.member = area == null ? -1 : area.member(rank);
    this.base = area == null ? 0 : area.base[member];
    this.clock = clock;
  }

  boolean isDone() {
    while (index < schedule.steps()) {
      schedule.step(index, step);
      if (!step.isEmpty()) {
        return false;
      }
      index++;
    }
    return true;
  }

  /** Ends the lane. */
  void finish() {
    for (int peer : schedule.recvPeers()) {
      long said = schedule.receives(peer);
      long got = received.getOrDefault(peer, 0L);
      Values.check(said == got, "rank " + rank + " received " + got + ", said " + said);
    }
    if (area != null) {
      area.finish(member, schedule.rounds());
    } else {
      Values.check(schedule.rounds() == 0, "has rounds but no team");
    }
  }

  /** Does the next step if it can be done now. */
  boolean tryStep() {
    if (isDone() || !isReady()) {
      return false;
    }
    try {
      clock.tick();
      if (step.awaits() != Signal.NONE) {
        for (int m = 0; m < team().ranks.length; m++) {
          if (step.member() == Step.ALL || step.member() == m) {
            team().acquire(m, step.awaits(), round(), clock);
          }
        }
      }
      execute();
      if (step.signals() != Signal.NONE) {
        Values.check(
            step.signals() != Signal.POSTED || step.kind() == StepKind.PUT,
            "posts without waiting for its slot");
        Values.check(step.round() < schedule.rounds(), "is beyond the rounds");
        team().signal(member, step.signals(), round(), clock);
      }
    } catch (AssertionError e) {
      throw new AssertionError(this + ": " + e.getMessage(), e);
    }
    index++;
    return true;
  }

  private boolean isReady() {
    StepKind kind = step.kind();
    boolean moves = step.count() > 0;
    if (moves && kind.receives() && !links.hasMessage(step.recvPeer(), rank)) {
      return false;
    }
    if (moves && kind.sends() && !links.hasRoom(rank, step.sendPeer())) {
      return false;
    }
    if (writesSlot(kind) && !team().isWritable(round())) {
      return false;
    }
    if (step.awaits() != Signal.NONE) {
      for (int m = 0; m < team().ranks.length; m++) {
        if ((step.member() == Step.ALL || step.member() == m)
            && !team().hasSignalled(m, step.awaits(), round())) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean writesSlot(StepKind kind) {
    return switch (kind) {
      case PUT, PUT_RESULT, FOLD_PUT, FOLD_SLOT -> true;
      default -> false;
    };
  }

  private void execute() {
    StepKind kind = step.kind();
    long count = step.count();
    if (count == 0) {
      if (writesSlot(kind)) {
        team().own(member, round(), clock);
      }
      return;
    }
    List<SymbolicPiece> data =
        switch (kind) {
          case NOTHING -> List.of();
          case SEND, COPY, PUT -> input();
          case SEND_RESULT, PUT_RESULT -> result();
          case RECV, RECV_SEND, RECV_COPY_SEND -> receive();
          case RECV_REDUCE_SEND, RECV_REDUCE_COPY, RECV_REDUCE_COPY_SEND ->
              reduce(receive(), input());
          case RECV_COMBINE_SEND, RECV_COMBINE_COPY, RECV_COMBINE_COPY_SEND ->
              reduce(receive(), result());
          case FOLD, FOLD_PUT, FOLD_SLOT -> fold();
          case GET -> slot(step.member());
          case FOLD_DIRECT, FOLD_DIRECT_TO -> foldDirect();
          case GET_DIRECT ->
              call.input(team().ranks[step.member()]).read(step.inputOffset(), count, clock);
        };
    if (step.isLast()) {
      Values.check(
          (call.reduces() && kind.readsInput())
              || isCombining(kind)
              || (kind.receives() && links.isNetwork(step.recvPeer())),
          "completes nothing");
      data = SymbolicPiece.map(data, value -> values.complete(value, call.all()));
    }
    if (kind == StepKind.FOLD_DIRECT) {
      for (int rankOf : team().ranks) {
        call.output(rankOf).write(step.outputOffset(), data, clock);
      }
    } else if (kind == StepKind.FOLD_DIRECT_TO) {
      call.output(team().ranks[step.member()]).write(step.outputOffset(), data, clock);
    } else if (kind.writesOutput() && !isInPlace(kind)) {
      call.output(rank).write(step.outputOffset(), data, clock);
    }
    if (writesSlot(kind)) {
      team().own(member, round(), clock).write(step.place(), data, clock);
    }
    if (kind.sends()) {
      links.send(rank, step.sendPeer(), data, clock);
    }
  }

  /** Returns whether a copy would be one of a place to itself, which the runtime leaves out. */
  private boolean isInPlace(StepKind kind) {
    if (kind != StepKind.COPY || step.isLast()) {
      return false;
    }
    View from = call.input(rank);
    View to = call.output(rank);
    return from.memory() == to.memory()
        && from.base() + step.inputOffset() == to.base() + step.outputOffset();
  }

  private static boolean isCombining(StepKind kind) {
    return switch (kind) {
      case RECV_COMBINE_SEND, RECV_COMBINE_COPY, RECV_COMBINE_COPY_SEND -> true;
      default -> false;
    };
  }

  private List<SymbolicPiece> input() {
    List<SymbolicPiece> data = call.input(rank).read(step.inputOffset(), step.count(), clock);
    return checked(data, rank);
  }

  /** Makes sure that what was read is still the input. */
  private List<SymbolicPiece> checked(List<SymbolicPiece> data, int of) {
    for (SymbolicPiece each : data) {
      Values.check(each.value() == values.contribution(of), "reads an overwritten input");
    }
    return data;
  }

  private List<SymbolicPiece> result() {
    return call.output(rank).read(step.outputOffset(), step.count(), clock);
  }

  private List<SymbolicPiece> receive() {
    received.merge(step.recvPeer(), 1L, Long::sum);
    List<SymbolicPiece> data = links.receive(step.recvPeer(), rank, clock);
    Values.check(
        SymbolicPiece.length(data) == step.count(),
        "got a message of " + SymbolicPiece.length(data) + " elements");
    return data;
  }

  private List<SymbolicPiece> reduce(List<SymbolicPiece> message, List<SymbolicPiece> local) {
    return step.isLocalFirst()
        ? SymbolicPiece.zip(local, message, values::reduce)
        : SymbolicPiece.zip(message, local, values::reduce);
  }

  private List<SymbolicPiece> slot(int of) {
    return team().of(of, round(), member).read(step.place(), step.count(), clock);
  }

  private List<SymbolicPiece> fold() {
    List<SymbolicPiece> sum = null;
    for (int m = 0; m < team().ranks.length; m++) {
      List<SymbolicPiece> each = m == member ? input() : slot(m);
      sum = sum == null ? each : SymbolicPiece.zip(sum, each, values::reduce);
    }
    return sum == null ? List.of() : sum;
  }

  private List<SymbolicPiece> foldDirect() {
    Values.check(
        step.kind() == StepKind.FOLD_DIRECT || step.awaits() == Signal.NONE, "awaits something");
    List<SymbolicPiece> sum = null;
    for (int of : team().ranks) {
      List<SymbolicPiece> each =
          checked(call.input(of).read(step.inputOffset(), step.count(), clock), of);
      sum = sum == null ? each : SymbolicPiece.zip(sum, each, values::reduce);
    }
    return sum == null ? List.of() : sum;
  }

  private Area team() {
    if (area == null) {
      throw new AssertionError("needs a team");
    }
    return area;
  }

  private long round() {
    return base + step.round();
  }

  @Override
  public String toString() {
    return "rank " + rank + " in " + call + ", step " + index + ", " + step;
  }
}
