// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.net;

import io.nitinol.core.profiler.ConnectionEvents;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.PaddedCounter;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.Slots;
import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sending end over a network plugin. Messages lie in slots of its own, or are forwarded from
 * where another connection received them; that memory is registered here too, when the two are
 * first asked about together.
 */
final class NetSend implements SendConnector {
  private final Net net;
  private final SendComm comm;
  private final int peer;
  private final Slots slots;
  private final MemoryHandle memory;

  /** What a profiler is told; null where there is none. */
  private final @Nullable ConnectionEvents events;

  /** Connections that this one forwards from, and their memory as registered here. */
  private ReceiveConnector[] sources = {};

  private MemoryHandle[] sourceHandles = {};

  private final MemoryHandle[] handles = new MemoryHandle[Slots.COUNT];
  private final long[] offsets = new long[Slots.COUNT];
  private final int[] lengths = new int[Slots.COUNT];
  private final @Nullable Request[] requests = new @Nullable Request[Slots.COUNT];
  private boolean closed;

  /** Messages of the kernel side, those the plugin has accepted, and those it is done with. */
  private final PaddedCounter given = new PaddedCounter();

  private final PaddedCounter started = new PaddedCounter();
  private final PaddedCounter done = new PaddedCounter();

  NetSend(Net net, SendComm comm, int peer, Slots slots, @Nullable ConnectionEvents events) {
    this.events = events;
    this.net = net;
    this.comm = comm;
    this.peer = peer;
    this.slots = slots;
    this.memory = net.regMr(comm, Memory.ofHost(slots.memory()));
  }

  Net net() {
    return net;
  }

  SendComm comm() {
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
      events.announce(given.own(), event, mask, messages);
    }
  }

  @Override
  public boolean hasRoom() {
    return given.own() - done.get() < Slots.COUNT;
  }

  @Override
  public boolean seemsToHaveRoom() {
    return given.get() - done.get() < Slots.COUNT;
  }

  @Override
  public long sent() {
    return started.get();
  }

  @Override
  public MemorySegment memory() {
    return slots.memory();
  }

  @Override
  public long offset() {
    return slots.offset(given.own());
  }

  @Override
  public void send(int bytes) {
    give(memory, offset(), bytes);
  }

  @Override
  public boolean canForward(ReceiveConnector from) {
    if (!(from instanceof NetReceive)) {
      return false;
    }
    if (indexOf(from) < 0) {
      register(from);
    }
    return true;
  }

  @Override
  public long forward(ReceiveConnector from, int bytes) {
    give(sourceHandles[indexOf(from)], from.offset(), bytes);
    return given.own();
  }

  /** There are few sources, in a ring one, so they are searched. */
  private int indexOf(ReceiveConnector from) {
    for (int i = 0; i < sources.length; i++) {
      if (sources[i].equals(from)) {
        return i;
      }
    }
    return -1;
  }

  private void register(ReceiveConnector from) {
    MemoryHandle handle;
    try {
      handle = net.regMr(comm, Memory.ofHost(from.memory()));
    } catch (NetException e) {
      throw new NetException(
          e.result(),
          ErrorText.of(
              "what is received from rank %s could not be registered for sending to rank %s: %s",
              from.peer(), peer, e.getMessage()),
          e);
    }
    int n = sources.length;
    sourceHandles = Arrays.copyOf(sourceHandles, n + 1);
    sourceHandles[n] = handle;
    sources = Arrays.copyOf(sources, n + 1);
    sources[n] = from;
  }

  private void give(MemoryHandle handle, long dataOffset, int bytes) {
    int i = (int) given.own() & Slots.MASK;
    handles[i] = handle;
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
    long first = started.own();
    while (first < available) {
      int i = (int) first & Slots.MASK;
      long parent = events == null ? 0 : events.begins(first, lengths[i] - MessageHeader.BYTES);
      Request request = net.isend(comm, handles[i], offsets[i], lengths[i], 0, parent);
      if (request == null) {
        break;
      }
      if (events != null) {
        events.moves(first, lengths[i] - MessageHeader.BYTES);
      }
      requests[i] = request;
      first++;
      started.set(first);
      work++;
    }
    long next = done.own();
    while (next < first) {
      int i = (int) next & Slots.MASK;
      Request request = requests[i];
      if (request == null || !net.test(request, null)) {
        break;
      }
      requests[i] = null;
      if (events != null) {
        events.ends(next);
      }
      next++;
      done.set(next);
      work++;
    }
    return work;
  }

  @Override
  public boolean movesApart() {
    return true;
  }

  @Override
  public int oldestBytes() {
    long oldest = done.own();
    return oldest == given.get() ? 0 : lengths[(int) oldest & Slots.MASK];
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    Throwable failure = giveBack(memory, null);
    for (MemoryHandle handle : sourceHandles) {
      failure = giveBack(handle, failure);
    }
    try {
      if (events != null) {
        events.close();
      }
      net.closeSend(comm);
    } catch (RuntimeException | Error e) {
      failure = first(failure, e);
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw (RuntimeException) failure;
    }
  }

  /** Gives a registration back, so that the next ones are given back too; returns what failed. */
  private @Nullable Throwable giveBack(MemoryHandle handle, @Nullable Throwable before) {
    try {
      net.deregMr(comm, handle);
      return before;
    } catch (RuntimeException | Error e) { // of a native plugin, also what the linker throws
      return first(before, e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // an exception cannot suppress itself
  private static Throwable first(@Nullable Throwable before, Throwable next) {
    if (before == null) {
      return next;
    }
    if (before != next) {
      before.addSuppressed(next);
    }
    return before;
  }

  @Override
  public String toString() {
    return "to rank " + peer + ": " + given.get() + " sent, " + done.get() + " left";
  }
}
