// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import io.nitinol.net.ib.data.IbRequest;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A plugin on real devices, and one connection of it. */
final class Cable implements AutoCloseable {
  private static final int LIMIT_SECONDS = 240;

  /** Sends. */
  final OneCommunicator net;

  /** Receives; the same unless a test wants two. */
  final OneCommunicator far;

  final Arena arena = Arena.ofShared();
  final ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();
  ListenComm listener;
  SendComm send;
  RecvComm recv;

  Cable(String... nameValues) {
    net = plugin(nameValues);
    far = net;
  }

  /** Two plugins of different settings. */
  Cable(String[] sending, String[] receiving) {
    net = plugin(sending);
    far = plugin(receiving);
  }

  private Cable(Cable of) {
    net = of.net;
    far = of.far;
  }

  /** Returns another connection of the same plugins. */
  Cable another() {
    return new Cable(this);
  }

  private OneCommunicator plugin(String... nameValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < nameValues.length; i += 2) {
      values.put(nameValues[i], nameValues[i + 1]);
    }
    return new OneCommunicator(
        new IbNet(Settings.of(values)),
        new DebugLogger() {
          @Override
          public void log(
              LogLevel level, long subsystems, String location, int line, String message) {
            log.add(level + " " + message);
          }

          @Override
          public boolean isEnabled(LogLevel level, long subsystems) {
            return true;
          }
        });
  }

  /** Says whether there are devices to test with. */
  static boolean hasDevices() {
    try (Cable cable = new Cable()) {
      return cable.net.devices() >= 2;
    }
  }

  Cable connect(int from, int to) {
    MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE, 8);
    listener = far.listen(to, handle);
    return join(from, handle);
  }

  /** Connects to a handle, and takes who connects to the listener. */
  Cable join(int from, MemorySegment handle) {
    until(
        "connection",
        () -> {
          if (send == null) {
            send = net.connect(from, handle);
          }
          if (recv == null) {
            recv = far.accept(listener);
          }
          return send != null && recv != null;
        });
    return this;
  }

  MemorySegment memory(long size) {
    return arena.allocate(size, 64);
  }

  MemorySegment random(long size, long seed) {
    MemorySegment memory = memory(size);
    SplittableRandom random = new SplittableRandom(seed);
    for (long i = 0; i + 8 <= size; i += 8) {
      memory.set(ValueLayout.JAVA_LONG, i, random.nextLong());
    }
    for (long i = size & -8; i < size; i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
    }
    return memory;
  }

  MemoryHandle register(Comm comm, MemorySegment memory) {
    return (comm instanceof RecvComm ? far : net).regMr(comm, Memory.ofHost(memory));
  }

  Request isend(MemoryHandle mr, long offset, long length, int tag) {
    return nonNull("room to send", () -> net.isend(send, mr, offset, length, tag));
  }

  Request irecv(MemoryHandle mr, long offset, long length, int tag) {
    return irecv(
        new MemoryHandle[] {mr}, new long[] {offset}, new long[] {length}, new int[] {tag});
  }

  Request irecv(MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    return nonNull(
        "room to receive", () -> far.irecv(recv, mrs.length, mrs, offsets, lengths, tags));
  }

  void finish(List<Request> requests, int[] sizes) {
    for (Request request : requests) {
      until("completion", () -> test(request, sizes));
    }
  }

  boolean test(Request request, int[] sizes) {
    boolean sending = ((IbRequest) request).owner() instanceof SendComm;
    return (sending ? net : far).test(request, sizes);
  }

  NetException failure(Request request) {
    return failure(() -> test(request, null));
  }

  static NetException failure(BooleanSupplier call) {
    return nonNull(
        "failure",
        () -> {
          try {
            if (call.getAsBoolean()) {
              throw new AssertionError("completed where a failure was expected");
            }
            return null;
          } catch (NetException e) {
            return e;
          }
        });
  }

  static <T> T nonNull(String what, Supplier<T> call) {
    long start = System.nanoTime();
    while (true) {
      T value = call.get();
      if (value != null) {
        return value;
      }
      check(start, what, LIMIT_SECONDS);
    }
  }

  static void until(String what, BooleanSupplier condition) {
    until(what, LIMIT_SECONDS, condition);
  }

  static void until(String what, int seconds, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      check(start, what, seconds);
    }
  }

  private static void check(long start, String what, int seconds) {
    if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(seconds)) {
      throw new AssertionError("not within " + seconds + " s: " + what);
    }
    Thread.yield();
  }

  void closeSend() {
    SendComm open = send;
    send = null;
    net.closeSend(open);
  }

  void closeRecv() {
    RecvComm open = recv;
    recv = null;
    far.closeRecv(open);
  }

  @Override
  public void close() {
    if (send != null) {
      closeSend();
    }
    if (recv != null) {
      closeRecv();
    }
    if (listener != null) {
      far.closeListen(listener);
    }
    arena.close();
  }
}
