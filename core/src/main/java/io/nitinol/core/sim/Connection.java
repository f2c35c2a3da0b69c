// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import io.nitinol.core.transport.Slots;
import org.jspecify.annotations.Nullable;

/**
 * One direction between two ranks on a channel: a queue of messages with the slots that a connector
 * has. By the network, a slot of the sender is free when its message has left, and a message leaves
 * when the receiver has a slot for it; by memory both have the same slots.
 */
final class Connection {
  /** The sender's slots and the receiver's. */
  private static final int ROOM = 2 * Slots.COUNT;

  private static final int MASK = ROOM - 1;

  /** What an end of a connection belongs to. */
  interface End {
    /** Takes note that something has changed: a message is there, or a slot is free. */
    void wake();
  }

  private final SimulationClock clock;

  /** By the network; else by the memory of a host. */
  final boolean networked;

  /**
   * The flow, and the timers of its end and of the next arrival; no flow where data just is there.
   */
  final int flow;

  private final int arrivalTimer;
  private final long latency;

  private final int[] sizes = new int[ROOM];
  private final long[] arrivals = new long[ROOM];
  private long queued;
  private long left;
  private long landed;
  private long arrived;
  private long consumed;
  private boolean busy;

  @Nullable End sender;
  @Nullable End receiver;

  Connection(SimulationClock clock, boolean networked, int[] route, long latency) {
    this.clock = clock;
    this.networked = networked;
    this.flow = route.length == 0 ? -1 : clock.addFlow(route, this::flowEnds);
    this.arrivalTimer = clock.addTimer(this::arrives);
    this.latency = latency;
  }

  boolean hasRoom() {
    return queued - (networked ? left : consumed) < Slots.COUNT;
  }

  boolean isReady() {
    return arrived > consumed;
  }

  /** Returns the bytes of the message that was received first. */
  int firstBytes() {
    return sizes[(int) consumed & MASK];
  }

  /** Takes a message; there must be room. */
  void send(int bytes) {
    if (queued - consumed >= ROOM) {
      throw new IllegalStateException("a connection with " + ROOM + " messages takes no other one");
    }
    sizes[(int) queued & MASK] = bytes;
    queued++;
    next();
  }

  /** Gives back the slot of the message that was received first. */
  void release() {
    consumed++;
    if (networked) {
      next();
    } else {
      wake(sender);
    }
  }

  private void next() {
    if (busy || left == queued || (networked && left - consumed >= Slots.COUNT)) {
      return;
    }
    if (flow < 0) {
      leave();
      return;
    }
    busy = true;
    clock.startFlow(flow, sizes[(int) left & MASK]);
  }

  /** The flow is through. */
  private void flowEnds() {
    clock.endFlow(flow);
    busy = false;
    leave();
    next();
  }

  private void leave() {
    arrivals[(int) left & MASK] = clock.now() + latency;
    left++;
    if (left == landed + 1) {
      clock.setTimer(arrivalTimer, latency);
    }
    if (networked) {
      wake(sender);
    }
    if (flow < 0) {
      next();
    }
  }

  /** A message arrives. */
  private void arrives() {
    arrived++;
    landed++;
    if (landed < left) {
      clock.setTimerAt(arrivalTimer, arrivals[(int) landed & MASK]);
    }
    wake(receiver);
  }

  private static void wake(@Nullable End end) {
    if (end != null) {
      end.wake();
    }
  }
}
