// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Messages from one rank to another, in order, through {@value #SLOTS} slots in memory that both
 * see. One end in each rank; one worker at a time uses an end.
 */
final class PairChannel {
  /** The most bytes of one message. */
  static final int SLOT_SIZE = 64 << 10;

  private static final int SLOTS = 2;
  private static final long SENT = 0;
  private static final long RECEIVED = 64; // a cache line of its own
  private static final long FIRST_SLOT = 128;

  /** The bytes of memory that one channel takes; zero before its first use. */
  static final long SIZE = FIRST_SLOT + (long) SLOTS * SLOT_SIZE;

  private static final VarHandle COUNTER = ValueLayout.JAVA_LONG.varHandle();

  private final MemorySegment memory;

  PairChannel(MemorySegment memory) {
    this.memory = memory;
  }

  boolean hasRoom() {
    return count(SENT) - count(RECEIVED) < SLOTS;
  }

  /** Returns where the next message is written; there is room. */
  MemorySegment nextToSend() {
    return slot(count(SENT));
  }

  void sent() {
    COUNTER.setRelease(memory, SENT, count(SENT) + 1);
  }

  boolean hasMessage() {
    return count(SENT) - count(RECEIVED) > 0;
  }

  /** Returns the oldest message; there is one. */
  MemorySegment nextToReceive() {
    return slot(count(RECEIVED));
  }

  void received() {
    COUNTER.setRelease(memory, RECEIVED, count(RECEIVED) + 1);
  }

  private MemorySegment slot(long number) {
    return memory.asSlice(FIRST_SLOT + number % SLOTS * SLOT_SIZE, SLOT_SIZE);
  }

  private long count(long offset) {
    return (long) COUNTER.getAcquire(memory, offset);
  }
}
