// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.profiler;

import io.nitinol.spi.profiler.EventState;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The events of one direction of a connection of the network: the operations that it has messages
 * of, and the messages, each in a slot. The thread that moves data reports what happens, so the
 * messages of an operation are announced before they begin. A message is known by its number on the
 * connection. Safe for any thread: both sides of a connection come here. While nothing is wanted
 * they take no lock.
 */
public final class ConnectionEvents {

  /** Some messages in a row that belong together. */
  private static final class Operation {
    long parent;
    int mask;

    /** The number of its first message. */
    long first;

    long messages;
    long begun;
    long ended;
    long event;
  }

  private final ProfilerSession session;
  private final boolean sends;
  private final int channel;
  private final int peer;
  private final int chunkSize;
  private final ArrayDeque<Operation> announced = new ArrayDeque<>();
  private final ArrayDeque<Operation> unused = new ArrayDeque<>();

  /** The number after the last message of an operation of which anything is wanted. */
  private volatile long end;

  // By slot.
  private final @Nullable Operation[] operations;
  private final long[] steps;
  private final long[] handles;

  ConnectionEvents(
      ProfilerSession session, boolean sends, int channel, int peer, int chunkSize, int slots) {
    this.session = session;
    this.sends = sends;
    this.channel = channel;
    this.peer = peer;
    this.chunkSize = chunkSize;
    this.operations = new @Nullable Operation[slots];
    this.steps = new long[slots];
    this.handles = new long[slots];
  }

  /**
   * Announces that, behind those announced before, {@code messages} belong to one operation. By the
   * thread that has the kernel side of the connection.
   *
   * @param next the number of the message that this thread comes to next
   * @param parent the operation's event
   * @param mask which events are wanted of it
   */
  public void announce(long next, long parent, int mask, long messages) {
    if (messages > 0 && (mask & Wanted.PROXY_OP) != 0) {
      expect(next, parent, mask, messages);
    }
  }

  private synchronized void expect(long next, long parent, int mask, long messages) {
    Operation operation = unused.poll();
    if (operation == null) {
      operation = new Operation();
    }
    operation.parent = parent;
    operation.mask = mask;
    operation.first = Math.max(next, end);
    operation.messages = messages;
    operation.begun = 0;
    operation.ended = 0;
    operation.event = 0;
    announced.add(operation);
    end = operation.first + messages;
  }

  /**
   * Begins the next message, unless that has been done.
   *
   * @param message its number
   * @param bytes its data, where that is known
   * @return the parent of the plugin's own events, 0 where these are not wanted
   */
  public long begins(long message, long bytes) {
    return message < end ? begin(message, bytes) : 0;
  }

  private int slot(long message) {
    return (int) (message & (operations.length - 1));
  }

  private synchronized long begin(long message, long bytes) {
    int slot = slot(message);
    if (operations[slot] != null) {
      return handles[slot];
    }
    Operation operation = announced.peek();
    if (operation == null || message < operation.first) {
      return 0;
    }
    if (operation.begun == 0 && (operation.mask & Wanted.PROXY_OP) != 0) {
      start(operation);
    }
    operations[slot] = operation;
    if ((operation.mask & Wanted.PROXY_STEP) != 0) {
      Descriptors.ProxyStep descriptor = Descriptors.own().proxyStep;
      descriptor.at(session.rank(), operation.event);
      descriptor.step = operation.begun;
      steps[slot] = session.start(descriptor);
      if (sends) {
        // The data is there already, but profilers take the time of every state of NCCL's.
        session.record(steps[slot], EventState.PROXY_STEP_SEND_GPU_WAIT, bytes);
        session.record(steps[slot], EventState.PROXY_STEP_SEND_PEER_WAIT, bytes);
      } else {
        session.record(steps[slot], EventState.PROXY_STEP_RECV_WAIT, bytes);
      }
    }
    operation.begun++;
    if (operation.begun == operation.messages) {
      announced.poll();
    }
    if ((operation.mask & Wanted.NET_PLUGIN) != 0) {
      if (handles[slot] == 0) {
        handles[slot] = NetEvents.instance().reserve(session);
      }
      NetEvents.instance().set(handles[slot], steps[slot], true);
      return handles[slot];
    }
    return 0;
  }

  private void start(Operation operation) {
    Descriptors.ProxyOp descriptor = Descriptors.own().proxyOp;
    descriptor.at(session.rank(), operation.parent);
    descriptor.channel = channel;
    descriptor.peer = peer;
    descriptor.steps = operation.messages;
    descriptor.chunkSize = chunkSize;
    descriptor.sends = sends;
    operation.event = session.start(descriptor);
    session.record(operation.event, EventState.PROXY_OP_IN_PROGRESS, 0);
  }

  /** Reports that the network has taken a message, or has brought it. */
  public void moves(long message, long bytes) {
    if (message < end) {
      move(slot(message), bytes);
    }
  }

  private synchronized void move(int slot, long bytes) {
    if (sends) {
      session.record(steps[slot], EventState.PROXY_STEP_SEND_WAIT, bytes);
    } else {
      session.record(steps[slot], EventState.PROXY_STEP_RECV_FLUSH_WAIT, bytes);
      session.record(steps[slot], EventState.PROXY_STEP_RECV_GPU_WAIT, bytes);
    }
  }

  /** Ends a message. */
  public void ends(long message) {
    if (message < end) {
      end(slot(message));
    }
  }

  private synchronized void end(int slot) {
    Operation operation = operations[slot];
    if (operation == null) {
      return;
    }
    if (handles[slot] != 0) {
      NetEvents.instance().set(handles[slot], 0, false);
    }
    session.stop(steps[slot]);
    steps[slot] = 0;
    operations[slot] = null;
    operation.ended++;
    if (operation.ended == operation.messages) {
      session.stop(operation.event);
      operation.event = 0;
      unused.add(operation);
    }
  }

  /** Ends everything: the connection is closed. */
  public synchronized void close() {
    for (int slot = 0; slot < operations.length; slot++) {
      Operation operation = operations[slot];
      if (operation != null) {
        operation.messages = operation.begun; // no more will come
        end(slot);
      }
    }
    Operation begun = announced.poll();
    if (begun != null && begun.begun == begun.ended) {
      session.stop(begun.event); // between two of its messages, or none is left
    }
    announced.clear();
  }
}
