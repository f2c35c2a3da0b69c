// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static io.nitinol.net.nativeabi.plugin.VersionedNet.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.net.nativeabi.dl.SharedLibrary;
import io.nitinol.net.nativeabi.ffi.NcclLimits;
import io.nitinol.net.nativeabi.ffi.NetAttrLayout;
import io.nitinol.spi.NetException;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.testing.FirstRows;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only newer versions have: configuration, profiler, contexts, attributes, properties. */
class NewerVersionsTest {
  private final RecordingLog log = new RecordingLog();

  @ParameterizedTest
  @ValueSource(ints = {10, 11, 12})
  @FirstRows(1)
  void configurationAndProfilerReachThePlugin(int version) throws Exception {
    TestLibrary library = TestLibrary.of("loopback", "-DONLY=" + version);
    VersionedNet net = library.net(version);
    List<String> events = new CopyOnWriteArrayList<>();
    net.profiler =
        (type, event, parent, pluginId, data) -> {
          events.add(type + " " + event + " " + parent + " " + Long.toHexString(pluginId));
          return 1234;
        };
    net.config = new NetCommConfig(41);
    net.init(log);
    net.devices();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment handle = net.handle(arena);
      ListenComm listener = net.listen(0, handle);
      SendComm send = eventually(() -> net.connect(0, handle));
      RecvComm recv = eventually(() -> net.accept(listener));
      MemoryHandle from = net.regMr(send, Memory.ofHost(arena.allocate(8)));
      MemoryHandle to = net.regMr(recv, Memory.ofHost(arena.allocate(8)));
      net.irecv(recv, new MemoryHandle[] {to}, new long[1], new long[] {8}, new int[1], 0);
      eventually(() -> net.isend(send, from, 0, 8, 0));
      assertThat(events).containsExactly("0 0 99 10001", "1 1234 99 10001");
      assertThat(answer(library, "loopback_traffic_class")).isEqualTo(41);
      net.call("closeSend", send);
      net.call("closeRecv", recv);
      net.call("closeListen", listener);
    }
  }

  @Test
  void attributesAndContextsReachThePlugin() throws Exception {
    TestLibrary library = TestLibrary.of("loopback", "-DONLY=12");
    VersionedNet net = library.net(12);
    net.init(log);
    net.call(
        "setNetAttr",
        net.context,
        new NetAttributes(
            new NetAttributes.Flows(1, 2, 3, 4), new NetAttributes.Flows(5, 6, 7, 8), 9, 10, 11));
    MethodAnswer attributes = new MethodAnswer(library, "loopback_attributes");
    int[] numbers =
        attributes.address().reinterpret(NetAttrLayout.BYTES).toArray(ValueLayout.JAVA_INT);
    assertThat(numbers).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    VersionedNet second = library.net(12);
    second.init(log);
    assertThat(second.context).isNotSameAs(net.context);
    net.call("finalizeContext", net.context);
    try (Arena arena = Arena.ofConfined()) {
      assertThat(second.devices()).isEqualTo(1);
      second.call("closeListen", second.listen(0, second.handle(arena)));
    }
    second.call("finalizeContext", second.context);
  }

  @Test
  void everyPropertyIsRead() throws Exception {
    VersionedNet net = TestLibrary.of("loopback").net(12);
    net.init(log);
    net.devices();
    assertThat(net.property(0, "name")).isEqualTo("loop0");
    assertThat(net.property(0, "pciPath")).isNull();
    assertThat(net.property(0, "guid")).isEqualTo(0x1f2e3d4c5b6a7988L);
    assertThat(net.property(0, "speed")).isEqualTo(10_000);
    assertThat(net.property(0, "port")).isEqualTo(1);
    assertThat(net.property(0, "latency")).isEqualTo(12.5f);
    assertThat(net.property(0, "maxComms")).isEqualTo(256);
    assertThat(net.property(0, "maxRecvs")).isEqualTo(4);
    assertThat(net.property(0, "regIsGlobal")).isEqualTo(false);
    assertThat(net.property(0, "forceFlush")).isEqualTo(true);
    assertThat(net.property(0, "virtualDevice")).isEqualTo(VirtualDevice.physical(0));
    assertThat(net.property(0, "maxP2pBytes")).isEqualTo(1L << 32);
    assertThat(net.property(0, "maxCollBytes")).isEqualTo(1L << 33);
    assertThat(net.property(0, "railId")).isEqualTo((short) 3);
    assertThat(net.property(0, "planeId")).isEqualTo((short) -1);
  }

  /** What NCCL never reads of a network may be left out. */
  @ParameterizedTest
  @ValueSource(ints = {9, 12})
  void aNetworkNeedsNoLimitOfCollectives(int version) throws Exception {
    VersionedNet net =
        TestLibrary.of("loopback", "-DONLY=" + version, "-DMAX_COLL_BYTES=0").net(version);
    net.init(log);
    net.devices();
    assertThat(net.property(0, "maxP2pBytes")).isEqualTo(1L << 32);
    assertThat(net.property(0, "maxCollBytes")).isEqualTo(NcclLimits.MAX_INT_COLLECTIVE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "((1ULL << 40) + 1)"})
  @FirstRows(1)
  void aNetworkSaysHowLongAMessageMayBe(String wrong) throws Exception {
    VersionedNet net = TestLibrary.of("loopback", "-DONLY=9", "-DMAX_P2P_BYTES=" + wrong).net(9);
    net.init(log);
    net.devices();
    assertThatThrownBy(() -> net.property(0, "name"))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("maxP2pBytes is ");
  }

  /** NCCL takes any number, and puts together what it has channels for. */
  @ParameterizedTest
  @ValueSource(ints = {5, 8, 12})
  @FirstRows(1)
  void aDeviceMayTakeMoreBuffersThanAnybodyHas(int version) throws Exception {
    VersionedNet net =
        TestLibrary.of("loopback", "-DONLY=" + version, "-DMAX_RECVS=0x7fffffff").net(version);
    net.init(log);
    net.devices();
    assertThat(net.property(0, "maxRecvs")).isEqualTo(NcclLimits.MAX_RECVS);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment handle = net.handle(arena);
      ListenComm listener = net.listen(0, handle);
      SendComm send = eventually(() -> net.connect(0, handle));
      RecvComm recv = eventually(() -> net.accept(listener));
      net.call("closeSend", send);
      net.call("closeRecv", recv);
      net.call("closeListen", listener);
    }
  }

  private static int answer(TestLibrary library, String function) throws Exception {
    MemorySegment address =
        SharedLibrary.open(library.file().toString()).symbol(function).orElseThrow();
    try {
      return (int)
          Linker.nativeLinker()
              .downcallHandle(address, FunctionDescriptor.of(ValueLayout.JAVA_INT))
              .invoke();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private record MethodAnswer(TestLibrary library, String function) {
    MemorySegment address() throws Exception {
      MemorySegment code =
          SharedLibrary.open(library.file().toString()).symbol(function).orElseThrow();
      try {
        return (MemorySegment)
            Linker.nativeLinker()
                .downcallHandle(code, FunctionDescriptor.of(ValueLayout.ADDRESS))
                .invoke();
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }
  }
}
