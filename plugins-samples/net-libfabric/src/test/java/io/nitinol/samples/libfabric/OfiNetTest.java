// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ends of the plugin on one thread, over providers that need no hardware. */
class OfiNetTest {
  private static final int SIZE = 1 << 20;
  private static final long BOUND = TimeUnit.SECONDS.toNanos(60);

  private final List<String> lines = new ArrayList<>();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment from = arena.allocate(SIZE);
  private final MemorySegment into = arena.allocate(SIZE);
  private OfiNet net;
  private ListenComm listener;
  private SendComm send;
  private RecvComm recv;
  private MemoryHandle sendMr;
  private MemoryHandle recvMr;

  /** The provider may write to the memory until the comms are closed. */
  @AfterEach
  void free() {
    try {
      close();
    } finally {
      arena.close();
    }
  }

  private NetContext start(String provider, Map<String, String> more) {
    Map<String, String> values = new HashMap<>(more);
    values.put("NITINOL_OFI_PROVIDER", provider);
    net = new OfiNet(Settings.of(values));
    return net.init(1, NetCommConfig.DEFAULT, new Lines(), null);
  }

  private void connect(String provider, Map<String, String> more) {
    NetContext context = start(provider, more);
    if (net.devices() == 0) {
      System.out.println("OfiNetTest: " + provider + " is skipped: " + lines);
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

  private Request receive(long offset, long room) {
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

  private Request send(long offset, long length) {
    Request[] request = new Request[1];
    await(() -> (request[0] = net.isend(send, sendMr, offset, length, 7, 0)) != null);
    return request[0];
  }

  private static void await(BooleanSupplier thing) {
    long start = System.nanoTime();
    while (!thing.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("waited in vain").isLessThan(BOUND);
      Thread.onSpinWait();
    }
  }

  /** Closes what is open; a test that has failed leaves something. */
  private void close() {
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

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm"})
  void carriesMessagesOfAllSizes(String provider) {
    connect(provider, Map.of("NITINOL_OFI_REGISTER", "1"));
    for (int length : new int[] {0, 1, 64, 4096, 65_537, SIZE}) {
      into.fill((byte) 0);
      Request receiving = receive(0, SIZE);
      Request sending = send(0, length);
      int[] sizes = {-1};
      boolean[] over = new boolean[2];
      await(() -> {
        over[0] = over[0] || net.test(sending, null);
        over[1] = over[1] || net.test(receiving, sizes);
        return over[0] && over[1];
      });
      assertThat(sizes[0]).isEqualTo(length);
      assertThat(into.asSlice(0, length).mismatch(from.asSlice(0, length))).isEqualTo(-1);
      assertThat(length == SIZE || into.get(ValueLayout.JAVA_BYTE, length) == 0).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm"})
  void aReceiveThatIsTooSmallFailsOnBothSides(String provider) {
    connect(provider, Map.of());
    Request receiving = receive(0, 100);
    Request sending = send(0, 101);
    assertThatThrownBy(() -> await(() -> net.test(receiving, null)))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("message of 101 bytes is longer than its receive of 100")
        .extracting(e -> ((NetException) e).result())
        .isEqualTo(ResultCode.INVALID_USAGE);
    assertThatThrownBy(() -> await(() -> net.test(sending, null)))
        .isInstanceOf(NetException.class)
        .extracting(e -> ((NetException) e).result())
        .isEqualTo(ResultCode.INVALID_USAGE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm"})
  void thePeerOfAClosedCommGetsAnErrorThatNamesIt(String provider) {
    connect(provider, Map.of());
    Request receiving = receive(0, 100);
    SendComm gone = send;
    send = null;
    net.closeSend(gone);
    assertThatThrownBy(() -> await(() -> net.test(receiving, null)))
        .isInstanceOf(NetException.class)
        .hasMessageContaining(provider)
        .hasMessageContaining("the peer is gone: it has closed the connection")
        .extracting(e -> ((NetException) e).result())
        .isEqualTo(ResultCode.REMOTE_ERROR);
  }

  @Test
  void aProviderThatIsNotThereIsReportedAndNoFailure() {
    start("no-such-provider", Map.of());
    assertThat(net.devices()).isZero();
    assertThat(lines).singleElement().asString().contains("NET/OFI : no device: ");
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
