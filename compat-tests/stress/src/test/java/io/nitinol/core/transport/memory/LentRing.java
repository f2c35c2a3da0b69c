// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.memory;

import io.nitinol.core.shm.SharedRegion;
import io.nitinol.core.transport.Slots;
import io.nitinol.stress.Pool;
import java.lang.foreign.MemorySegment;

/**
 * A ring of lent messages without its ends. Where they lie is in the heap, which a compiler may
 * order otherwise than the slots. Each end looks at what it will touch before the race, so that no
 * check, across which nothing moves, is left for later.
 */
final class LentRing {
  static final Pool<LentRing> EMPTY = new Pool<>(() -> new LentRing(false));
  static final Pool<LentRing> FULL = new Pool<>(() -> new LentRing(true));

  private static final int CAPACITY = 64;

  private final LentBuffers lent = new LentBuffers();
  private final SlotRing ring;

  /** The numbers of the next message at either end. */
  private long sent;

  private long received;

  /** What was looked at before, so that the look is not left out. */
  private long sendersLook;

  private long receiversLook;

  private LentRing(boolean full) {
    SharedRegion region = SharedRegion.createLocal(SlotRing.bytes(CAPACITY), 1, lent);
    region.arrive();
    ring = new SlotRing(region, CAPACITY);
    while (sent < Slots.COUNT) {
      send();
    }
    while (!full && received < sent) {
      received++;
      ring.release(received);
    }
  }

  private static MemorySegment buffer(long number) {
    return MemorySegment.ofAddress(64 * number);
  }

  void send() {
    long number = sent;
    MemorySegment buffer = buffer(number);
    sendersLook = (ring.isPosted(number) ? 1 : 0) + ring.bytes(number) + lent.offset(number);
    lent.set(number, buffer, number);
    ring.post(number, 8, true);
    sent = number + 1;
  }

  boolean hasRoom() {
    return sent - ring.released() < Slots.COUNT;
  }

  /** Returns 0 where nothing is posted, 1 where the message at hand is right. */
  int look() {
    long number = received;
    receiversLook = lent.offset(number) + lent.memory(number).address();
    return !ring.isPosted(number)
        ? 0
        : lent.offset(number) == number && lent.memory(number).address() == 64 * number ? 1 : 2;
  }

  /** Returns the same of a message that is posted, and releases it. */
  int lookAndRelease() {
    long number = received;
    receiversLook = ring.released();
    long offset = lent.offset(number);
    long address = lent.memory(number).address();
    ring.release(number + 1);
    received = number + 1;
    return offset == number && address == 64 * number ? 1 : 2;
  }

  /** Makes up for what the actors have left open. */
  void settle(boolean full) {
    while (full && sent < received + Slots.COUNT && hasRoom()) {
      send();
    }
    while (!full && received < sent) {
      received++;
      ring.release(received);
    }
  }

  @Override
  public String toString() {
    return sendersLook + " " + receiversLook;
  }
}
