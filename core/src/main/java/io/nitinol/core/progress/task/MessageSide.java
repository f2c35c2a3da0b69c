// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.CommException;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import io.nitinol.core.shm.CrossCoreCopy;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one task does with its connections: looks whether messages and slots are there, makes sure
 * that a message is of the same operation, and moves the data. Belongs to one thread at a time;
 * what describes it may be called by any, and changes nothing.
 *
 * <p>A message that is received and sent on never leaves its slot where the two connections have
 * their memory in common: this rank's contribution is added where it lies, and the slot is sent
 * from. That saves the memory traffic of a second slot, and memory traffic is what limits it.
 */
public final class MessageSide {
  private final int rank;

  /**
   * By rank, and at the end the collective network; null where the schedule has no such peer, or it
   * is not connected yet.
   */
  private final @Nullable SendConnector[] sends;

  private final @Nullable ReceiveConnector[] receives;

  /** Whether any connection needs the network's turn. */
  private boolean networked;

  /** How many messages the planned operation sends, by rank; only counted for a profiler. */
  private long[] sent = {};

  /** Creates a side without connections, of rank {@code rank} of {@code size}. */
  public MessageSide(int rank, int size) {
    this.rank = rank;
    this.sends = new @Nullable SendConnector[size + 1];
    this.receives = new @Nullable ReceiveConnector[size + 1];
  }

  public @Nullable SendConnector sender(int peer) {
    return sends[peer];
  }

  public @Nullable ReceiveConnector receiver(int peer) {
    return receives[peer];
  }

  public void connect(int peer, SendConnector connector) {
    sends[peer] = connector;
    networked |= connector.needsProgress();
  }

  public void connect(int peer, ReceiveConnector connector) {
    receives[peer] = connector;
    networked |= connector.needsProgress();
  }

  public boolean isNetworked() {
    return networked;
  }

  /** Counts the messages that the steps of a planned schedule send, for {@link #announce}. */
  public void count(Schedule schedule, long steps, Step scratch) {
    if (networked) {
      sent = new long[sends.length];
      for (long i = 0; i < steps; i++) {
        schedule.step(i, scratch);
        if (scratch.count() > 0 && scratch.kind().sends()) {
          sent[scratch.sendPeer()]++;
        }
      }
    }
  }

  /** Tells the connections of the network whose messages come now. */
  public void announce(Schedule schedule, Operation operation) {
    if (networked) {
      for (int peer : schedule.sendPeers()) {
        to(peer).announce(operation.event(), operation.wanted(), sent[peer]);
      }
      for (int peer : schedule.recvPeers()) {
        long messages = schedule.receives(peer);
        from(peer).announce(operation.event(), operation.wanted(), messages);
      }
    }
  }

  /** Tells a network that reduces what the messages of an operation are. */
  public void begin(Operation operation) {
    SendConnector network = sends[sends.length - 1];
    if (network != null) {
      network.reduces(operation.type(), operation.op());
    }
  }

  /** Says how many messages an operation receives from {@code peer}. */
  public void expect(int peer, long messages) {
    if (messages > 0) {
      from(peer).expect(messages);
    }
  }

  /** Returns whether the message that a step receives is there, and room for what it sends. */
  public boolean isReady(Step step) {
    StepKind kind = step.kind();
    return step.count() == 0
        || ((!kind.receives() || from(step.recvPeer()).ready())
            && (!kind.sends() || to(step.sendPeer()).hasRoom()));
  }

  /** Moves the messages of a step. */
  public void run(Step step, Operation current, long word) {
    if (step.kind().receives()) {
      receive(step, current, word);
    } else {
      send(step, current, word);
    }
  }

