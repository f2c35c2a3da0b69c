// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.memory;

import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.PaddedCounter;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.Slots;
import java.lang.foreign.MemorySegment;

/** The sending end of a {@link SlotRing}. */
final class MemorySend implements SendConnector {
  private final int peer;
  private final SlotRing ring;

  /** How many messages have been sent; only the kernel side advances it. */
  private final PaddedCounter given = new PaddedCounter();

  /** The numbers, from 1, of the messages in the slots that are lent; 0 for others. */
  private final long[] lent = new long[Slots.COUNT];

  private long released;
  private boolean closed;

  MemorySend(int peer, SlotRing ring) {
    this.peer = peer;
    this.ring = ring;
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public int capacity() {
    return ring.capacity();
  }

  @Override
  public int pieceBytes() {
    return ring.pieceBytes();
  }

  @Override
  public boolean hasRoom() {
    long next = given.own();
    if (next - released < Slots.COUNT) {
      return true;
    }
    released = ring.released();
    return next - released < Slots.COUNT;
  }

  @Override
  public boolean seemsToHaveRoom() {
    return given.get() - ring.released() < Slots.COUNT;
  }

  @Override
  public MemorySegment memory() {
    return ring.memory();
  }

  @Override
  public long offset() {
    return ring.offset(given.own());
  }

  @Override
  public void send(int bytes) {
    post(bytes, false);
  }

  private void post(int bytes, boolean isLent) {
    long number = given.own();
    lent[(int) number & Slots.MASK] = isLent ? number + 1 : 0;
    given.set(number + 1); // before the receiver can release it
    ring.post(number, bytes, isLent);
  }

  @Override
  public boolean canForward(ReceiveConnector from) {
    return false;
  }

  @Override
  public long forward(ReceiveConnector from, int bytes) {
    throw new IllegalStateException("messages cannot be forwarded into shared memory: " + from);
  }

  @Override
  public boolean canLend() {
    return ring.lent() != null;
  }

  @Override
  public long lend(MemorySegment from, long offset, int bytes, long word, long countWord) {
    LentBuffers buffers = ring.lent();
    if (buffers == null) {
      throw new IllegalStateException("rank " + peer + " is in another process");
    }
    MessageHeader.write(ring.memory(), offset(), word, countWord);
    buffers.set(given.own(), from, offset);
    post(bytes, true);
    return given.own();
  }

  /** All messages but those from the first one on that is lent and not released. */
  @Override
  public long done() {
    long end = given.get();
    long now = Math.min(end, ring.released());
    while (now < end && lent[(int) now & Slots.MASK] != now + 1) {
      now++;
    }
    return now;
  }

  @Override
  public boolean isDrained() {
    return done() == given.get();
  }

  @Override
  public int progress() {
    return 0;
  }

  @Override
  public boolean needsProgress() {
    return false;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      ring.close();
    }
  }

  @Override
  public String toString() {
    return "to rank " + peer + ": " + given.get() + " sent, " + (closed ? "closed" : released());
  }

  private String released() {
    return ring.released() + " released";
  }
}
