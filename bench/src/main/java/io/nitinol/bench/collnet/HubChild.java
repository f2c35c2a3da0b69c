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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A child of the hub: sends its segments and takes those that come back. */
final class HubChild implements RateChildren.Child {
  private final Net net;
  private final SendComm out;
  private final RecvComm in;
  private final MemorySegment result;
  private final MemoryHandle from;
  private final MemoryHandle[] into = new MemoryHandle[1];
  private final int segment;
  private final int window;
  private final int perOperation;
  private final @Nullable Request[] sends;
  private final @Nullable Request[] receives;
  private final long[] offsets = new long[1];
  private final long[] lengths = new long[1];
  private final int[] tags = new int[1];

  private HubChild(
      Net net, SendComm out, RecvComm in, int segment, int window, int bytes, Arena arena) {
    this.net = net;
    this.out = out;
    this.in = in;
    this.segment = segment;
    this.window = window;
    this.perOperation = bytes / segment;
    this.sends = new @Nullable Request[window];
    this.receives = new @Nullable Request[window];
    MemorySegment contribution = arena.allocate(bytes, 4096);
    this.result = arena.allocate(bytes, 4096);
    for (long at = 0; at < bytes; at += segment) {
      contribution.set(ValueLayout.JAVA_LONG, at, at + 1);
    }
    this.from = net.regMr(out, Memory.ofHost(contribution));
    this.into[0] = net.regMr(in, Memory.ofHost(result));
  }

  static List<HubChild> connect(
      int count, int segment, int window, int bytes, BufferedReader reader, Arena arena)
      throws IOException {
    Plugins plugins = new Plugins();
    Net net = plugins.net();
    ListenComm[] listeners = new ListenComm[count];
    MemorySegment[] own = new MemorySegment[count];
    for (int i = 0; i < count; i++) {
      own[i] = arena.allocate(Net.HANDLE_MAXSIZE);
      listeners[i] = net.listen(plugins.netContext(), 0, own[i]);
    }
    System.out.println(Plugins.words(own));
    MemorySegment[] theirs = Plugins.handles(reader.readLine(), arena);
    @Nullable DeviceHandle[] noOffload = new @Nullable DeviceHandle[1];
    List<HubChild> children = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int child = i;
      RecvComm in = plugins.await("the hub", () -> net.accept(listeners[child], noOffload));
      SendComm out =
          plugins.await(
              "the hub's listener",
              () -> net.connect(plugins.netContext(), 0, theirs[child], noOffload));
      net.closeListen(listeners[i]);
      children.add(new HubChild(net, out, in, segment, window, bytes, arena));
    }
    return children;
  }

  @Override
  public void run(int times) {
    long all = (long) times * perOperation;
    long posted = 0;
    long received = 0;
    long sent = 0;
    long done = 0;
    Idle idle = new Idle();
    while (received < all || done < all) {
      long before = posted + received + sent + done;
      while (posted < all && posted - received < window) {
        offsets[0] = posted % perOperation * segment;
        lengths[0] = segment;
        Request request = net.irecv(in, 1, into, offsets, lengths, tags, null, 0);
        if (request == null) {
          break;
        }
        receives[(int) (posted++ % window)] = request;
      }
      while (sent < all && sent - done < window) {
        Request request = net.isend(out, from, sent % perOperation * segment, segment, 0, 0);
        if (request == null) {
          break;
        }
        sends[(int) (sent++ % window)] = request;
      }
      while (received < posted && isDone(receives[(int) (received % window)])) {
        received++;
      }
      while (done < sent && isDone(sends[(int) (done % window)])) {
        done++;
      }
      idle.step(posted + received + sent + done != before);
    }
  }

  private boolean isDone(@Nullable Request request) {
    return request != null && net.test(request, null);
  }

  @Override
  public void check() {
    for (long at = 0; at < result.byteSize(); at += segment) {
      long got = result.get(ValueLayout.JAVA_LONG, at);
      if (got != at + 1) {
        throw new IllegalStateException(
            "the hub sent back " + got + " at byte " + at + ", expected " + (at + 1));
      }
    }
  }
}
