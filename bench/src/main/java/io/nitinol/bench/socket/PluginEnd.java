// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import io.nitinol.bench.WarningsOnStderr;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The plugin as core uses it: several messages in flight, tested in turn, the oldest first. */
final class PluginEnd implements End {
  private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Manner manner;

  private final Net net;
  private final NetContext context;
  private final @Nullable DeviceHandle[] noOffload = new @Nullable DeviceHandle[1];
  private final Arena arena = Arena.ofShared();
  private final boolean near;
  private final int slot;
  private final MemorySegment slots;

  /** What a ping is sent from, and behind it what it is received into. */
  private final MemorySegment small;

  private final ListenComm[] listeners;
  private final String handles;

  // Of the streams: a near end receives, a far end sends; each memory alone, as irecv takes it.
  private final SendComm[] sends;
  private final RecvComm[] receives;
  private final MemoryHandle[][] memory;
  // Of 8 bytes: on the way back, and on the first connection of the streams.
  private final SendComm[] sendBack;
  private final RecvComm[] receiveBack;
  private final MemoryHandle[] smallBack = new MemoryHandle[1];
  private final MemoryHandle[] smallThere = new MemoryHandle[1];

  private final @Nullable Request[] requests;
  private final long[] offsets = new long[1];
  private final long[] lengths = new long[1];
  private final int[] tags = new int[1];

