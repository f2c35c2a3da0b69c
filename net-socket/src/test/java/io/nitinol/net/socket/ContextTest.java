// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static io.nitinol.spi.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.HandleBytes;
import io.nitinol.spi.testing.RecordingLog;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What belongs to one communicator, and that another one is none the worse for its end. */
class ContextTest {

  private static NetContext begin(SocketNet plugin, RecordingLog log) {
    return plugin.init(1, NetCommConfig.DEFAULT, log, null);
  }

  @Test
  void devicesAreFoundOnceAndLogsAreEachOnesOwn() throws Exception {
    try (Loopback pair = new Loopback()) {
      SocketNet plugin = pair.net.plugin;
      RecordingLog log = new RecordingLog();
      NetContext second = begin(plugin, log);
      assertThat(second).isNotSameAs(pair.net.context);
      assertThat(log.lines).isEmpty();
      MemorySegment handle = pair.handle();
      ListenComm listener = plugin.listen(second, 0, handle);
      try (SocketChannel stranger = SocketChannel.open(HandleBytes.address(handle))) {
        stranger.write(ByteBuffer.wrap(new byte[1000]));
        Await.until(
            "the stranger in the log",
            () -> {
              assertThat(plugin.accept(listener, new DeviceHandle[1])).isNull();
              return !log.lines.isEmpty();
            });
      }
      assertThat(pair.log.lines).hasSize(1); // the devices
      plugin.closeListen(listener);
    }
  }

  @Test
  void listenersTellTheLogOfTheContextThatTheyAreOf() throws Exception {
    try (Loopback pair = new Loopback()) {
      SocketNet plugin = pair.net.plugin;
      RecordingLog[] logs = {new RecordingLog(), new RecordingLog(), new RecordingLog()};
      NetContext[] contexts = {
        begin(plugin, logs[0]), begin(plugin, logs[1]), begin(plugin, logs[2])
      };
      int told = pair.log.lines.size();
      for (int one : new int[] {1, 0, 2}) {
        int[] before = {logs[0].lines.size(), logs[1].lines.size(), logs[2].lines.size()};
        MemorySegment handle = pair.handle();
        ListenComm listener = plugin.listen(contexts[one], 0, handle);
        try (SocketChannel stranger = SocketChannel.open(HandleBytes.address(handle))) {
          stranger.write(ByteBuffer.wrap(new byte[1000]));
          Await.until(
              "the stranger in a log",
              () -> {
                assertThat(plugin.accept(listener, new DeviceHandle[1])).isNull();
                int lines = pair.log.lines.size() - told;
                for (int i = 0; i < logs.length; i++) {
                  lines += logs[i].lines.size() - before[i];
                }
                return lines > 0;
              });
        }
        before[one]++;
        for (int i = 0; i < logs.length; i++) {
          assertThat(logs[i].lines).as("log %d of listener %d", i, one).hasSize(before[i]);
        }
        assertThat(pair.log.lines).hasSize(told);
        plugin.closeListen(listener);
      }
    }
  }

  @Test
  void commsOfTwoContextsAreConnectedAndOutliveAThird() {
    try (Loopback pair = new Loopback().listening()) {
      SocketNet plugin = pair.net.plugin;
      NetContext second = begin(plugin, pair.log);
      NetContext third = begin(plugin, pair.log);
      Await.until(
          "connection",
          () -> {
            if (pair.send == null) {
              pair.send = plugin.connect(second, 0, pair.handle, new DeviceHandle[1]);
            }
            if (pair.recv == null) {
              pair.recv = pair.net.accept(pair.listener);
            }
            return pair.send != null && pair.recv != null;
          });
      plugin.finalizeContext(third);
      MemoryHandle out = pair.register(pair.send, pair.random(5000, 1));
      MemoryHandle in = pair.register(pair.recv, pair.arena.allocate(5000));
      Request receiving = pair.irecv(in, 0, 5000);
      assertThat(pair.complete(pair.net.isend(pair.send, out, 0, 5000, 0), receiving))
          .isEqualTo(5000);
    }
  }