  private void send(Step step, Operation current, long word) {
    SendConnector to = to(step.sendPeer());
    int elementBytes = current.elementBytes();
    int bytes = Math.toIntExact(step.count() * elementBytes);
    ReduceFunction function = current.contributing();
    if (step.kind() == StepKind.SEND_RESULT) {
      put(current.output(), step.outputOffset() * elementBytes, to, bytes);
    } else if (function == null) {
      put(current.input(), step.inputOffset() * elementBytes, to, bytes);
    } else {
      long in = step.inputOffset() * elementBytes;
      function.copy(current.input(), in, to.memory(), to.offset(), step.count());
    }
    MessageHeader.write(to.memory(), to.offset(), word, current.countWord());
    to.send(bytes);
  }

  /** Writes the data of a message to the next slot of {@code to}. */
  public static void put(MemorySegment from, long offset, SendConnector to, int bytes) {
    if (to.needsProgress()) {
      MemorySegment.copy(from, offset, to.memory(), to.offset(), bytes);
    } else {
      CrossCoreCopy.copy(from, offset, to.memory(), to.offset(), bytes);
    }
  }

  private void receive(Step step, Operation current, long word) {
    ReceiveConnector from = from(step.recvPeer());
    int elementBytes = current.elementBytes();
    int bytes = Math.toIntExact(step.count() * elementBytes);
    check(current, word, from, bytes);
    MemorySegment slot = from.memory();
    long offset = from.offset();
    MemorySegment output = current.output();
    long out = step.outputOffset() * elementBytes;
    if (step.isLast() && from.isNetwork()) {
      complete(current, slot, offset, step.count());
    }
    switch (step.kind()) {
      case RECV_REDUCE_SEND -> {
        SendConnector to = to(step.sendPeer());
        if (to.canForward(from)) {
          reduce(step, current, slot, offset, slot, offset);
          sendOn(step, from, bytes, null, 0);
        } else {
          reduce(step, current, slot, offset, to.memory(), to.offset());
          sendReduced(current, word, from, to, bytes);
        }
      }
      case RECV_REDUCE_COPY -> {
        reduce(step, current, slot, offset, output, out);
        from.release();
      }
      case RECV_REDUCE_COPY_SEND -> {
        reduce(step, current, slot, offset, slot, offset);
        sendOn(step, from, bytes, output, out);
      }
      case RECV_COMBINE_SEND -> {
        SendConnector to = to(step.sendPeer());
        if (to.canForward(from)) {
          combine(step, current, slot, offset, slot, offset);
          sendOn(step, from, bytes, null, 0);
        } else {
          combine(step, current, slot, offset, to.memory(), to.offset());
          sendReduced(current, word, from, to, bytes);
        }
      }
      case RECV_COMBINE_COPY -> {
        combine(step, current, slot, offset, output, out);
        from.release();
      }
      case RECV_COMBINE_COPY_SEND -> {
        combine(step, current, slot, offset, slot, offset);
        sendOn(step, from, bytes, output, out);
      }
      case RECV_COPY_SEND -> sendOn(step, from, bytes, output, out);
      case RECV_SEND -> sendOn(step, from, bytes, null, 0);
      case RECV -> {
        MemorySegment.copy(slot, offset, output, out, bytes);
        from.release();
      }
      default -> throw new IllegalArgumentException("not a step that receives: " + step);
    }
  }

  /** Writes what was received and this rank's input, reduced. */
  private void reduce(
      Step step,
      Operation current,
      MemorySegment slot,
      long offset,
      MemorySegment to,
      long toOffset) {
    ReduceFunction function = Objects.requireNonNull(current.function());
    MemorySegment input = current.input();
    long in = step.inputOffset() * current.elementBytes();
    long count = step.count();
    // Also where the input should come first: two operands give the same bits in either order.
    Fold.reduce(function, slot, offset, input, in, to, toOffset, count, step.isLast());
  }

