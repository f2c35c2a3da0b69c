// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.CommException;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import io.nitinol.core.schedule.ring.RingAllReduce;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.PaddedCounter;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The kernel side of one channel: runs the steps of one operation after the other against the slots
 * of its two connectors. Never waits: a step whose message or slot is not there is tried again.
 * Belongs to one thread at a time.
 *
 * <p>A message that is received and sent on never leaves its slot: this rank's contribution is
 * added where it lies, and the slot is sent from. That saves the memory traffic of a second slot,
 * and memory traffic is what limits it.
 */
final class Executor {
  private final int rank;
  private final OperationRing ring;
  private final RingAllReduce schedule;
  private final @Nullable ReceiveConnector receive;
  private final @Nullable SendConnector send;
  private final boolean forwards;
  private final int channels;
  private final PaddedCounter completed = new PaddedCounter();

  private @Nullable Operation operation;
  private final Step step = new Step();
  private long index;
  private long steps;
  private int elementBytes;

  /**
   * Creates an executor.
   *
   * @param rank this rank, for messages
   * @param receive where messages come from; null where the rank is alone
   * @param send where messages go; null where the rank is alone
   * @param channels how many channels share each operation
   */
  Executor(
      int rank,
      OperationRing ring,
      RingAllReduce schedule,
      @Nullable ReceiveConnector receive,
      @Nullable SendConnector send,
      int channels) {
    this.channels = channels;
    this.rank = rank;
    this.ring = ring;
    this.schedule = schedule;
    this.receive = receive;
    this.send = send;
    this.forwards = receive != null && send != null && send.canForward(receive);
  }

  /** Returns the number of the last operation that is done on this channel. Any thread. */
  long completed() {
    return completed.get();
  }

  /**
   * Runs steps as far as possible.
   *
   * @param most how many steps to run at most, so that the network gets its turn
   * @return how many were run, the end of an operation counted as one
   */
  int run(int most) {
    int done = 0;
    while (done < most) {
      Operation current = operation;
      if (current == null) {
        current = begin();
        if (current == null) {
          break;
        }
      }
      if (index == steps) {
        operation = null;
        completed.set(current.sequence);
      } else if (isReady()) {
        execute(current);
        index++;
        findStep();
        if (index == steps) {
          continue; // to complete it now
        }
      } else {
        break;
      }
      done++;
    }
    return done;
  }

  private @Nullable Operation begin() {
    long next = completed.own() + 1;
    Operation candidate = ring.slot(next);
    if (!candidate.isPublished(next)) {
      return null;
    }
    operation = candidate;
    elementBytes = candidate.type.size();
    schedule.plan(candidate.count, elementBytes, 0, channels);
    steps = schedule.steps();
    index = 0;
    if (receive != null) {
      receive.expect(schedule.receives(receive.peer()));
    }
    findStep();
    return candidate;
  }

  /** Loads the step at {@link #index}, passing over those without elements. */
  private void findStep() {
    while (index < steps) {
      schedule.step(index, step);
      if (step.count() > 0) {
        return;
      }
      index++;
    }
  }

  private boolean isReady() {
    StepKind kind = step.kind();
    return (!kind.receives() || receiver().ready()) && (!kind.sends() || sender().hasRoom());
  }

  private void execute(Operation current) {
    int bytes = Math.toIntExact(step.count() * elementBytes);
    if (step.kind().receives()) {
      check(current, receiver(), bytes);
    }
    long count = step.count();
    long at = step.inputOffset() * elementBytes;
    ReduceFunction function = Objects.requireNonNull(current.function);
    switch (step.kind()) {
      case SEND -> {
        SendConnector to = sender();
        function.copy(current.input, at, to.memory(), to.offset(), count);
        MessageHeader.write(to.memory(), to.offset(), current.headerWord, current.count);
        to.send(bytes);
      }
      case RECV_REDUCE_SEND -> {
        MemorySegment slot = receiver().memory();
        long offset = receiver().offset();
        function.reduce(slot, offset, current.input, at, slot, offset, count);
        sendOn(bytes, null, 0);
      }
      case RECV_REDUCE_COPY_SEND -> {
        MemorySegment slot = receiver().memory();
        long offset = receiver().offset();
        function.reduceFinal(slot, offset, current.input, at, slot, offset, count);
        sendOn(bytes, current.output, at);
      }
      case RECV_COPY_SEND -> sendOn(bytes, current.output, at);
      case RECV_REDUCE_COPY -> {
        ReceiveConnector from = receiver();
        function.reduceFinal(
            from.memory(), from.offset(), current.input, at, current.output, at, count);
        from.release();
      }
      case RECV -> {
        ReceiveConnector from = receiver();
        MemorySegment.copy(from.memory(), from.offset(), current.output, at, bytes);
        from.release();
      }
      case COPY -> {
        if (current.input.address() != current.output.address()) {
          function.copyFinal(current.input, at, current.output, at, count);
        }
      }
      default -> throw new AssertionError("no ring all-reduce has a step " + step);
    }
  }

  /**
   * Sends the message at hand on and gives its slot back, writing its data to {@code output} too
   * where there is one. Sends first: the next rank waits for the message, nobody for the output.
   */
  private void sendOn(int bytes, @Nullable MemorySegment output, long outputOffset) {
    ReceiveConnector from = receiver();
    SendConnector to = sender();
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
    long word = size < 0 ? 0 : MessageHeader.word(from.memory(), from.offset());
    long count = size < 0 ? 0 : MessageHeader.count(from.memory(), from.offset());
    if (size != bytes || word != current.headerWord || count != current.count) {
      throw mismatch(current, from, bytes, size, word, count);
    }
  }

  private CommException mismatch(
      Operation current, ReceiveConnector from, int bytes, int size, long word, long count) {
    return new CommException(
        ResultCode.INVALID_USAGE,
        "ranks "
            + from.peer()
            + " and "
            + rank
            + " called different operations: rank "
            + rank
            + " is in "
            + current
            + " and expects a message of "
            + bytes
            + " bytes; rank "
            + from.peer()
            + " sent "
            + (size < 0
                ? "a message without a header, of " + from.size() + " bytes"
                : size + " bytes of " + Operation.describeHeader(word, count)));
  }

  private ReceiveConnector receiver() {
    return Objects.requireNonNull(receive);
  }

  private SendConnector sender() {
    return Objects.requireNonNull(send);
  }

  /** Returns whether an operation is being run that waits for something. The driving thread. */
  boolean isWaiting() {
    return operation != null;
  }

  /** Returns what this channel waits for, for an error message. Approximate from other threads. */
  String describeWait() {
    Operation current = operation;
    if (current == null) {
      return "nothing";
    }
    return (waitsForMessage()
            ? "a message from rank " + step.recvPeer()
            : "rank " + step.sendPeer() + " to take messages")
        + " in "
        + current
        + ", step "
        + step;
  }

  /** Returns the rank that this channel waits for, or -1. Approximate from other threads. */
  int waitsFor() {
    if (operation == null) {
      return -1;
    }
    return waitsForMessage() ? step.recvPeer() : step.sendPeer();
  }

  private boolean waitsForMessage() {
    return step.kind().receives() && !receiver().ready();
  }
}
