// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.RecordingLog;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A plugin on the loopback interface, and one connection of it where a test wants one. */
final class Loopback implements AutoCloseable {
  final RecordingLog log = new RecordingLog();
  final OneCommunicator net;
  final Arena arena = Arena.ofShared();
  @Nullable ListenComm listener;
  @Nullable SendComm send;
  @Nullable RecvComm recv;
  MemorySegment handle = MemorySegment.NULL;

  Loopback(String... nameValues) {
    Map<String, String> values = new HashMap<>();
    values.put("NCCL_SOCKET_IFNAME", "=lo");
    values.put("NCCL_SOCKET_FAMILY", "AF_INET");
    values.put("NCCL_SOCKET_NTHREADS", "0"); // by itself it depends on the machine
    for (int i = 0; i < nameValues.length; i += 2) {
      values.put(nameValues[i], nameValues[i + 1]);
    }
    net = new OneCommunicator(new SocketNet(Settings.of(values)), log);
  }

  Loopback listening() {
    handle = handle();
    listener = net.listen(0, handle);
    return this;
  }

  Loopback connected() {
    listening();
    connect();
    return this;
  }

  void connect() {
    Await.until(
        "connection over loopback",
        () -> {
          if (send == null) {
            send = net.connect(0, handle);
          }
          if (recv == null) {
            recv = net.accept(listener);
          }
          return send != null && recv != null;
        });
  }

  MemorySegment handle() {
    return arena.allocate(Net.HANDLE_MAXSIZE);
  }

  MemoryHandle register(Comm comm, MemorySegment memory) {
    return net.regMr(comm, Memory.ofHost(memory));
  }

  MemorySegment random(long size, long seed) {
    return fill(arena.allocate(size), seed);
  }

  static MemorySegment fill(MemorySegment memory, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long i = 0;
    for (; i + 8 <= memory.byteSize(); i += 8) {
      memory.set(ValueLayout.JAVA_LONG_UNALIGNED, i, random.nextLong());
    }
    for (; i < memory.byteSize(); i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
    }
    return memory;
  }

  @Nullable Request irecv(MemoryHandle mr, long offset, long length) {
    return net.irecv(
        recv, 1, new MemoryHandle[] {mr}, new long[] {offset}, new long[] {length}, new int[] {0});
  }

  /** Drives both requests to their end; returns the size that the receive reports. */
  int complete(Request sending, Request receiving) {
    int[] sent = new int[1];
    int[] received = new int[1];
    boolean[] done = new boolean[2];
    Await.until(
        "one message",
        () -> {
          done[0] = done[0] || net.test(sending, sent);
          done[1] = done[1] || net.test(receiving, received);
          return done[0] && done[1];
        });
    return received[0];
  }

  @Override
  public void close() {
    if (send != null) {
      net.closeSend(send);
    }
    if (recv != null) {
      net.closeRecv(recv);
    }
    if (listener != null) {
      net.closeListen(listener);
    }
    arena.close();
  }
}
