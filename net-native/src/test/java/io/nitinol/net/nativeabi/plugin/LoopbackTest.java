// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static io.nitinol.net.nativeabi.plugin.VersionedNet.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages through a sound C plugin, in each version of the struct. */
class LoopbackTest {
  private static final int SIZE = 3_000_000;

  // A native plugin is initialized once in a process, with the log of whoever came first.
  private static final RecordingLog LOG = new RecordingLog();

  /** A connection from a plugin to itself. */
  private record Pair(ListenComm listener, SendComm send, RecvComm recv) {}

  private VersionedNet started(int version, String... options) throws Exception {
    VersionedNet net = TestLibrary.of("loopback", options).net(version);
    net.init(LOG);
    assertThat(net.devices()).isEqualTo(1);
    return net;
  }

  private static Pair connect(VersionedNet net, Arena arena) {
    MemorySegment handle = net.handle(arena);
    ListenComm listener = net.listen(0, handle);
    SendComm send = eventually(() -> net.connect(0, handle));
    RecvComm recv = eventually(() -> net.accept(listener));
    return new Pair(listener, send, recv);
  }

  private static void close(VersionedNet net, Pair pair) {
    net.call("closeSend", pair.send());
    net.call("closeRecv", pair.recv());
    net.call("closeListen", pair.listener());
    if (net.version >= 11) {
      net.call("finalizeContext", net.context);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void messagesArriveWhole(int version) throws Exception {
    VersionedNet net = started(version);
    try (Arena arena = Arena.ofShared()) {
      Pair pair = connect(net, arena);
      MemorySegment source = arena.allocate(SIZE);
      MemorySegment target = arena.allocate(SIZE + 16).fill((byte) 9);
      for (long i = 0; i < SIZE; i++) {
        source.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + version));
      }
      MemoryHandle from = net.regMr(pair.send(), Memory.ofHost(source));
      MemoryHandle to = net.regMr(pair.recv(), Memory.ofHost(target));
      for (int length : new int[] {SIZE, 0, 1, 4096}) {
        Request received =
            eventually(() ->
                net.irecv(
                    pair.recv(),
                    new MemoryHandle[] {to},
                    new long[] {16},
                    new long[] {SIZE},
                    new int[] {5},
                    version >= 9 ? 1 : 0));
        Request sent = eventually(() -> net.isend(pair.send(), from, 0, length, 5));
        int[] sizes = {-1};
        int[] sentSizes = {-1};
        boolean[] done = new boolean[2];
        eventually(() -> {
          done[0] = done[0] || net.test(sent, sentSizes);
          done[1] = done[1] || net.test(received, sizes);
          return done[0] && done[1] ? true : null;
        });
        assertThat(sizes[0]).isEqualTo(length);
        assertThat(sentSizes[0]).isEqualTo(length);
        assertThat(target.asSlice(16, length).mismatch(source.asSlice(0, length))).isEqualTo(-1);
      }
      assertThat(target.get(ValueLayout.JAVA_BYTE, 15)).isEqualTo((byte) 9);
      assertThat(net.iflush(pair.recv(), to, 0, 16)).as("flush of host memory").isNull();
      net.call("deregMr", pair.send(), from);
      assertThatThrownBy(() -> net.isend(pair.send(), from, 0, 1, 5))
          .isInstanceOf(NetException.class)
          .hasMessageContaining("expected a live one");
      close(net, pair);
    }
    assertThat(LOG.lines)
        .anyMatch(line -> line.contains("started as version") && line.contains("10.0 Gb/s"));
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6, 7, 8, 9, 10, 11, 12})
  void piecesOfOneReceiveAreFilledByTag(int version) throws Exception {
    VersionedNet net = started(version);
    try (Arena arena = Arena.ofShared()) {
      Pair pair = connect(net, arena);
      MemorySegment memory = arena.allocate(64);
      MemoryHandle to = net.regMr(pair.recv(), Memory.ofHost(memory));
      MemorySegment source = arena.allocate(64);
      source.setString(0, "first and second");
      MemoryHandle from = net.regMr(pair.send(), Memory.ofHost(source));
      Request received =
          net.irecv(
              pair.recv(),
              new MemoryHandle[] {to, to},
              new long[] {32, 0},
              new long[] {20, 10},
              new int[] {7, -3},
              0);
      Request second = eventually(() -> net.isend(pair.send(), from, 10, 6, -3));
      Request first = eventually(() -> net.isend(pair.send(), from, 0, 5, 7));
      int[] sizes = new int[2];
      eventually(() -> net.test(received, sizes) ? true : null);
      eventually(() -> net.test(second, null) ? true : null);
      eventually(() -> net.test(first, null) ? true : null);
      assertThat(sizes).containsExactly(5, 6);
      assertThat(memory.getString(0)).isEqualTo("second");
      assertThat(memory.getString(32)).isEqualTo("first");
      close(net, pair);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 8, 9, 10, 11, 12})
  void aReceiveIsThePluginsUntilItIsConsumed(int version) throws Exception {
    VersionedNet net = started(version, "-DCONSUMES");
    assertThat(net.call("supports", OptionalOperation.IRECV_CONSUMED)).isEqualTo(true);
    try (Arena arena = Arena.ofShared()) {
      Pair pair = connect(net, arena);
      MemorySegment memory = arena.allocate(64);
      MemoryHandle to = net.regMr(pair.recv(), Memory.ofHost(memory));
      MemoryHandle from = net.regMr(pair.send(), Memory.ofHost(memory));
      for (int i = 0; i < 100; i++) { // the plugin has 32 requests
        Request received =
            eventually(() ->
                net.irecv(
                    pair.recv(),
                    new MemoryHandle[] {to},
                    new long[] {32},
                    new long[] {8},
                    new int[] {5},
                    0));
        refused(() -> net.call("irecvConsumed", pair.recv(), 1, received));
        Request sent = eventually(() -> net.isend(pair.send(), from, 0, 8, 5));
        eventually(() -> net.test(sent, null) ? true : null);
        eventually(() -> net.test(received, null) ? true : null);
        refused(() -> net.test(received, null));
        net.call("irecvConsumed", pair.recv(), 1, received);
        refused(() -> net.call("irecvConsumed", pair.recv(), 1, received));
      }
      close(net, pair);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 6, 8, 12})
  void deviceMemoryIsFlushed(int version) throws Exception {
    VersionedNet net = started(version, "-DCUDA");
    try (Arena arena = Arena.ofShared()) {
      Pair pair = connect(net, arena);
      MemorySegment memory = arena.allocate(64);
      MemoryHandle mr =
          net.regMr(pair.recv(), Memory.ofDevice(memory.address(), 64, PointerType.CUDA));
      Request flush = net.iflush(pair.recv(), mr, 8, 8);
      if (version <= 3) {
        assertThat(flush).as("it has happened already").isNull();
      } else {
        int[] sizes = {-1};
        eventually(() -> net.test(flush, sizes) ? true : null);
        assertThat(sizes).containsExactly(-1);
      }
      close(net, pair);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 12})
  void wrongArgumentsNeverReachThePlugin(int version) throws Exception {
    VersionedNet net = started(version);
    try (Arena arena = Arena.ofShared()) {
      Pair pair = connect(net, arena);
      MemorySegment memory = arena.allocate(64);
      MemoryHandle to = net.regMr(pair.recv(), Memory.ofHost(memory.asReadOnly()));
      MemoryHandle from = net.regMr(pair.send(), Memory.ofHost(memory));
      refused(() -> net.isend(pair.send(), from, 60, 5, 0));
      refused(() -> net.isend(pair.send(), from, Long.MAX_VALUE, 5, 0));
      refused(() -> net.isend(pair.send(), to, 0, 5, 0));
      refused(() -> net.isend(null, from, 0, 5, 0));
      refused(() ->
          net.irecv(
              pair.recv(),
              new MemoryHandle[] {to},
              new long[] {0},
              new long[] {8},
              new int[] {0},
              0));
      refused(() -> net.connect(1, net.handle(arena)));
      refused(() -> net.listen(-1, net.handle(arena)));
      refused(() -> net.listen(0, arena.allocate(32)));
      refused(() -> net.connect(0, net.handle(arena)));
      try (Arena gone = Arena.ofShared()) {
        MemoryHandle lost = net.regMr(pair.send(), Memory.ofHost(gone.allocate(8)));
        gone.close();
        refused(ResultCode.INVALID_USAGE, () -> net.isend(pair.send(), lost, 0, 8, 0)); // MEM-01
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageContaining("closed"); // the second close
      }
      VersionedNet other = TestLibrary.of("loopback").net(version);
      other.init(LOG);
      refused(() -> other.isend(pair.send(), from, 0, 1, 0));
      close(net, pair);
      refused(() -> net.isend(pair.send(), from, 0, 1, 0));
    }
  }

  private static void refused(Runnable call) {
    refused(ResultCode.INVALID_ARGUMENT, call);
  }

  private static void refused(ResultCode code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).as(e.getMessage()).isEqualTo(code));
  }
}