  @Test
  void whatIsFinalizedIsDeadAndFreesItsAttempts() {
    try (Loopback pair = new Loopback().listening()) {
      SocketNet plugin = pair.net.plugin;
      SocketContext context = (SocketContext) begin(plugin, pair.log);
      MemorySegment copy = pair.handle().copyFrom(pair.handle);
      assertThat(plugin.connect(context, 0, copy, new DeviceHandle[1])).isNull();
      assertThat(context.connects().underWay()).isEqualTo(1);
      plugin.finalizeContext(context);
      assertThat(context.connects().underWay()).isZero();
      invalid(() -> plugin.connect(context, 0, copy, new DeviceHandle[1]), "finalized");
      invalid(() -> plugin.listen(context, 0, pair.handle()), "finalized");
      invalid(() -> plugin.finalizeContext(context), "finalized");
      pair.connect(); // the others go on
    }
  }

  @Test
  void afterTheLastOneAnotherMayBegin() {
    SocketNet plugin =
        new SocketNet(
            Settings.of(Map.of("NCCL_SOCKET_IFNAME", "=lo", "NCCL_SOCKET_FAMILY", "AF_INET")));
    RecordingLog log = new RecordingLog();
    plugin.finalizeContext(begin(plugin, log));
    assertThat(plugin.devices()).isEqualTo(1);
    try (Loopback pair = new Loopback()) {
      ListenComm listener = plugin.listen(begin(plugin, log), 0, pair.handle());
      plugin.closeListen(listener);
    }
  }

  @Test
  void contextsOfOthers() {
    try (Loopback pair = new Loopback().listening();
        Loopback other = new Loopback()) {
      SocketNet plugin = pair.net.plugin;
      for (NetContext foreign : new NetContext[] {null, new NetContext() {}, other.net.context}) {
        invalid(() -> plugin.connect(foreign, 0, pair.handle, new DeviceHandle[1]), "context");
        invalid(() -> plugin.listen(foreign, 0, pair.handle()), "context");
        invalid(() -> plugin.finalizeContext(foreign), "context");
      }
      pair.connect();
    }
  }

  @Test
  void nothingIsOffloadedToADevice() {
    try (Loopback pair = new Loopback().listening()) {
      SocketNet plugin = pair.net.plugin;
      NetContext context = pair.net.context;
      invalid(() -> plugin.connect(context, 0, pair.handle, new DeviceHandle[0]), "device handles");
      invalid(() -> plugin.connect(context, 0, pair.handle, null), "device handles");
      invalid(() -> plugin.accept(pair.listener, new DeviceHandle[0]), "device handles");
      DeviceHandle asked = new DeviceHandle(NetDeviceType.UNPACK, 7, 0, 0, false);
      DeviceHandle[] sending = {asked};
      DeviceHandle[] receiving = {asked};
      SendComm send = plugin.connect(context, 0, pair.handle, sending);
      RecvComm recv = plugin.accept(pair.listener, receiving);
      assertThat(sending).containsOnlyNulls();
      assertThat(receiving).containsOnlyNulls();
      pair.send = send;
      pair.recv = recv;
      pair.connect();
    }
    for (OptionalOperation operation : OptionalOperation.values()) {
      assertThat(new SocketNet().supports(operation)).as("%s", operation).isFalse();
    }
  }

  /** The message is awaited and its size told, whatever the hint. */
  @ParameterizedTest
  @ValueSource(ints = {100, 300_000})
  void aReceiveThatNeedsNotTellIsLikeAnyOther(int size) {
    try (Loopback pair = new Loopback().connected()) {
      MemorySegment sent = pair.random(size, 4);
      MemorySegment room = pair.arena.allocate(size + 8);
      MemoryHandle out = pair.register(pair.send, sent);
      MemoryHandle[] in = {pair.register(pair.recv, room)};
      for (int i = 0; i < 3; i++) {
        room.fill((byte) 0);
        Request receiving =
            pair.net.plugin.irecv(
                pair.recv,
                1,
                in,
                new long[1],
                new long[] {size + 8},
                new int[1],
                new long[] {77},
                Net.OPTIONAL_RECV_COMPLETION);
        Request sending = pair.net.plugin.isend(pair.send, out, 0, size, 0, 78);
        assertThat(pair.complete(sending, receiving)).isEqualTo(size);
        assertThat(room.asSlice(0, size).mismatch(sent)).isEqualTo(-1);
      }
    }
  }

  private static void invalid(ThrowingCallable call, String... named) {
    assertFails(ResultCode.INVALID_ARGUMENT, call, named);
  }
}
