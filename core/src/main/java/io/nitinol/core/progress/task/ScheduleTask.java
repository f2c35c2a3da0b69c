// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.recording.StepTransfers;
import io.nitinol.core.recording.TransferRecorder;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
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

  /** The steps by which members show each other their buffers, in a round of their own. */
  private static final int MEETING_STEPS = 2;

  private final int channel;

  /** What is planned for slots and connections. */
  private final Schedule usual;

  /** What takes its place where all members see the buffers of all; null where none does. */
  private final @Nullable Schedule inPlace;

  /** Which of them runs. */
  private Schedule schedule;

  /** Whether the members are still showing each other their buffers. */
  private boolean meeting;

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

  /** The profiler that hears of the steps, or null. */
  private @Nullable ProfilerSession profiler;

  /** Whether the messages of the planned steps are counted, which only a profiler needs. */
  private boolean counted;

  private final SharedChannelEvent event;

  /**
   * Creates a task.
   *
   * @param event shared with the other tasks of the operation on this channel
   * @param channel the number of its connections, for messages
   * @param usual what is done where some member's buffer is not seen by all
   * @param inPlace what is done where all are seen; null where they are not even shown
   * @param recorder hears what the steps move, or null
   */
  ScheduleTask(
      int rank,
      int size,
      SharedChannelEvent event,
      int channel,
      Schedule usual,
      @Nullable Schedule inPlace,
      @Nullable TransferRecorder recorder) {
    this.event = event;
    this.channel = channel;
    this.recording = recorder == null ? null : new StepTransfers(rank, recorder);
    this.usual = usual;
    this.inPlace = inPlace;
    this.schedule = usual;
    this.messages = new MessageSide(rank, size);
    this.alone = size == 1;
  }

  public int channel() {
    return channel;
  }

  /** Returns the schedule whose connections are needed. */
  public Schedule schedule() {
    return usual;
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
    usual.plan(next.count(), next.elementBytes(), next.root(), channels);
    if (inPlace != null) {
      inPlace.plan(next.count(), next.elementBytes(), next.root(), channels);
    }
    take(usual);
    counted = false;
  }

  private void take(Schedule planned) {
    schedule = planned;
    steps = planned.steps();
    rounds = planned.rounds();
  }

  /** Returns whether the planned operation uses the team. */
  public boolean wantsTeam() {
    return rounds > 0;
  }

  /** Begins the operation that was planned. */
  public void begin(Operation next, long headerWord) {
    word = headerWord;
    elementBytes = next.elementBytes();
    if (inPlace != null) {
      take(usual);
    }
    meeting = inPlace != null && rounds > 0;
    index = meeting ? -MEETING_STEPS : 0;
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
      team.begin(meeting);
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
    event.begins(session, next);
    if (!counted) { // the operations that were planned with these steps may have had no profiler
      counted = true;
      messages.count(schedule, steps, step);
    }
    messages.announce(schedule, next);
  }

  @Override
  public void endEvents() {
    ProfilerSession session = profiler;
    if (session != null) {
      profiler = null;
      event.ends(session);
    }
  }

  /** Loads the step at {@link #index}, skipping those without anything to do. */
  private void findStep() {
    if (meeting) {
      findMeetingStep();
      return;
    }
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

  /** As a schedule of one round would. */
  private void findMeetingStep() {
    if (index == -MEETING_STEPS) {
      step.begin(StepKind.PUT, 0).signals(Signal.POSTED); // as a slot, to be shown when free
    } else {
      step.begin(StepKind.NOTHING, 0).awaits(Signal.POSTED, Step.ALL).signals(Signal.FREED);
    }
  }

  /** Ends the meeting, before this rank says that it has read what the others showed. */
  private boolean concludes(TeamSide side, Operation current) {
    return meeting && index == -1 && side.seesAll(current);
  }

  private void proceed(TeamSide side, boolean seen) {
    meeting = false;
    side.end(1);
    Schedule found = inPlace;
    take(seen && found != null ? found : usual);
    side.begin(seen);
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
      TeamSide side = team;
      if (side != null) {
        boolean seen = concludes(side, current);
        side.stepDone(step);
        if (meeting && index == -1) {
          proceed(side, seen);
        }
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
        channel,
        meeting ? "showing buffers" : schedule.label(),
        index,
        steps,
        done ? "" : " " + step);
  }
}
