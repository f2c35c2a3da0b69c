// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.CommException;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of one schedule of a collective: on connections itself, in shared memory by its
 * {@link TeamSide}. A step whose message, slot or signal is not there is tried again.
 *
 * <p>A message that is received and sent on never leaves its slot where the two connections have
 * their memory in common: this rank's contribution is added where it lies, and the slot is sent
 * from. That saves the memory traffic of a second slot, and memory traffic is what limits it.
 */
final class ScheduleTask extends Task {
  /** Steps before other tasks get their turn, where none needs the network's. */
  private static final int STEPS_PER_TURN = 16;

  private final int rank;
  private final int channel;
  private final Schedule schedule;
  private final Fold fold;

  /** By rank; null where the schedule has no such peer, or it is not connected yet. */
  private final @Nullable SendConnector[] sends;

  private final @Nullable ReceiveConnector[] receives;

  /** Whether any connection needs the network's turn. */
  private boolean networked;

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

  /**
   * Creates a task for the operations that take {@code schedule}.
   *
   * @param channel the number of its connections, for messages
   */
  ScheduleTask(int rank, int size, int channel, Schedule schedule, Fold fold) {
    this.rank = rank;
    this.channel = channel;
    this.schedule = schedule;
    this.fold = fold;
    this.sends = new @Nullable SendConnector[size];
    this.receives = new @Nullable ReceiveConnector[size];
  }

  int channel() {
    return channel;
  }

  Schedule schedule() {
    return schedule;
  }

  @Nullable SendConnector sender(int peer) {
    return sends[peer];
  }

  @Nullable ReceiveConnector receiver(int peer) {
    return receives[peer];
  }

  void connect(int peer, SendConnector connector) {
    sends[peer] = connector;
    networked |= connector.needsProgress();
  }

  void connect(int peer, ReceiveConnector connector) {
    receives[peer] = connector;
    networked |= connector.needsProgress();
  }

  @Nullable TeamSide team() {
    return known;
  }

  void join(TeamSide side) {
    known = side;
  }

  boolean isNetworked() {
    return networked;
  }

  /** Lays out the steps of an operation; {@link #begin} has to follow. */
  void plan(Operation next) {
    int channels = next.choice().channels();
    schedule.plan(next.count(), next.elementBytes(), next.root(), channels);
    steps = schedule.steps();
    rounds = schedule.rounds();
  }

  /** Returns whether the planned operation uses the team. */
  boolean wantsTeam() {
    return rounds > 0;
  }

  /** Begins the operation that was planned. */
  void begin(Operation next, long headerWord) {
    word = headerWord;
    elementBytes = next.elementBytes();
    index = 0;
    for (int peer : schedule.recvPeers()) {
      long messages = schedule.receives(peer);
      if (messages > 0) {
        from(peer).expect(messages);
      }
    }
    team = rounds > 0 ? known : null;
    if (team != null) {
      team.begin();
    }
    operation = next;
    done = false;
    findStep();
  }

