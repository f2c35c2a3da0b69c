// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.collnet;

import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Does what a switch does except for reducing: takes a segment from every child and sends the first
 * child's to all, by one thread and the Net plugin. What is left to a switch is the arithmetic.
 */
final class RateHub {
  private final Plugins plugins = new Plugins();
  private final Net net = plugins.net();
  private final Arena arena = Arena.ofShared();
  private final int children;
  private final int segment;
  private final int window;
  private final RecvComm[] in;
  private final SendComm[] out;
  private final MemoryHandle[][] into;
  private final MemoryHandle[] from;
  private final @Nullable Request[][] receives;
  private final @Nullable Request[][] sends;
  private final long[] posted;
  private final long[] received;
  private final long[] sent;
  private final long[] acknowledged;
  private final long[] offsets = new long[1];
  private final long[] lengths = new long[1];
  private final int[] tags = new int[1];

  private RateHub(int children, int segment, int window) {
    this.children = children;
    this.segment = segment;
    this.window = window;
    this.in = new RecvComm[children];
    this.out = new SendComm[children];
    this.into = new MemoryHandle[children][1];
    this.from = new MemoryHandle[children];
    this.receives = new @Nullable Request[children][window];
    this.sends = new @Nullable Request[children][window];
    this.posted = new long[children];
    this.received = new long[children];
    this.sent = new long[children];
    this.acknowledged = new long[children];
  }

  /**
   * Runs until its standard input ends: says where it listens, once for each child, and reads where
   * the children do.
   *
   * @param arguments the number of children, bytes of a segment, segments of a child
   */
  public static void main(String[] arguments) throws IOException {
    RateHub hub =
        new RateHub(
            Integer.parseInt(arguments[0]),
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]));
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    hub.connect(reader);
    Thread.ofPlatform().name("hub").daemon().start(hub::run);
    reader.readLine(); // until the bench ends
    System.exit(0);
  }

  private void connect(BufferedReader reader) throws IOException {
    ListenComm[] listeners = new ListenComm[children];
    MemorySegment[] own = new MemorySegment[children];
    for (int i = 0; i < children; i++) {
      own[i] = arena.allocate(Net.HANDLE_MAXSIZE);
      listeners[i] = net.listen(plugins.netContext(), 0, own[i]);
    }
    System.out.println(Plugins.words(own));
    MemorySegment[] theirs = Plugins.handles(reader.readLine(), arena);
    @Nullable DeviceHandle[] noOffload = new @Nullable DeviceHandle[1];
    for (int i = 0; i < children; i++) {
      int child = i;
      out[i] =
          plugins.await(
              "a child's listener",
              () -> net.connect(plugins.netContext(), 0, theirs[child], noOffload));
      in[i] = plugins.await("a child", () -> net.accept(listeners[child], noOffload));
      net.closeListen(listeners[i]);
    }
    MemorySegment first = arena.allocate((long) window * segment, 4096);
    for (int i = 0; i < children; i++) {
      MemorySegment slots = i == 0 ? first : arena.allocate((long) window * segment, 4096);
      into[i][0] = net.regMr(in[i], Memory.ofHost(slots));
      from[i] = net.regMr(out[i], Memory.ofHost(first));
    }
  }

  private void run() {
    Idle idle = new Idle();
    long free = 0; // segments that all children have back
    while (true) {
      boolean moved = false;
      long complete = Long.MAX_VALUE;
      for (int child = 0; child < children; child++) {
        moved |= receive(child, free + window);
        complete = Math.min(complete, received[child]);
      }
      long back = Long.MAX_VALUE;
      for (int child = 0; child < children; child++) {
        moved |= send(child, complete);
        back = Math.min(back, acknowledged[child]);
      }
      free = back;
      idle.step(moved);
    }
  }

  private boolean receive(int child, long upTo) {
    long before = received[child] + posted[child];
    while (posted[child] < upTo) {
      int slot = (int) (posted[child] % window);
      offsets[0] = (long) slot * segment;
      lengths[0] = segment;
      Request request = net.irecv(in[child], 1, into[child], offsets, lengths, tags, null, 0);
      if (request == null) {
        break;
      }
      receives[child][slot] = request;
      posted[child]++;
    }
    while (received[child] < posted[child]
        && isDone(receives[child][(int) (received[child] % window)])) {
      received[child]++;
    }
    return received[child] + posted[child] != before;
  }

  private boolean send(int child, long upTo) {
    long before = sent[child] + acknowledged[child];
    while (sent[child] < upTo) {
      int slot = (int) (sent[child] % window);
      Request request = net.isend(out[child], from[child], (long) slot * segment, segment, 0, 0);
      if (request == null) {
        break;
      }
      sends[child][slot] = request;
      sent[child]++;
    }
    while (acknowledged[child] < sent[child]
        && isDone(sends[child][(int) (acknowledged[child] % window)])) {
      acknowledged[child]++;
    }
    return sent[child] + acknowledged[child] != before;
  }

  private boolean isDone(@Nullable Request request) {
    return request != null && net.test(request, null);
  }
}