  PluginEnd(Net net, boolean near, int connections, int largest, Manner manner) {
    this.net = net;
    this.context = net.init(0, NetCommConfig.DEFAULT, new WarningsOnStderr(), null);
    this.near = near;
    this.slot = largest;
    this.manner = manner;
    if (net.devices() < 1) {
      throw new IllegalStateException(
          "the " + net.name() + " plugin has no devices: NCCL_SOCKET_IFNAME or NCCL_IB_HCA?");
    }
    small = arena.allocate((long) manner.pingBytes() + manner.room(), 4096);
    Content.fill(small.asSlice(0, manner.pingBytes()));
    requests = new @Nullable Request[manner.slots()];
    slots = arena.allocate((long) manner.slots() * largest, 4096);
    if (!near) {
      Content.fill(slots);
    }
    sends = new SendComm[near ? 0 : connections];
    receives = new RecvComm[near ? connections : 0];
    memory = new MemoryHandle[connections][1];
    sendBack = new SendComm[near ? 1 : 0];
    receiveBack = new RecvComm[near ? 0 : 1];
    listeners = new ListenComm[near ? connections : 1];
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < listeners.length; i++) {
      MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE);
      listeners[i] = net.listen(context, 0, handle);
      words.append(i > 0 ? "," : "");
      words.append(HexFormat.of().formatHex(handle.toArray(ValueLayout.JAVA_BYTE)));
    }
    handles = words.toString();
  }

  /** Returns the plugin of this program that {@code NCCL_NET} names, Socket without it. */
  static Net plugin() {
    String wanted = System.getenv().getOrDefault("NCCL_NET", "Socket");
    return ServiceLoader.load(Net.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.name().equals(wanted))
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("no plugin named " + wanted + " is installed"));
  }

  @Override
  public String handles() {
    return handles;
  }

  @Override
  public void connect(String words) {
    String[] theirs = words.split(",", -1);
    MemorySegment[] there = new MemorySegment[theirs.length];
    for (int i = 0; i < theirs.length; i++) {
      there[i] = arena.allocate(Net.HANDLE_MAXSIZE);
      there[i].copyFrom(MemorySegment.ofArray(HexFormat.of().parseHex(theirs[i])));
    }
    // One side connects while the other accepts: calls of a plugin of version 4 wait.
    long deadline = System.nanoTime() + CONNECT_NANOS;
    for (boolean connecting : new boolean[] {near, !near}) {
      if (connecting) {
        connect(near ? sendBack : sends, there, deadline);
      } else {
        accept(near ? receives : receiveBack, deadline);
      }
    }
    for (ListenComm listener : listeners) {
      net.closeListen(listener);
    }
    Comm[] streams = near ? receives : sends;
    for (int i = 0; i < streams.length; i++) {
      memory[i][0] = net.regMr(streams[i], Memory.ofHost(slots));
    }
    smallThere[0] = net.regMr(streams[0], Memory.ofHost(small));
    smallBack[0] = net.regMr(near ? sendBack[0] : receiveBack[0], Memory.ofHost(small));
  }

  private void connect(@Nullable SendComm[] out, MemorySegment[] there, long deadline) {
    for (int i = 0; i < out.length; i++) {
      while (out[i] == null) {
        out[i] = net.connect(context, 0, there[i], noOffload);
        checkTime(deadline);
      }
    }
  }

  private void accept(@Nullable RecvComm[] in, long deadline) {
    for (int i = 0; i < in.length; i++) {
      while (in[i] == null) {
        in[i] = net.accept(listeners[i], noOffload);
        checkTime(deadline);
      }
    }
  }

  private static void checkTime(long deadline) {
    if (System.nanoTime() - deadline > 0) {
      throw new IllegalStateException("not connected after 30 s");
    }
  }

  @Override
  public void send(int size, long count) {
    stream(true, size, count);
  }

  @Override
  public void receive(int size, long count) {
    stream(false, size, count);
  }

  private void stream(boolean sending, int size, long count) {
    int connections = memory.length;
    int depth = requests.length;
    long posted = 0;
    for (long done = 0; done < count; ) {
      while (posted < count && posted - done < depth) {
        int at = (int) (posted % depth);
        Request request = post(sending, (int) (posted % connections), (long) at * slot, size);
        if (request == null) {
          break;
        }
        requests[at] = request;
        posted++;
      }
      // On one connection the others come after the oldest.
      long last = connections == 1 ? Math.min(posted, done + 1) : posted;
      for (long i = done; i < last; i++) {
        int at = (int) (i % depth);
        Request request = requests[at];
        if (request != null && net.test(request, null)) {
          requests[at] = null;
        }
      }
      long before = done;
      while (done < posted && requests[(int) (done % depth)] == null) {
        done++;
      }
      if (done == before && manner.yields()) {
        Thread.yield();
      }
    }
  }

  private @Nullable Request post(boolean sending, int connection, long offset, int size) {
    return sending
        ? net.isend(sends[connection], memory[connection][0], offset, size, 0, 0)
        : irecv(receives[connection], memory[connection], offset, size);
  }

  private @Nullable Request irecv(RecvComm comm, MemoryHandle[] handle, long offset, long size) {
    offsets[0] = offset;
    lengths[0] = size;
    return net.irecv(comm, 1, handle, offsets, lengths, tags, null, 0);
  }

  @Override
  public void call() {
    await(isend(sendBack[0], smallBack[0]));
  }

  @Override
  public void awaitCall() {
    await(receive(receiveBack[0], smallBack));
  }

  @Override
  public void ping(long rounds) {
    rounds(receives[0], smallThere, sendBack[0], smallBack[0], rounds);
  }

  @Override
  public void pong(long rounds) {
    rounds(receiveBack[0], smallBack, sends[0], smallThere[0], rounds);
  }

  private void rounds(
      RecvComm in, MemoryHandle[] into, SendComm out, MemoryHandle from, long rounds) {
    int ahead = manner.ahead();
    @Nullable Request[] receiving = new @Nullable Request[ahead];
    long posted = 0;
    @Nullable Request sending = null;
    for (long i = 0; i < rounds; i++) {
      while (posted <= i) {
        posted = postAhead(in, into, receiving, posted, i + 1);
      }
      Request receive = receiving[(int) (i % ahead)];
      if (!near) {
        sending = awaitAnswer(receive, sending);
      }
      if (sending != null) {
        await(sending);
      }
      sending = isend(out, from);
      // While the answer is on its way.
      posted = postAhead(in, into, receiving, posted, Math.min(rounds, i + ahead));
      if (ahead == 1) {
        await(sending);
        sending = null;
      }
      if (near) {
        sending = awaitAnswer(receive, sending);
      }
    }
    if (sending != null) {
      await(sending);
    }
    int bytes = manner.pingBytes();
    if (small.asSlice(bytes, bytes).mismatch(small.asSlice(0, bytes)) >= 0) {
      throw new IllegalStateException("another message of " + bytes + " bytes than was sent");
    }
  }

  /** Posts receives as long as there is room, and returns how many there have been. */
  private long postAhead(
      RecvComm in, MemoryHandle[] into, @Nullable Request[] receiving, long posted, long upTo) {
    long count = posted;
    while (count < upTo) {
      Request next = receive(in, into);
      if (next == null) {
        break;
      }
      receiving[(int) (count++ % receiving.length)] = next;
    }
    return count;
  }

  private @Nullable Request receive(RecvComm comm, MemoryHandle[] into) {
    return irecv(comm, into, manner.pingBytes(), manner.room());
  }

  /** Sends a ping, for which a plugin may wait until the receiver has posted a receive. */
  private Request isend(SendComm comm, MemoryHandle handle) {
    long deadline = System.nanoTime() + CONNECT_NANOS;
    Request request = net.isend(comm, handle, 0, manner.pingBytes(), 0, 0);
    while (request == null) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("no room for a ping in 30 s");
      }
      request = net.isend(comm, handle, 0, manner.pingBytes(), 0, 0);
    }
    return request;
  }

  private void await(@Nullable Request request) {
    awaitAnswer(request, null);
  }

  /**
   * Awaits a receive. Meanwhile it tests the send before it, since a plugin may need these calls to
   * send the rest. Returns that send where it is not done yet.
   */
  private @Nullable Request awaitAnswer(@Nullable Request receive, @Nullable Request sending) {
    if (receive == null) {
      throw new IllegalStateException("no room for the receive of a ping");
    }
    Request rest = sending;
    while (!net.test(receive, null)) { // which is what moves the data
      if (rest != null && net.test(rest, null)) {
        rest = null;
      }
      if (manner.yields()) {
        Thread.yield();
      }
    }
    return rest;
  }

  @Override
  public void clear(int size) {
    Content.clear(slots, slot, size);
  }

  @Override
  public String check(int size, int count) {
    return Content.check(slots, slot, size, count);
  }

  @Override
  public void close() {
    // Those that are there: connecting may have failed.
    for (SendComm[] some : List.of(sends, sendBack)) {
      Arrays.stream(some).filter(Objects::nonNull).forEach(net::closeSend);
    }
    for (RecvComm[] some : List.of(receives, receiveBack)) {
      Arrays.stream(some).filter(Objects::nonNull).forEach(net::closeRecv);
    }
    arena.close();
  }
}
