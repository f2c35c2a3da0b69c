// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
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
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A process that sends a few messages to itself, or is one of two sides, and prints how that went.
 */
final class OneMessage {
  private static final long BOUND = TimeUnit.SECONDS.toNanos(60);
  private static final int PIECES = 3;
  private static final int BYTES = 64;
  private static final int LONG = 8 << 20;

  private OneMessage() {}

  /**
   * Prints the lines of the log, and then {@code arrived} or a result code and its text.
   *
   * @param arguments the provider; {@code alone}, {@code listen}, {@code connect} and the handle
   *     that the listening process has printed, or {@code close} and how often
   */
  public static void main(String[] arguments) {
    OfiNet net =
        new OfiNet(
            Settings.of(Map.of("NITINOL_OFI_PROVIDER", arguments[0], "NITINOL_OFI_REGISTER", "1")));
    NetContext context = net.init(1, NetCommConfig.DEFAULT, new Printed(), null);
    if (net.devices() == 0) {
      return;
    }
    try {
      switch (arguments[1]) {
        case "listen" -> listen(net, context);
        case "close" -> Closings.run(net, context, Integer.parseInt(arguments[2]));
        case "connect" -> connect(net, context, HexFormat.of().parseHex(arguments[2]));
        default -> alone(net, context);
      }
      System.out.println("arrived");
    } catch (NetException e) {
      System.out.println(e.result() + " " + e.getMessage());
    }
  }

  /** Receives long messages from another process, for ever; leaves open what is open. */
  private static void listen(Net net, NetContext context) {
    MemorySegment handle = Arena.global().allocate(Net.HANDLE_MAXSIZE, Long.BYTES);
    ListenComm listener = net.listen(context, 0, handle);
    System.out.println("handle " + HexFormat.of().formatHex(handle.toArray(ValueLayout.JAVA_BYTE)));
    RecvComm[] recv = new RecvComm[1];
    await(() -> (recv[0] = net.accept(listener, new DeviceHandle[1])) != null);
    MemoryHandle into = net.regMr(recv[0], room((long) PIECES * LONG));
    for (long receives = 0; ; receives++) {
      Request[] request = new Request[1];
      await(() -> (request[0] = receive(net, recv[0], into, LONG)) != null);
      await(() -> net.test(request[0], null));
      if (receives == 1) {
        System.out.println("receiving");
      }
    }
  }

  /** Sends long messages to another process until it is killed. */
  private static void connect(Net net, NetContext context, byte[] peer) {
    MemorySegment handle = Arena.global().allocate(Net.HANDLE_MAXSIZE, Long.BYTES);
    handle.copyFrom(MemorySegment.ofArray(peer));
    SendComm[] send = new SendComm[1];
    await(() -> (send[0] = net.connect(context, 0, handle, new DeviceHandle[1])) != null);
    MemoryHandle from = net.regMr(send[0], room(LONG));
    long start = System.nanoTime();
    for (int i = 0; System.nanoTime() - start < BOUND; i++) {
      int tag = i % PIECES;
      Request[] request = new Request[1];
      await(() -> (request[0] = net.isend(send[0], from, 0, LONG, tag, 0)) != null);
      await(() -> net.test(request[0], null));
    }
    throw new IllegalStateException("nobody killed this process");
  }

  private static Memory room(long bytes) {
    return Memory.ofHost(Arena.global().allocate(bytes));
  }

  private static void alone(Net net, NetContext context) {
    MemorySegment handle = Arena.global().allocate(Net.HANDLE_MAXSIZE, Long.BYTES);
    ListenComm listener = net.listen(context, 0, handle);
    SendComm[] send = new SendComm[1];
    RecvComm[] recv = new RecvComm[1];
    await(() -> {
      send[0] = send[0] == null ? net.connect(context, 0, handle, new DeviceHandle[1]) : send[0];
      recv[0] = recv[0] == null ? net.accept(listener, new DeviceHandle[1]) : recv[0];
      return send[0] != null && recv[0] != null;
    });
    System.out.println("connected");
    MemorySegment message = Arena.global().allocate((long) PIECES * BYTES);
    for (long i = 0; i < message.byteSize(); i++) {
      message.set(ValueLayout.JAVA_BYTE, i, (byte) (i + 1));
    }
    MemoryHandle from = net.regMr(send[0], Memory.ofHost(message));
    MemorySegment room = Arena.global().allocate((long) PIECES * BYTES);
    MemoryHandle into = net.regMr(recv[0], Memory.ofHost(room));
    Request[] requests = new Request[1 + PIECES];
    await(() -> {
      requests[0] = requests[0] == null ? receive(net, recv[0], into, BYTES) : requests[0];
      for (int i = 0; requests[0] != null && i < PIECES; i++) {
        if (requests[1 + i] == null) {
          net.test(requests[0], null);
          requests[1 + i] = net.isend(send[0], from, (long) i * BYTES, BYTES, i, 0);
        }
      }
      return Arrays.stream(requests).noneMatch(Objects::isNull);
    });
    for (Request request : requests) {
      await(() -> net.test(request, null));
    }
    if (room.mismatch(message) != -1) {
      throw new IllegalStateException("other bytes arrived: " + room.mismatch(message));
    }
  }

  private static @Nullable Request receive(Net net, RecvComm recv, MemoryHandle into, int length) {
    MemoryHandle[] memories = new MemoryHandle[PIECES];
    long[] offsets = new long[PIECES];
    long[] lengths = new long[PIECES];
    int[] tags = new int[PIECES];
    for (int i = 0; i < PIECES; i++) {
      memories[i] = into;
      offsets[i] = (long) i * length;
      lengths[i] = length;
      tags[i] = i;
    }
    return net.irecv(recv, PIECES, memories, offsets, lengths, tags, null, 0);
  }

  static void await(BooleanSupplier thing) {
    long start = System.nanoTime();
    while (!thing.getAsBoolean()) {
      if (System.nanoTime() - start > BOUND) {
        throw new IllegalStateException("waited in vain");
      }
      Thread.onSpinWait();
    }
  }

  /** Prints the lines. */
  private static final class Printed implements DebugLogger {
    @Override
    public boolean isEnabled(LogLevel level, long subsystems) {
      return true;
    }

    @Override
    public void log(LogLevel level, long subsystems, String location, int line, String message) {
      System.out.println(message);
    }
  }
}
