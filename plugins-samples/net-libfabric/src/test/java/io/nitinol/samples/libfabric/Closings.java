// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

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
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Connects and closes again and again while all receives are posted and half of a long message has
 * arrived. It runs in a process of its own, since a library that fails at that ends the process.
 */
final class Closings {
  /** Longer than what two sockets hold, so that a part of it always is still to come. */
  private static final int LENGTH = 32 << 20;

  private static final int PIECES = 8;

  private Closings() {}

  /** Prints how many rounds ended, and in how many a part of the message had arrived. */
  static void run(Net net, NetContext context, int rounds) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment from = arena.allocate(LENGTH);
      from.fill((byte) 1);
      MemorySegment into = arena.allocate(LENGTH);
      int halves = 0;
      for (int round = 0; round < rounds; round++) {
        into.fill((byte) 0);
        halves += close(net, context, from, into, round % 2 == 0) ? 1 : 0;
      }
      System.out.println("closed " + rounds + " times, within a message " + halves + " times");
    }
  }

  /** Returns whether a part of the message had arrived, and another part had not. */
  private static boolean close(
      Net net, NetContext context, MemorySegment from, MemorySegment into, boolean receiverFirst) {
    MemorySegment handle = Arena.ofAuto().allocate(Net.HANDLE_MAXSIZE, Long.BYTES);
    ListenComm listener = net.listen(context, 0, handle);
    SendComm[] send = new SendComm[1];
    RecvComm[] recv = new RecvComm[1];
    OneMessage.await(() -> {
      send[0] = send[0] == null ? net.connect(context, 0, handle, new DeviceHandle[1]) : send[0];
      recv[0] = recv[0] == null ? net.accept(listener, new DeviceHandle[1]) : recv[0];
      return send[0] != null && recv[0] != null;
    });
    net.closeListen(listener);
    MemoryHandle sent = net.regMr(send[0], Memory.ofHost(from));
    MemoryHandle[] received = new MemoryHandle[PIECES];
    Arrays.fill(received, net.regMr(recv[0], Memory.ofHost(into)));
    long[] lengths = new long[PIECES];
    lengths[0] = LENGTH;
    int[] tags = {0, 1, 2, 3, 4, 5, 6, 7};
    Request first = net.irecv(recv[0], PIECES, received, new long[PIECES], lengths, tags, null, 0);
    for (int i = 1; i < Net.MAX_REQUESTS; i++) {
      net.irecv(recv[0], PIECES, received, new long[PIECES], lengths, tags, null, 0);
    }
    Request[] sending = new Request[1];
    OneMessage.await(() -> {
      net.test(first, null);
      sending[0] = sending[0] == null ? net.isend(send[0], sent, 0, LENGTH, 0, 0) : sending[0];
      if (sending[0] != null) {
        net.test(sending[0], null);
      }
      return into.get(ValueLayout.JAVA_BYTE, 0) != 0;
    });
    boolean half = into.get(ValueLayout.JAVA_BYTE, LENGTH - 1) == 0;
    if (receiverFirst) {
      net.closeRecv(recv[0]);
      net.closeSend(send[0]);
    } else {
      net.closeSend(send[0]);
      net.closeRecv(recv[0]);
    }
    return half;
  }
}
