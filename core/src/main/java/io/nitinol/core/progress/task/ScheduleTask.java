// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.recording.StepTransfers;
import io.nitinol.core.recording.TransferRecorder;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of one schedule of a collective: on connections by a {@link MessageSide}, in
 * shared memory by a {@link TeamSide}. A step whose message, slot or signal is not there is tried
 * again.
 */
public final class ScheduleTask extends Task {
  /** Steps before other tasks get their turn, where none needs the network's. */
  private static final int STEPS_PER_TURN = 16;

  private final int channel;
  private final Schedule schedule;
  private final MessageSide messages;
  private final boolean alone;

  /** Tells the recorder what the steps move; null where there is none. */
  private final @Nullable StepTransfers recording;

  private @Nullable TeamSide known;

  /** The side that the operation uses, if it does. */
  private @Nullable TeamSide team;

  private @Nullable Operation operation;
  private long word;
  private int elementBytes;
  private final Step step = new Step();
  private long index;
  private long steps;
  private long rounds;

  /** The profiler that hears of the steps, or null, and the event that they belong to. */
  private @Nullable ProfilerSession profiler;

  private long event;

  /**
   * Creates a task for the operations that take {@code schedule}.
   *
   * @param channel the number of its connections, for messages
   * @param recorder hears what the steps move, or null
   */
  public ScheduleTask(
      int rank, int size, int channel, Schedule schedule, @Nullable TransferRecorder recorder) {
    this.channel = channel;
    this.recording = recorder == null ? null : new StepTransfers(rank, recorder);
    this.schedule = schedule;
    this.messages = new MessageSide(rank, size);
    this.alone = size == 1;
  }

  public int channel() {
    return channel;
  }

  public Schedule schedule() {
    return schedule;
  }

  public MessageSide messages() {
    return messages;
  }

  public @Nullable TeamSide team() {
    return known;
  }

  public void join(TeamSide side) {
    known = side;
  }

  /** Lays out the steps of an operation; {@link #begin} has to follow. */
  public void plan(Operation next) {
    int channels = next.choice().channels();
    schedule.plan(next.count(), next.elementBytes(), next.root(), channels);
    steps = schedule.steps();
    rounds = schedule.rounds();
    if (next.profiler() != null) {
      messages.count(schedule, steps, step);
    }
  }

  /** Returns whether the planned operation uses the team. */
  public boolean wantsTeam() {
    return rounds > 0;
  }

  /** Begins the operation that was planned. */
  public void begin(Operation next, long headerWord) {
    word = headerWord;
    elementBytes = next.elementBytes();
    index = 0;
    ProfilerSession session = next.profiler();
    if (session != null) {
      tell(session, next);
    }
    messages.begin(next);
    for (int peer : schedule.recvPeers()) {
      messages.expect(peer, schedule.receives(peer));
    }
    team = rounds > 0 ? known : null;
    if (team != null) {
      team.begin();
    }
    if (recording != null) {
      recording.begin(next.sequence(), next.collective(), next.choice(), channel, elementBytes);
    }
    operation = next;
    done = false;
    findStep();
  }

  private void tell(ProfilerSession session, Operation next) {
    profiler = session;
    event = session.channelBegins(next.wanted(), next.event(), channel);
    messages.announce(schedule, next);
  }

  @Override
  public void endEvents() {
    ProfilerSession session = profiler;
    if (session != null) {
      profiler = null;
      session.channelEnds(event);
    }
  }

  /** Loads the step at {@link #index}, skipping those without anything to do. */
  private void findStep() {
    while (index < steps) {
      schedule.step(index, step);
      if (!step.isEmpty()) {
        return;
      }
      index++;
    }
    done = true;
    operation = null;
    if (profiler != null) {
      endEvents();
    }
    if (team != null) {
      team.end(rounds);
    }
  }

  @Override
  public int advance() {
    int ran = 0;
    while (ran < STEPS_PER_TURN) {
      Operation current = operation;
      if (current == null || !isReady(current)) {
        break;
      }
      boolean moves = step.count() > 0;
      boolean talks = moves && (step.kind().receives() || step.kind().sends());
      if (moves) {
        execute(current);
        if (recording != null) {
          record(recording);
        }
      }
      if (team != null) {
        team.stepDone(step);
      }
      ran++;
      index++;
      findStep();
      if (talks && messages.isNetworked()) {
        break; // the network's turn
      }
    }
    return ran;
  }

  private boolean isReady(Operation current) {
    TeamSide side = team;
    if (side != null && !side.isReady(step, current, word)) {
      return false;
    }
    return messages.isReady(step);
  }

  private void record(StepTransfers to) {
    TeamSide side = team;
    to.step(step, side == null ? 0 : side.members(), m -> side == null ? m : side.rankOf(m));
  }

  private void execute(Operation current) {
    switch (step.kind()) {
      case NOTHING -> {}
      case COPY -> copy(current);
      case SEND,
          SEND_RESULT,
          RECV_REDUCE_SEND,
          RECV_REDUCE_COPY,
          RECV_REDUCE_COPY_SEND,
          RECV_COMBINE_SEND,
          RECV_COMBINE_COPY,
          RECV_COMBINE_COPY_SEND,
          RECV_COPY_SEND,
          RECV_SEND,
          RECV ->
          messages.run(step, current, word);
      default -> {
        if (team == null) {
          throw new IllegalStateException("a schedule without rounds has the step " + step);
        }
        team.run(step, current);
      }
    }
  }

  private void copy(Operation current) {
    ReduceFunction function = current.function();
    long in = step.inputOffset() * elementBytes;
    long out = step.outputOffset() * elementBytes;
    boolean inPlace = current.input().address() + in == current.output().address() + out;
    if (inPlace && (function == null || (alone && current.isIdentityAlone()))) {
      return;
    }
    if (function == null) {
      MemorySegment.copy(current.input(), in, current.output(), out, step.count() * elementBytes);
    } else if (step.isLast()) {
      function.copyFinal(current.input(), in, current.output(), out, step.count());
    } else {
      function.copy(current.input(), in, current.output(), out, step.count());
    }
  }

  @Override
  public int waitsFor() {
    TeamSide side = team;
    int member = side == null ? NOBODY : side.waitsFor(step);
    if (member != NOBODY) {
      return member;
    }
    return messages.waitsFor(step);
  }

  @Override
  public String describeWait() {
    TeamSide side = team;
    String what;
    if (side != null && side.waitsFor(step) != NOBODY) {
      what = side.describeWait(step);
    } else {
      what = messages.describeWait(step);
    }
    return what + " on channel " + channel + ", step " + step;
  }

  @Override
  public String describe() {
    return ErrorText.of(
        "channel %s, %s, step %s of %s%s",
        channel, schedule.getClass().getSimpleName(), index, steps, done ? "" : " " + step);
  }
}
