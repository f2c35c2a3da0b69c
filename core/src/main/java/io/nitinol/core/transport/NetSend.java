// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The sending end over a network plugin. */
final class NetSend implements SendConnector {
  private final Net net;
  private final SendComm comm;
  private final int peer;
  private final Slots slots;
  private final MemoryHandle memory;

  private final long[] offsets = new long[Slots.COUNT];
  private final int[] lengths = new int[Slots.COUNT];
  private final @Nullable Request[] requests = new @Nullable Request[Slots.COUNT];
  private long started;

  /** Messages that the kernel side has given to the network, and that the network is done with. */
  private final PaddedCounter given = new PaddedCounter();

  private final PaddedCounter done = new PaddedCounter();

  NetSend(Net net, SendComm comm, int peer, Slots slots) {
    this.net = net;
    this.comm = comm;
    this.peer = peer;
    this.slots = slots;
    this.memory = net.regMr(comm, Memory.ofHost(slots.memory()));
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public int capacity() {
    return slots.capacity();
  }

  @Override
  public boolean hasRoom() {
    return given.own() - done.get() < Slots.COUNT;
  }

  @Override
  public MemorySegment memory() {
    return slots.memory();
  }

  @Override
  public long offset() {
    return slots.sendOffset(given.own());
  }

  @Override
  public void send(int bytes) {
    give(offset(), bytes);
  }

  @Override
  public boolean canForward(ReceiveConnector from) {
    return from instanceof NetReceive receive && receive.sharesMemory(slots);
  }

  @Override
  public long forward(ReceiveConnector from, int bytes) {
    give(from.offset(), bytes);
    return given.own();
  }

  private void give(long dataOffset, int bytes) {
    int i = (int) given.own() & Slots.MASK;
    offsets[i] = dataOffset - MessageHeader.BYTES;
    lengths[i] = bytes + MessageHeader.BYTES;
    given.set(given.own() + 1);
  }

  @Override
  public long done() {
    return done.get();
  }

  @Override
  public boolean isDrained() {
    return done.get() == given.get();
  }

  @Override
  public int progress() {
    int work = 0;
    long available = given.get();
    while (started < available) {
      int i = (int) started & Slots.MASK;
      Request request = net.isend(comm, memory, offsets[i], lengths[i], 0);
      if (request == null) {
        break;
      }
      requests[i] = request;
      started++;
      work++;
    }
    long next = done.own();
    while (next < started) {
      int i = (int) next & Slots.MASK;
      Request request = requests[i];
      if (request == null || !net.test(request, null)) {
        break;
      }
      requests[i] = null;
      next++;
      done.set(next);
      work++;
    }
    return work;
  }

  @Override
  public void close() {
    try {
      net.deregMr(comm, memory);
    } finally {
      net.closeSend(comm);
    }
  }

  @Override
  public String toString() {
    return "to rank " + peer + ": " + given.get() + " sent, " + done.get() + " left";
  }
}