  /** Writes what was received and the partial result in the output, reduced. */
  private void combine(
      Step step,
      Operation current,
      MemorySegment slot,
      long offset,
      MemorySegment to,
      long toOffset) {
    ReduceFunction function = Objects.requireNonNull(current.function());
    MemorySegment output = current.output();
    long out = step.outputOffset() * current.elementBytes();
    long count = step.count();
    if (step.isLocalFirst()) {
      Fold.combine(function, output, out, slot, offset, to, toOffset, count, step.isLast());
    } else {
      Fold.combine(function, slot, offset, output, out, to, toOffset, count, step.isLast());
    }
  }

  /** Does to a result of the network what the operator does to a complete one. */
  private static void complete(Operation current, MemorySegment slot, long offset, long count) {
    ReduceFunction function = current.completing();
    if (function != null) {
      Fold.complete(function, slot, offset, count, current.elementBytes());
    }
  }

  /** Sends what was written to the slot of {@code to}, and gives back that of {@code from}. */
  private void sendReduced(
      Operation current, long word, ReceiveConnector from, SendConnector to, int bytes) {
    MessageHeader.write(to.memory(), to.offset(), word, current.countWord());
    to.send(bytes);
    from.release();
  }

  /**
   * Sends the message at hand on and gives its slot back, writing its data to {@code output} too
   * where there is one. Sends first: the next rank waits for the message, no other for the output.
   */
  private void sendOn(
      Step step,
      ReceiveConnector from,
      int bytes,
      @Nullable MemorySegment output,
      long outputOffset) {
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
  private void check(Operation current, long word, ReceiveConnector from, int bytes) {
    int size = from.size() - MessageHeader.BYTES;
    long theirs = size < 0 ? 0 : from.headerWord();
    long theirCount = size < 0 ? 0 : from.headerCountWord();
    if ((size == bytes || size == from.capacity())
        && theirs == word
        && theirCount == current.countWord()) {
      return;
    }
    throw new CommException(
        ResultCode.INVALID_USAGE,
        ErrorText.of(
            "%s: rank %d is in %s and expects a message of %d bytes; what came from rank %d is %s",
            Operation.describeDifference(
                rank, word, current.countWord(), from.peer(), theirs, theirCount),
            rank,
            Operation.describeHeader(word, current.countWord()),
            bytes,
            from.peer(),
            size < 0
                ? "a message without a header, of " + from.size() + " bytes"
                : size + " bytes of " + Operation.describeHeader(theirs, theirCount)));
  }

  private ReceiveConnector from(int peer) {
    return Objects.requireNonNull(receives[peer]);
  }

  private SendConnector to(int peer) {
    return Objects.requireNonNull(sends[peer]);
  }

  /** Returns the connection that brings what the step waits for, or null. */
  private @Nullable ReceiveConnector lacking(Step step) {
    // Another thread may be at work on the step meanwhile.
    int peer = step.recvPeer();
    ReceiveConnector from = peer < 0 || step.count() == 0 ? null : receives[peer];
    return from != null && !from.seemsReady() ? from : null;
  }

  /** Returns the connection that has no room for what the step sends, or null. */
  private @Nullable SendConnector crowded(Step step) {
    int peer = step.sendPeer();
    SendConnector to = peer < 0 || step.count() == 0 ? null : sends[peer];
    return to != null && !to.seemsToHaveRoom() ? to : null;
  }

  /** Returns the rank that a step waits for, or {@link Task#NOBODY}. */
  public int waitsFor(Step step) {
    ReceiveConnector from = lacking(step);
    SendConnector to = from == null ? crowded(step) : null;
    return from != null ? from.peer() : to != null ? to.peer() : Task.NOBODY;
  }

  /** Returns what a step waits for, to follow "waits for". */
  public String describeWait(Step step) {
    ReceiveConnector from = lacking(step);
    if (from != null) {
      return from.isNetwork()
          ? "the collective network to reduce"
          : "a message from rank " + from.peer();
    }
    SendConnector to = crowded(step);
    if (to != null) {
      return (to.isNetwork() ? "the collective network" : "rank " + to.peer())
          + " to take messages";
    }
    return "nothing";
  }
}
