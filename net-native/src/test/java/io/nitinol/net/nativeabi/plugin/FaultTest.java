// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static io.nitinol.net.nativeabi.plugin.VersionedNet.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.net.nativeabi.dl.SignalHandlers;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.testing.FirstRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plugins that are wrong: each fault is named, and the process lives on. */
class FaultTest {
  private final RecordingLog log = new RecordingLog();

  private static VersionedNet load(String fault) throws Exception {
    return TestLibrary.of("wrong", "-DONLY=8", "-DFAULT=" + fault).net(8);
  }

  private VersionedNet started(String fault) throws Exception {
    VersionedNet net = load(fault);
    net.init(log);
    assertThat(net.devices()).isEqualTo(1);
    return net;
  }

  private static void fails(ResultCode code, Call call, String... words) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).as(e.getMessage()).isEqualTo(code))
        .satisfies(e -> assertThat(e.getMessage()).contains(words));
  }

  private interface Call {
    void run() throws Exception;
  }

  @Test
  void structsThatCannotBeUsedAreRefusedUnseen() {
    fails(ResultCode.INTERNAL_ERROR, () -> load("NO_NAME"), "ncclNetPlugin_v8", "has no name");
    fails(ResultCode.INTERNAL_ERROR, () -> load("BAD_NAME"), "ncclNetPlugin_v8", "has no name");
    fails(ResultCode.INTERNAL_ERROR, () -> load("NO_INIT"), "not complete", "init is null");
    fails(ResultCode.INTERNAL_ERROR, () -> load("BAD_INIT"), "not complete", "init is 0x");
  }

  @Test
  void missingFunctionsAreAllNamed() throws Exception {
    VersionedNet net = load("NO_SEND");
    net.init(log);
    fails(
        ResultCode.INTERNAL_ERROR,
        net::devices,
        "ncclNetPlugin_v8",
        "wrong",
        "isend is null, test is null");
  }

  @Test
  void initThatFailsIsToldWithItsWarningToAll() throws Exception {
    VersionedNet first = load("INIT_FAILS");
    String[] words = {
      "init of Wrong (ncclNetPlugin_v8 in ",
      "returned ncclSystemError (2)",
      "its last warning: no card in slot 7 of host, 2.50"
    };
    fails(ResultCode.SYSTEM_ERROR, () -> first.init(log), words);
    VersionedNet second = load("INIT_FAILS");
    fails(ResultCode.SYSTEM_ERROR, () -> second.init(log), words);
    assertThat(log.lines)
        .as("init was called once")
        .hasSize(1)
        .allMatch(line -> line.matches("WARN wrong.c:\\d+ no card in slot 7 of host, 2.50"));
  }

  @Test
  void devicesAndPropertiesThatCannotBeAreRefused() throws Exception {
    VersionedNet negative = load("NEGATIVE");
    negative.init(log);
    fails(ResultCode.INTERNAL_ERROR, negative::devices, "devices of Wrong", "there are -1");
    VersionedNet old = started("OLD_PROPERTIES");
    fails(
        ResultCode.INTERNAL_ERROR,
        () -> old.property(0, "name"),
        "getProperties on device 0",
        "properties that cannot be");
    VersionedNet bad = started("BAD_PROPERTIES");
    fails(ResultCode.INTERNAL_ERROR, () -> bad.property(0, "name"), "name is 0x10");
    VersionedNet tooLong = started("LONG_PROPERTIES");
    fails(
        ResultCode.INTERNAL_ERROR,
        () -> tooLong.property(0, "name"),
        "wrote 12 bytes past the end of 64 bytes of the properties");
  }

  @Test
  void whatIsWrittenPastAHandleIsNoticed() throws Exception {
    try (Arena arena = Arena.ofShared()) {
      VersionedNet net = started("LONG_HANDLE");
      MemorySegment handle = arena.allocate(256, 8).asSlice(0, 128);
      fails(
          ResultCode.INTERNAL_ERROR,
          () -> net.listen(0, handle),
          "listen on device 0 (loop0)",
          "wrote 72 bytes past the end of 128 bytes of the handle");
      VersionedNet connecting = started("LONG_CONNECT");
      connecting.listen(0, handle);
      fails(
          ResultCode.INTERNAL_ERROR,
          () -> connecting.connect(0, handle),
          "wrote 4 bytes past the end of 128 bytes of the handle");
      VersionedNet none = started("NO_LISTENER");
      fails(ResultCode.INTERNAL_ERROR, () -> none.listen(0, handle), "gave no listener");
    }
  }

  @Test
  void whatIsWrittenPastAMemoryHandleIsNoticed() throws Exception {
    try (Arena arena = Arena.ofShared()) {
      VersionedNet net = started("LONG_MEMORY");
      Pair pair = connect(net, arena);
      fails(
          ResultCode.INTERNAL_ERROR,
          () -> net.regMr(pair.send, Memory.ofHost(arena.allocate(8))),
          "regMr on device 0 (loop0)",
          "past the end of 8 bytes of the memory handle");
    }
  }

  private record Pair(SendComm send, RecvComm recv, MemoryHandle from, MemoryHandle to) {}

  private static Pair connect(VersionedNet net, Arena arena) {
    MemorySegment handle = net.handle(arena);
    ListenComm listener = net.listen(0, handle);
    SendComm send = eventually(() -> net.connect(0, handle));
    RecvComm recv = eventually(() -> net.accept(listener));
    return new Pair(send, recv, null, null);
  }

  private static Pair registered(VersionedNet net, Arena arena) {
    Pair pair = connect(net, arena);
    MemoryHandle from = net.regMr(pair.send, Memory.ofHost(arena.allocate(64)));
    MemoryHandle to = net.regMr(pair.recv, Memory.ofHost(arena.allocate(64)));
    return new Pair(pair.send, pair.recv, from, to);
  }

  private static Request receive(VersionedNet net, Pair pair) {
    return net.irecv(
        pair.recv, new MemoryHandle[] {pair.to}, new long[1], new long[] {64}, new int[1], 0);
  }

  @Test
  void aFailedCommIsNotAskedAgain() throws Exception {
    try (Arena arena = Arena.ofShared()) {
      VersionedNet net = started("SEND_FAILS");
      Pair pair = registered(net, arena);
      String[] words = {
        "isend on device 0 (loop0) of Wrong",
        "ncclSystemError (2)",
        "its last warning: cable 3 is out after 5 bytes"
      };
      fails(ResultCode.SYSTEM_ERROR, () -> net.isend(pair.send, pair.from, 0, 5, 0), words);
      int lines = log.lines.size();
      fails(
          ResultCode.SYSTEM_ERROR,
          () -> net.isend(pair.send, pair.from, 0, 6, 0),
          "the comm has failed before",
          "cable 3 is out after 5 bytes");
      assertThat(log.lines).as("the plugin was not called").hasSize(lines);
      net.call("deregMr", pair.send, pair.from);
      net.call("closeSend", pair.send);
    }
  }

  @Test
  void aNumberThatIsNoResultIsADefect() throws Exception {
    try (Arena arena = Arena.ofShared()) {
      VersionedNet net = started("ODD_RESULT");
      Pair pair = registered(net, arena);
      fails(
          ResultCode.INTERNAL_ERROR,
          () -> net.isend(pair.send, pair.from, 0, 5, 0),
          "returned 4711, which is no ncclResult_t");
    }
  }

  @Test
  void aRequestThatFailsIsDead() throws Exception {
    try (Arena arena = Arena.ofShared()) {
      VersionedNet net = started("TEST_FAILS");
      Pair pair = registered(net, arena);
      Request request = receive(net, pair);
      fails(ResultCode.REMOTE_ERROR, () -> net.test(request, null), "test on device 0");
      fails(ResultCode.REMOTE_ERROR, () -> net.test(request, null), "failed before");
    }
  }

  @Test
  void whatNeverCompletesCanBeClosed() throws Exception {
    try (Arena arena = Arena.ofShared()) {
      VersionedNet net = started("NEVER");
      Pair pair = registered(net, arena);
      Request request = receive(net, pair);
      for (int i = 0; i < 10_000; i++) {
        assertThat(net.test(request, null)).isFalse();
      }
      net.call("closeRecv", pair.recv);
      net.call("closeSend", pair.send);
      fails(ResultCode.INVALID_ARGUMENT, () -> net.test(request, null), "closed");
    }
  }

  @Test
  void sizesThatAreNotReportedAreThoseOfTheReceives() throws Exception {
    try (Arena arena = Arena.ofShared()) {
      VersionedNet net = started("NO_SIZES");
      Pair pair = registered(net, arena);
      for (int round = 0; round < 2; round++) {
        Request request = receive(net, pair);
        Request sent = net.isend(pair.send, pair.from, 0, 40, 0);
        int[] sizes = new int[1];
        eventually(() -> net.test(request, sizes) ? true : null);
        assertThat(sizes[0]).isEqualTo(64);
        eventually(() -> net.test(sent, null) ? true : null);
      }
      assertThat(log.lines)
          .filteredOn(line -> line.contains("does not say how long received messages are"))
          .as("once")
          .hasSize(1);
    }
  }

  @Test
  void threadsOfThePluginAreNamedAfterItWhenTheyLog() throws Exception {
    Thread caller = new Thread(() -> startedUnchecked("OWN_THREAD")); // it has a name of this kind
    String name = caller.getName();
    caller.start();
    caller.join(240_000);
    assertThat(log.lines).anyMatch(line -> line.contains("from a thread of its own"));
    assertThat(log.threads)
        .anyMatch(thread -> thread.matches("Wrong-native-\\d+"))
        .contains(name)
        .hasSize(log.lines.size());
  }

  private void startedUnchecked(String fault) {
    try {
      started(fault);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void handlersOfSignalsThatInitReplacesArePutBack() throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      SignalHandlers before = SignalHandlers.now(arena);
      started("INIT_HANDLERS");
      assertThat(before.restore()).as("still to be put back").isEmpty();
      assertThat(log.lines)
          .anyMatch(line -> line.contains("init of Wrong") && line.contains("SIGBUS, SIGSEGV"));
    }
  }

  @Test
  void aCloseThatFailsEndsTheCommAllTheSame() throws Exception {
    try (Arena arena = Arena.ofShared()) {
      VersionedNet net = started("CLOSE_FAILS");
      Pair pair = registered(net, arena);
      fails(ResultCode.INTERNAL_ERROR, () -> net.call("closeSend", pair.send), "closeSend");
      fails(ResultCode.INVALID_ARGUMENT, () -> net.call("closeSend", pair.send), "a live one");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8, 9})
  @FirstRows(1)
  void aStructThatIsFilledInInitIsReadAgain(int version) throws Exception {
    VersionedNet net = TestLibrary.of("loopback", "-DLAZY", "-DONLY=" + version).net(version);
    assertThat(net.call("name")).isEqualTo("Loopback");
    net.init(log);
    assertThat(net.devices()).isEqualTo(1);
    assertThat(net.call("name")).as("what NCCL_NET has found it by").isEqualTo("Loopback");
    assertThat(log.lines).anyMatch(line -> line.contains("calls itself Loopback_v" + version));
    try (Arena arena = Arena.ofShared()) {
      fails(
          ResultCode.INVALID_ARGUMENT,
          () -> eventually(() -> net.connect(0, net.handle(arena))),
          "connect on device 0",
          "of Loopback alias Loopback_v" + version,
          "ncclInvalidArgument (4); its last warning: NET/Loopback : not a handle");
    }
  }
}
