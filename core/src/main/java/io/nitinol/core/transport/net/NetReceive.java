// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.net;

import io.nitinol.core.profiler.ConnectionEvents;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.PaddedCounter;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.Slots;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end over a network plugin. Receives are posted on every free slot, but never more
 * than the kernel side {@link #expect}s: a peer that closes after its last operation must not look
 * like one that died.
 */
final class NetReceive implements ReceiveConnector {
  private final Net net;
  private final RecvComm comm;
  private final int peer;
  private final Slots slots;
  private final MemoryHandle memory;

  /** What a profiler is told; null where there is none. */
  private final @Nullable ConnectionEvents events;

  // What irecv takes, one element each.
  private final MemoryHandle[] handles = new MemoryHandle[1];
  private final long[] offsets = new long[1];
  private final long[] lengths = new long[1];
  private final int[] tags = new int[1];
  private final int[] arrived = new int[1];
  private final long @Nullable [] parents;

  private final @Nullable Request[] requests = new @Nullable Request[Slots.COUNT];
  private final int[] sizes = new int[Slots.COUNT];
  private final long[] tickets = new long[Slots.COUNT];

  /**
   * By slot, what it is sent from and up to which message; schedules forward to different peers.
   */
  private final @Nullable SendConnector[] holders = new @Nullable SendConnector[Slots.COUNT];

  /**
   * By slot, what the plugin keeps until it hears that the message was used; null where it does not
   * want to.
   */
  private final @Nullable Request @Nullable [] unused;

  /** Messages of which the plugin knows, where it wants to, that they were used. */
  private long told;

  private boolean closed;

  private final PaddedCounter limit = new PaddedCounter();

  /** Messages that the plugin was asked for. */
  private final PaddedCounter posted = new PaddedCounter();

  private final PaddedCounter received = new PaddedCounter();
  private final PaddedCounter consumed = new PaddedCounter();

  NetReceive(Net net, RecvComm comm, int peer, Slots slots, @Nullable ConnectionEvents events) {
    this.events = events;
    this.parents = events == null ? null : new long[1];
    this.net = net;
    this.comm = comm;
    this.peer = peer;
    this.slots = slots;
    this.unused =
        net.supports(OptionalOperation.IRECV_CONSUMED) ? new @Nullable Request[Slots.COUNT] : null;
    this.memory = net.regMr(comm, Memory.ofHost(slots.memory()));
    handles[0] = memory;
    lengths[0] = (long) MessageHeader.BYTES + slots.capacity();
  }

  Net net() {
    return net;
  }

  RecvComm comm() {
    return comm;
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
  public void announce(long event, int mask, long messages) {
    if (events != null) {
      events.announce(limit.own(), event, mask, messages);
    }
  }

  @Override
  public void expect(long messages) {
    limit.set(limit.own() + messages);
  }

  @Override
  public boolean ready() {
    return consumed.own() < received.get();
  }

  @Override
  public boolean seemsReady() {
    return consumed.get() < received.get();
  }

  @Override
  public long arrived() {
    return received.get();
  }

  @Override
  public long expected() {
    return posted.get();
  }

  @Override
  public MemorySegment memory() {
    return slots.memory();
  }

  @Override
  public long offset() {
    return slots.offset(consumed.own());
  }

  @Override
  public int size() {
    return sizes[(int) consumed.own() & Slots.MASK];
  }

  @Override
  public void release() {
    int i = (int) consumed.own() & Slots.MASK;
    holders[i] = null;
    if (events != null) {
      events.ends(consumed.own());
    }
    consumed.set(consumed.own() + 1);
  }

  @Override
  public void releaseAfter(SendConnector sender, long ticket) {
    int i = (int) consumed.own() & Slots.MASK;
    holders[i] = sender;
    tickets[i] = ticket;
    if (events != null) {
      events.ends(consumed.own());
    }
    consumed.set(consumed.own() + 1);
  }

  @Override
  public int progress() {
    int work = unused == null ? 0 : tellOfUse(unused);
    long free = (unused == null ? consumed.get() : told) + Slots.COUNT;
    long wanted = Math.min(free, limit.get());
    long asked = posted.own();
    while (asked < wanted && !isHeld(asked)) {
      int i = (int) asked & Slots.MASK;
      offsets[0] = slots.offset(asked) - MessageHeader.BYTES;
      if (events != null && parents != null) {
        parents[0] = events.begins(asked, 0);
      }
      Request request = net.irecv(comm, 1, handles, offsets, lengths, tags, parents, 0);
      if (request == null) {
        break;
      }
      requests[i] = request;
      asked++;
      posted.set(asked);
      work++;
    }
    long next = received.own();
    while (next < asked) {
      int i = (int) next & Slots.MASK;
      Request request = requests[i];
      if (request == null || !net.test(request, arrived)) {
        break;
      }
      requests[i] = null;
      if (unused != null) {
        unused[i] = request;
      }
      sizes[i] = arrived[0];
      if (events != null) {
        events.moves(next, Math.max(0, arrived[0] - MessageHeader.BYTES));
      }
      next++;
      received.set(next);
      work++;
    }
    return work;
  }

  /** Tells the plugin which messages are used, as NCCL does; a slot that is sent from is in use. */
  private int tellOfUse(@Nullable Request[] of) {
    int work = 0;
    long used = consumed.get();
    while (told < used && !isHeld(told)) {
      int i = (int) told & Slots.MASK;
      Request request = of[i];
      of[i] = null;
      told++;
      work++;
      if (request != null) {
        net.irecvConsumed(comm, 1, request);
      }
    }
    return work;
  }

  @Override
  public boolean isSettled() {
    return unused == null || told == consumed.get();
  }

  /** Returns whether the slot of message {@code index} is still being sent from. */
  private boolean isHeld(long index) {
    int i = (int) index & Slots.MASK;
    SendConnector sender = holders[i];
    return sender != null && tickets[i] > sender.done();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      net.deregMr(comm, memory);
    } finally {
      if (events != null) {
        events.close();
      }
      net.closeRecv(comm);
    }
  }

  @Override
  public String toString() {
    return ErrorText.of(
        "from rank %s: %s expected, %s arrived, %s consumed",
        peer, limit.get(), received.get(), consumed.get());
  }
}
