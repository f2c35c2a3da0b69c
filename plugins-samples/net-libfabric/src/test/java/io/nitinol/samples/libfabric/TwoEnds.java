// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** Two ends of the plugin on one thread, which each test connects by the provider that it needs. */
abstract class TwoEnds {
  static final int SIZE = 1 << 20;
  static final long BOUND = TimeUnit.SECONDS.toNanos(60);

  /** How long a test waits for what need not come. */
  static final long SHORT_WHILE = TimeUnit.MILLISECONDS.toNanos(200);

  final List<String> lines = new ArrayList<>();
  final Arena arena = Arena.ofShared();
  final MemorySegment from = arena.allocate(SIZE);
  final MemorySegment into = arena.allocate(SIZE);
  OfiNet net;
  ListenComm listener;
  SendComm send;
  RecvComm recv;
  MemoryHandle sendMr;
  MemoryHandle recvMr;

  /** The provider may write to the memory until the comms are closed. */
  @AfterEach
  final void free() {
    try {
      close();
    } finally {
      arena.close();
    }
  }

  NetContext start(String provider, Map<String, String> more) {
    Map<String, String> values = new HashMap<>(more);
    values.put("NITINOL_OFI_PROVIDER", provider);
    net = new OfiNet(Settings.of(values));
    return net.init(1, NetCommConfig.DEFAULT, new Lines(), null);
  }

  final void connect(String provider, Map<String, String> more) {
    NetContext context = start(provider, more);
    if (net.devices() == 0) {
      System.out.println(getClass().getSimpleName() + ": " + provider + " is skipped: " + lines);
    }
    assumeTrue(net.devices() > 0, () -> provider + " is not here: " + lines);
    MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE, Long.BYTES);
    listener = net.listen(context, 0, handle);
    await(() -> {
      send = send == null ? net.connect(context, 0, handle, new DeviceHandle[1]) : send;
      recv = recv == null ? net.accept(listener, new DeviceHandle[1]) : recv;
      return send != null && recv != null;
    });
    ListenComm done = listener;
    listener = null;
    net.closeListen(done);
    sendMr = net.regMr(send, Memory.ofHost(from));
    recvMr = net.regMr(recv, Memory.ofHost(into));
    for (int i = 0; i < SIZE; i++) {
      from.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + (i >> 8)));
    }
  }

  final Request receive(long offset, long room) {
    Request[] request = new Request[1];
    await(() -> {
      request[0] =
          net.irecv(
              recv,
              1,
              new MemoryHandle[] {recvMr},
              new long[] {offset},
              new long[] {room},
              new int[] {7},
              null,
              0);
      return request[0] != null;
    });
    return request[0];
  }

  final Request send(long offset, long length) {
    return send(offset, length, 7);
  }

  final Request send(long offset, long length, int tag) {
    Request[] request = new Request[1];
    await(() -> (request[0] = net.isend(send, sendMr, offset, length, tag, 0)) != null);
    return request[0];
  }

  /** Posts a receive of a piece of {@code room} bytes for each tag, one behind the other. */
  final Request receiveGroup(long offset, int room, int... tags) {
    MemoryHandle[] memories = new MemoryHandle[tags.length];
    long[] offsets = new long[tags.length];
    long[] lengths = new long[tags.length];
    for (int i = 0; i < tags.length; i++) {
      memories[i] = recvMr;
      offsets[i] = offset + (long) i * room;
      lengths[i] = room;
    }
    Request request = net.irecv(recv, tags.length, memories, offsets, lengths, tags, null, 0);
    assertThat(request).as("receive at %d", offset).isNotNull();
    return request;
  }

  /** Does something again and again, to see that what must not come does not. */
  static void forAShortWhile(Runnable thing) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < SHORT_WHILE) {
      thing.run();
    }
  }

  static void await(BooleanSupplier thing) {
    long start = System.nanoTime();
    while (!thing.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("waited in vain").isLessThan(BOUND);
      Thread.onSpinWait();
    }
  }

  /** Closes what is open; a test that has failed leaves something. */
  final void close() {
    ListenComm listening = listener;
    SendComm sending = send;
    RecvComm receiving = recv;
    listener = null;
    send = null;
    recv = null;
    try {
      if (listening != null) {
        net.closeListen(listening);
      }
    } finally {
      try {
        if (sending != null) {
          net.closeSend(sending);
        }
      } finally {
        if (receiving != null) {
          net.closeRecv(receiving);
        }
      }
    }
  }

  /** Keeps the lines. */
  private final class Lines implements DebugLogger {
    @Override
    public boolean isEnabled(LogLevel level, long subsystems) {
      return true;
    }

    @Override
    public void log(LogLevel level, long subsystems, String location, int line, String message) {
      lines.add(message);
    }
  }
}
