// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Pipeline;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * A collective of a team whose rounds have two stages: all that is put, then all that is read.
 * While the others are still reading a round, the next one is put, if there are slots for that.
 */
public abstract class StagedSchedule extends TeamSchedule {
  private final Pipeline pipeline;

  StagedSchedule(TeamShape team, SlotShape area, int channel) {
    super(team.members(), team.index(), area.slotBytes(), channel);
    int lag = Math.min(area.depth() - 1, 1);
    this.pipeline = new Pipeline(0, lag);
  }

  @Override
  final void planRounds() {
    rounds.cut(mostPerRound(), align);
    pipeline.setSteps(0, putSteps());
    pipeline.setSteps(1, readSteps());
    pipeline.plan(rounds.rounds());
  }

  /** Returns the most elements of a round, whole cache lines. */
  long mostPerRound() {
    return slotCount;
  }

  /** Returns how many steps of a round put something. */
  int putSteps() {
    return 1;
  }

  /** Returns how many steps of a round come after that. */
  int readSteps() {
    return 1;
  }

  /** Tells what to put of {@code count} elements from {@code offset}. */
  abstract void put(int part, long offset, long count, Step into);

  /** Tells what to do when that is put; the round is set later. */
  abstract void read(int part, long offset, long count, Step into);

  @Override
  public final long steps() {
    return pipeline.steps();
  }

  @Override
  public final void step(long number, Step into) {
    pipeline.seek(number);
    long round = pipeline.item();
    if (pipeline.stage() == 0) {
      put(pipeline.part(), rounds.begin(round), rounds.count(round), into);
    } else {
      read(pipeline.part(), rounds.begin(round), rounds.count(round), into);
    }
    into.slot(round, into.place());
  }

  /**
   * The all-reduce of a team for small messages: every member puts all of its input and folds all
   * of everybody's, in the order of the team, so that all get the same bits after one exchange.
   */
  public static final class OneShotAllReduce extends StagedSchedule {

    public OneShotAllReduce(TeamShape team, SlotShape area, int channel) {
      super(team, area, channel);
    }

    @Override
    void put(int part, long offset, long count, Step into) {
      into.begin(StepKind.PUT, count).at(offset).signals(Signal.POSTED);
    }

    @Override
    void read(int part, long offset, long count, Step into) {
      into.begin(StepKind.FOLD, count)
          .at(offset)
          .awaits(Signal.POSTED, Step.ALL)
          .signals(Signal.FREED)
          .last(true);
    }
  }

  /** The reduce of a team for small messages: all put their input, the root folds it. */
  public static final class OneShotReduce extends StagedSchedule {

    public OneShotReduce(TeamShape team, SlotShape area, int channel) {
      super(team, area, channel);
    }

    @Override
    void put(int part, long offset, long count, Step into) {
      // The root's own input is folded from where it is: it posts an empty slot.
      into.begin(StepKind.PUT, index == root ? 0 : count).at(offset).signals(Signal.POSTED);
    }

    @Override
    void read(int part, long offset, long count, Step into) {
      if (index == root) {
        into.begin(StepKind.FOLD, count).at(offset).awaits(Signal.POSTED, Step.ALL).last(true);
      } else {
        into.begin(StepKind.NOTHING, 0);
      }
      into.signals(Signal.FREED);
    }
  }

  /** The all-gather of a team: every member puts its input and gets everybody else's. */
  public static final class AllGather extends StagedSchedule {

    public AllGather(TeamShape team, SlotShape area, int channel) {
      super(team, area, channel);
    }

    @Override
    int readSteps() {
      return members;
    }

    @Override
    void put(int part, long offset, long count, Step into) {
      into.begin(StepKind.PUT, count).input(offset).signals(Signal.POSTED);
    }

    @Override
    void read(int part, long offset, long count, Step into) {
      // Its own first, while the others put theirs; then the neighbour's, so that not all read from
      // the same member at once.
      int member = behind(part);
      if (part == 0) {
        into.begin(StepKind.COPY, count).input(offset);
      } else {
        into.begin(StepKind.GET, count).awaits(Signal.POSTED, member);
      }
      into.output(member * operationCount + offset)
          .signals(part == members - 1 ? Signal.FREED : Signal.NONE);
    }
  }

  /** The broadcast of a team: the root puts its input, the others get it. */
  public static final class Broadcast extends StagedSchedule {

    public Broadcast(TeamShape team, SlotShape area, int channel) {
      super(team, area, channel);
    }

    @Override
    int putSteps() {
      return index == root ? 1 : 0;
    }

    @Override
    void put(int part, long offset, long count, Step into) {
      into.begin(StepKind.PUT, count).at(offset).signals(Signal.POSTED);
    }

    @Override
    void read(int part, long offset, long count, Step into) {
      if (index == root) {
        into.begin(StepKind.COPY, count).at(offset);
      } else {
        into.begin(StepKind.GET, count).at(offset).awaits(Signal.POSTED, root);
      }
      into.signals(Signal.FREED);
    }
  }

  /**
   * The reduce-scatter of a team: every member puts the others' blocks of its input side by side
   * and folds its own.
   */
  public static final class ReduceScatter extends StagedSchedule {

    public ReduceScatter(TeamShape team, SlotShape area, int channel) {
      super(team, area, channel);
    }

    @Override
    long mostPerRound() {
      return mostPerMember();
    }

    @Override
    int putSteps() {
      return members - 1;
    }

    @Override
    void put(int part, long offset, long count, Step into) {
      int member = behind(part + 1);
      into.begin(StepKind.PUT, count)
          .input(member * operationCount + offset)
          .slot(0, member * rounds.size())
          .signals(part == members - 2 ? Signal.POSTED : Signal.NONE);
    }

    @Override
    void read(int part, long offset, long count, Step into) {
      into.begin(StepKind.FOLD, count)
          .input(index * operationCount + offset)
          .output(offset)
          .slot(0, index * rounds.size())
          .awaits(Signal.POSTED, Step.ALL)
          .signals(Signal.FREED)
          .last(true);
    }
  }
}
