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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A process that sends one message to itself, and prints how that went. */
final class OneMessage {
  private static final long BOUND = TimeUnit.SECONDS.toNanos(60);

  private OneMessage() {}

  /** Prints the lines of the log, and then {@code arrived} or a result code and its text. */
  public static void main(String[] arguments) {
    OfiNet net =
        new OfiNet(
            Settings.of(Map.of("NITINOL_OFI_PROVIDER", arguments[0], "NITINOL_OFI_REGISTER", "1")));
    NetContext context = net.init(1, NetCommConfig.DEFAULT, new Printed(), null);
    if (net.devices() == 0) {
      return;
    }
    try {
      send(net, context);
      System.out.println("arrived");
    } catch (NetException e) {
      System.out.println(e.result() + " " + e.getMessage());
    }
  }

  /** Leaves open what is open: the process ends behind it. */
  private static void send(Net net, NetContext context) {
    Arena arena = Arena.global();
    MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE, Long.BYTES);
    ListenComm listener = net.listen(context, 0, handle);
    SendComm[] send = new SendComm[1];
    RecvComm[] recv = new RecvComm[1];
    await(() -> {
      send[0] = send[0] == null ? net.connect(context, 0, handle, new DeviceHandle[1]) : send[0];
      recv[0] = recv[0] == null ? net.accept(listener, new DeviceHandle[1]) : recv[0];
      return send[0] != null && recv[0] != null;
    });
    System.out.println("connected");
    MemoryHandle from = net.regMr(send[0], Memory.ofHost(arena.allocate(64)));
    MemoryHandle into = net.regMr(recv[0], Memory.ofHost(arena.allocate(64)));
    Request[] requests = new Request[2];
    await(() -> {
      if (requests[0] == null) {
        requests[0] =
            net.irecv(
                recv[0],
                1,
                new MemoryHandle[] {into},
                new long[1],
                new long[] {64},
                new int[1],
                null,
                0);
      }
      requests[1] = requests[1] == null ? net.isend(send[0], from, 0, 64, 0, 0) : requests[1];
      return requests[0] != null && requests[1] != null;
    });
    await(() -> net.test(requests[0], null));
    await(() -> net.test(requests[1], null));
  }

  private static void await(BooleanSupplier thing) {
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