  /** Loads the step at {@link #index}, passing over those without anything to do. */
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
    if (team != null) {
      team.end(rounds);
    }
  }

  @Override
  int advance() {
    int ran = 0;
    while (ran < STEPS_PER_TURN) {
      Operation current = operation;
      if (current == null || !isReady(current)) {
        break;
      }
      boolean moves = step.count() > 0;
      boolean messages = moves && (step.kind().receives() || step.kind().sends());
      if (moves) {
        execute(current);
      }
      if (team != null) {
        team.stepDone(step);
      }
      ran++;
      index++;
      findStep();
      if (messages && networked) {
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
    StepKind kind = step.kind();
    return step.count() == 0
        || ((!kind.receives() || from(step.recvPeer()).ready())
            && (!kind.sends() || to(step.sendPeer()).hasRoom()));
  }

  private void execute(Operation current) {
    switch (step.kind()) {
      case NOTHING -> {}
      case COPY -> copy(current);
      case SEND, SEND_RESULT -> send(current);
      case RECV_REDUCE_SEND,
          RECV_REDUCE_COPY,
          RECV_REDUCE_COPY_SEND,
          RECV_COMBINE_SEND,
          RECV_COMBINE_COPY,
          RECV_COMBINE_COPY_SEND,
          RECV_COPY_SEND,
          RECV_SEND,
          RECV ->
          receive(current);
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
    if (inPlace && (function == null || (sends.length == 1 && current.isIdentityAlone()))) {
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

  private void send(Operation current) {
    SendConnector to = to(step.sendPeer());
    int bytes = Math.toIntExact(step.count() * elementBytes);
    ReduceFunction function = current.function();
    if (step.kind() == StepKind.SEND_RESULT) {
      long out = step.outputOffset() * elementBytes;
      MemorySegment.copy(current.output(), out, to.memory(), to.offset(), bytes);
    } else if (function == null) {
      long in = step.inputOffset() * elementBytes;
      MemorySegment.copy(current.input(), in, to.memory(), to.offset(), bytes);
    } else {
      long in = step.inputOffset() * elementBytes;
      function.copy(current.input(), in, to.memory(), to.offset(), step.count());
    }
    MessageHeader.write(to.memory(), to.offset(), word, current.count());
    to.send(bytes);
  }

  private void receive(Operation current) {
    ReceiveConnector from = from(step.recvPeer());
    int bytes = Math.toIntExact(step.count() * elementBytes);
    check(current, from, bytes);
    MemorySegment slot = from.memory();
    long offset = from.offset();
    MemorySegment output = current.output();
    long out = step.outputOffset() * elementBytes;
    switch (step.kind()) {
      case RECV_REDUCE_SEND -> {
        SendConnector to = to(step.sendPeer());
        if (to.canForward(from)) {
          reduce(current, slot, offset, slot, offset);
          sendOn(from, bytes, null, 0);
        } else {
          reduce(current, slot, offset, to.memory(), to.offset());
          sendReduced(current, from, to, bytes);
        }
      }
      case RECV_REDUCE_COPY -> {
        reduce(current, slot, offset, output, out);
        from.release();
      }
      case RECV_REDUCE_COPY_SEND -> {
        reduce(current, slot, offset, slot, offset);
        sendOn(from, bytes, output, out);
      }
      case RECV_COMBINE_SEND -> {
        SendConnector to = to(step.sendPeer());
        if (to.canForward(from)) {
          combine(current, slot, offset, slot, offset);
          sendOn(from, bytes, null, 0);
        } else {
          combine(current, slot, offset, to.memory(), to.offset());
          sendReduced(current, from, to, bytes);
        }
      }
      case RECV_COMBINE_COPY -> {
        combine(current, slot, offset, output, out);
        from.release();
      }
      case RECV_COMBINE_COPY_SEND -> {
        combine(current, slot, offset, slot, offset);
        sendOn(from, bytes, output, out);
      }
      case RECV_COPY_SEND -> sendOn(from, bytes, output, out);
      case RECV_SEND -> sendOn(from, bytes, null, 0);
      case RECV -> {
        MemorySegment.copy(slot, offset, output, out, bytes);
        from.release();
      }
      default -> throw new IllegalArgumentException("not a step that receives: " + step);
    }
  }

  /** Writes what was received and this rank's input, reduced. */
  private void reduce(
      Operation current, MemorySegment slot, long offset, MemorySegment to, long toOffset) {
    ReduceFunction function = Objects.requireNonNull(current.function());
    MemorySegment input = current.input();
    long in = step.inputOffset() * elementBytes;
    long count = step.count();
    if (step.isLocalFirst()) {
      fold.inputFirst(
          function, input, in, slot, offset, to, toOffset, count, elementBytes, step.isLast());
    } else {
      Fold.reduce(function, slot, offset, input, in, to, toOffset, count, step.isLast());
    }
  }

  /** Writes what was received and the partial result in the output, reduced. */
  private void combine(
      Operation current, MemorySegment slot, long offset, MemorySegment to, long toOffset) {
    ReduceFunction function = Objects.requireNonNull(current.function());
    MemorySegment output = current.output();
    long out = step.outputOffset() * elementBytes;
    long count = step.count();
    if (step.isLocalFirst()) {
      Fold.combine(function, output, out, slot, offset, to, toOffset, count, step.isLast());
    } else {
      Fold.combine(function, slot, offset, output, out, to, toOffset, count, step.isLast());
    }
  }

  /** Sends what was written to the slot of {@code to}, and gives back that of {@code from}. */
  private void sendReduced(Operation current, ReceiveConnector from, SendConnector to, int bytes) {
    MessageHeader.write(to.memory(), to.offset(), word, current.count());
    to.send(bytes);
    from.release();
  }

  /**
   * Sends the message at hand on and gives its slot back, writing its data to {@code output} too
   * where there is one. Sends first: the next rank waits for the message, nobody for the output.
   */
  private void sendOn(
      ReceiveConnector from, int bytes, @Nullable MemorySegment output, long outputOffset) {
    SendConnector to = to(step.sendPeer());
    boolean forwards = to.canForward(from);
    long ticket = 0;
    if (forwards) {
      ticket = to.forward(from, bytes);
    } else {
      long front = MessageHeader.BYTES;
      MemorySegment.copy(
          from.memory(), from.offset() - front, to.memory(), to.offset() - front, bytes + front);
      to.send(bytes);
    }
    if (output != null) {
      MemorySegment.copy(from.memory(), from.offset(), output, outputOffset, bytes);
    }
    if (forwards) {
      from.releaseAfter(to, ticket);
    } else {
      from.release();
    }
  }

  /** Makes sure that the next message is the one this step expects. */
  private void check(Operation current, ReceiveConnector from, int bytes) {
    int size = from.size() - MessageHeader.BYTES;
    long theirs = size < 0 ? 0 : from.headerWord();
    long count = size < 0 ? 0 : from.headerCount();
    if (size == bytes && theirs == word && count == current.count()) {
      return;
    }
    throw new CommException(
        ResultCode.INVALID_USAGE,
        "ranks "
            + from.peer()
            + " and "
            + rank
            + " called different operations: rank "
            + rank
            + " is in "
            + Operation.describeHeader(word, current.count())
            + " and expects a message of "
            + bytes
            + " bytes; rank "
            + from.peer()
            + " sent "
            + (size < 0
                ? "a message without a header, of " + from.size() + " bytes"
                : size + " bytes of " + Operation.describeHeader(theirs, count)));
  }

  private ReceiveConnector from(int peer) {
    return Objects.requireNonNull(receives[peer]);
  }

  private SendConnector to(int peer) {
    return Objects.requireNonNull(sends[peer]);
  }

  /** Returns the one of the connections of the step that it waits for, 1 to receive, 2 to send. */
  private int waitsOn() {
    // Another thread may be at work on the step meanwhile.
    int recvPeer = step.recvPeer();
    int sendPeer = step.sendPeer();
    ReceiveConnector from = recvPeer < 0 ? null : receives[recvPeer];
    SendConnector to = sendPeer < 0 ? null : sends[sendPeer];
    if (step.count() == 0) {
      return 0;
    }
    if (from != null && !from.ready()) {
      return 1;
    }
    return to != null && !to.hasRoom() ? 2 : 0;
  }

  @Override
  int waitsFor() {
    TeamSide side = team;
    int member = side == null ? NOBODY : side.waitsFor(step);
    if (member != NOBODY) {
      return member;
    }
    return switch (waitsOn()) {
      case 1 -> step.recvPeer();
      case 2 -> step.sendPeer();
      default -> NOBODY;
    };
  }

  @Override
  String describeWait() {
    TeamSide side = team;
    String what;
    if (side != null && side.waitsFor(step) != NOBODY) {
      what = side.describeWait(step);
    } else {
      what =
          switch (waitsOn()) {
            case 1 -> "a message from rank " + step.recvPeer();
            case 2 -> "rank " + step.sendPeer() + " to take messages";
            default -> "nothing";
          };
    }
    return what + " on channel " + channel + ", step " + step;
  }

  @Override
  String describe() {
    return "channel "
        + channel
        + ", "
        + schedule.getClass().getSimpleName()
        + ", step "
        + index
        + " of "
        + steps
        + (done ? "" : " " + step);
  }
}
