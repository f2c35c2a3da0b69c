// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.memory;

import io.nitinol.core.shm.SharedRegion;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.Slots;
import io.nitinol.stress.Pool;
import java.lang.foreign.ValueLayout;

/** Both ends of a ring in memory, and messages whose content follows from their number. */
final class Link {
  static final Pool<Link> EMPTY = new Pool<>(Link::new);
  static final Pool<Link> FULL = new Pool<>(() -> new Link().fill());

  private static final int CAPACITY = 64;

  final MemorySend send;
  final MemoryReceive receive;

  /** The numbers of the next message at either end. */
  private long sent;

  private long received;

  private Link() {
    SharedRegion region = SharedRegion.createLocal(SlotRing.bytes(CAPACITY), 1, null);
    region.arrive();
    SlotRing ring = new SlotRing(region, CAPACITY);
    send = new MemorySend(1, ring);
    receive = new MemoryReceive(0, ring);
  }

  private Link fill() {
    for (int i = 0; i < Slots.COUNT; i++) {
      send();
    }
    return this;
  }

  /** Each lap of the ring has other sizes, offsets and data. */
  private static int bytes(long number) {
    return 8 + (int) (number / Slots.COUNT % 5) * 8;
  }

  void send() {
    send.memory().set(ValueLayout.JAVA_LONG, send.offset(), sent);
    send.send(bytes(sent));
    sent++;
  }

  /** Returns whether the message at hand is the one with the next number, as a whole. */
  boolean isRight() {
    long data = receive.memory().get(ValueLayout.JAVA_LONG, receive.offset());
    return data == received && receive.size() == bytes(received) + MessageHeader.BYTES;
  }

  void release() {
    receive.release();
    received++;
  }

  /** Makes up for what the actors have left open. */
  void settle(boolean full) {
    while (sent < received + (full ? Slots.COUNT : 0) && send.hasRoom()) {
      send();
    }
    while (!full && received < sent && receive.ready()) {
      release();
    }
  }
}
