// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Uses a network as every application does: reads the devices, connects, registers, sends messages
 * of several lengths, some of them at once, and closes. It breaks no rule.
 */
final class PlainTransfer {
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(1);
  private static final int BYTES = 8 << 20;
  private static final int PLACES = 8;
  private static final int ROOM = BYTES / PLACES;
  private static final int SMALL = 512;
  private static final long[] LENGTHS = {4096, 1, 0, 7, 1000, ROOM};

  private record Pending(Request request, int @Nullable [] sizes) {}

  private final Net net;
  private final NetContext context;
  private final Arena arena;

  private PlainTransfer(Net net, NetContext context, Arena arena) {
    this.net = net;
    this.context = context;
    this.arena = arena;
  }

  /**
   * Runs on a network and the context that {@code init} returned; throws what the network throws.
   */
  static void run(Net net, NetContext context) {
    try (Arena arena = Arena.ofShared()) {
      new PlainTransfer(net, context, arena).run();
    }
  }

  private void run() {
    int devices = net.devices();
    for (int device = 0; device < devices; device++) {
      net.getProperties(device);
    }
    if (devices == 0 || net.devices() < 1) {
      return;
    }
    int pieces = Math.min(4, net.getProperties(0).maxRecvs());
    MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE, 8);
    ListenComm listener = net.listen(context, 0, handle);
    MemorySegment copy = arena.allocate(Net.HANDLE_MAXSIZE, 8).copyFrom(handle);
    SendComm[] send = new SendComm[1];
    RecvComm[] receive = new RecvComm[1];
    until(() -> {
      send[0] = send[0] == null ? net.connect(context, 0, copy, new DeviceHandle[1]) : send[0];
      receive[0] = receive[0] == null ? net.accept(listener, new DeviceHandle[1]) : receive[0];
      return send[0] == null ? null : receive[0];
    });
    MemorySegment source = arena.allocate(BYTES, 4096).fill((byte) 1);
    MemorySegment target = arena.allocate(BYTES, 4096).fill((byte) 2);
    MemoryHandle from = net.regMr(send[0], Memory.ofHost(source));
    MemoryHandle to = net.regMr(receive[0], Memory.ofHost(target));
    MemoryHandle again = net.regMr(receive[0], Memory.ofHost(target));
    for (long length : LENGTHS) {
      pass(send[0], receive[0], from, to, 1, length);
    }
    pass(send[0], receive[0], from, to, pieces, 100);
    severalAtOnce(send[0], receive[0], from, to);
    net.deregMr(send[0], from);
    net.deregMr(receive[0], again);
    net.deregMr(receive[0], to);
    net.closeSend(send[0]);
    net.closeRecv(receive[0]);
    net.closeListen(listener);
  }

  /** One receive of some pieces, which asks before anything is sent, and its messages. */
  private void pass(
      SendComm send,
      RecvComm receive,
      MemoryHandle from,
      MemoryHandle to,
      int pieces,
      long length) {
    Request receiving = until(() -> receive(receive, to, pieces, length <= SMALL ? SMALL : ROOM));
    int[] sizes = new int[pieces + 1];
    if (net.test(receiving, sizes)) {
      return; // of messages that nobody has sent
    }
    List<Pending> all = new ArrayList<>(List.of(new Pending(receiving, sizes)));
    for (int i = 0; i < pieces; i++) {
      int tag = i;
      Request sending = until(() -> net.isend(send, from, 0, length, tag, 0));
      all.add(new Pending(sending, new int[2]));
    }
    finish(all);
    MemoryHandle[] mrs = {to};
    Request flushing = net.iflush(receive, 1, mrs, new long[1], new long[] {sizes[0]});
    if (flushing != null) {
      finish(List.of(new Pending(flushing, null)));
    }
  }

  private void severalAtOnce(SendComm send, RecvComm receive, MemoryHandle from, MemoryHandle to) {
    List<Pending> all = new ArrayList<>();
    for (int i = 0; i < PLACES; i++) {
      long place = (long) i * ROOM;
      Request receiving =
          until(() ->
              net.irecv(
                  receive,
                  1,
                  new MemoryHandle[] {to},
                  new long[] {place},
                  new long[] {ROOM},
                  new int[1],
                  null,
                  0));
      all.add(new Pending(receiving, null));
      all.add(new Pending(until(() -> net.isend(send, from, place, 333, 0, 0)), null));
    }
    finish(all.reversed());
  }

  private @Nullable Request receive(RecvComm receive, MemoryHandle to, int pieces, long room) {
    MemoryHandle[] mrs = new MemoryHandle[pieces];
    long[] offsets = new long[pieces];
    long[] lengths = new long[pieces];
    int[] tags = new int[pieces];
    for (int i = 0; i < pieces; i++) {
      mrs[i] = to;
      offsets[i] = (long) i * ROOM;
      lengths[i] = room;
      tags[i] = i;
    }
    return net.irecv(receive, pieces, mrs, offsets, lengths, tags, null, 0);
  }

  /** Tests both ends in turn, since neither needs to move without the other. */
  private void finish(List<Pending> all) {
    List<Pending> left = new ArrayList<>(all);
    until(() -> {
      left.removeIf(each -> net.test(each.request(), each.sizes()));
      return left.isEmpty() ? left : null;
    });
  }

  private static <T> T until(Supplier<@Nullable T> call) {
    long end = System.nanoTime() + LIMIT;
    while (true) {
      T answer = call.get();
      if (answer != null) {
        return answer;
      }
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("nothing happens any more");
      }
      LockSupport.parkNanos(1_000);
    }
  }
}
