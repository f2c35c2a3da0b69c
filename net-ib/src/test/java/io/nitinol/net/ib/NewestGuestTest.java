// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import static io.nitinol.spi.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.spi.testing.RecordingLog;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What version 12 has beyond version 6, on devices that are there. In the guest. */
@Tag("rdma")
class NewestGuestTest {
  private static final int SIZE = 300_001;

  @BeforeEach
  void devicesAreHere() {
    assumeTrue(Cable.hasDevices(), "no two RDMA devices here");
  }

  private static Cable cable(String... more) {
    String[] all = new String[more.length + 2];
    all[0] = "NCCL_SOCKET_IFNAME";
    all[1] = "veth0,lo";
    System.arraycopy(more, 0, all, 2, more.length);
    return new Cable(all);
  }

  private static void exchange(
      Cable cable, MemorySegment source, MemoryHandle from, MemorySegment target, MemoryHandle to) {
    target.fill((byte) 0);
    int[] sizes = new int[1];
    Request receive = cable.irecv(to, 0, SIZE, 3);
    Request send = cable.isend(from, 0, SIZE, 3);
    cable.finish(List.of(send, receive), sizes);
    assertThat(sizes[0]).isEqualTo(SIZE);
    assertThat(target.mismatch(source)).isEqualTo(-1);
  }

  /** What one comm has registered serves the others of the device, until it is undone. */
  @Test
  void registrationsAreForAllCommsOfTheDevice() {
    try (Cable one = cable().connect(0, 1);
        Cable two = one.another().connect(0, 1);
        Cable back = one.another().connect(1, 0)) {
      assertThat(one.net.getProperties(0).regIsGlobal()).isTrue();
      MemorySegment source = one.random(SIZE, 5);
      MemorySegment target = one.memory(SIZE);
      MemoryHandle from = one.register(one.send, source);
      MemoryHandle to = one.register(one.recv, target);
      exchange(one, source, from, target, to);
      exchange(two, source, from, target, to);
      // On device 0 a receiving comm may use what a sending one has registered, and the reverse.
      exchange(back, target, to, source, from);
      assertFails(
          ResultCode.INVALID_ARGUMENT,
          () -> two.net.isend(two.send, to, 0, 8, 0),
          "registered with another device");
      assertFails(ResultCode.INVALID_ARGUMENT, () -> two.net.deregMr(two.send, from), "this comm");
      exchange(two, source, from, target, to);
      one.net.deregMr(one.send, from);
      assertFails(
          ResultCode.INVALID_ARGUMENT,
          () -> two.net.isend(two.send, from, 0, 8, 0),
          "deregistered");
      one.closeRecv();
      assertFails(
          ResultCode.INVALID_ARGUMENT,
          () ->
              two.net.irecv(
                  two.recv, 1, new MemoryHandle[] {to}, new long[1], new long[] {8}, new int[1]),
          "deregistered");
      exchange(two, source, two.register(two.send, source), target, two.register(two.recv, target));
    }
  }

  /** To itself, and to and from devices of one port; the others are as before. */
  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0", "2, 1"})
  void aDeviceThatTheCallerMadeCarriesMessages(int pairs, int split) {
    try (Cable cable =
        cable(
            "NCCL_IB_QPS_PER_CONNECTION", String.valueOf(pairs),
            "NCCL_IB_SPLIT_DATA_ON_QPS", String.valueOf(split))) {
      assertThat(cable.net.plugin.supports(OptionalOperation.MAKE_VDEVICE)).isTrue();
      int before = cable.net.devices();
      NetProperties first = cable.net.getProperties(0);
      int made = cable.net.makeVDevice(0, 1);
      assertThat(made).isEqualTo(before);
      assertThat(cable.net.devices()).isEqualTo(before + 1);
      assertThat(cable.net.getProperties(0)).isEqualTo(first);
      assertThat(cable.net.getProperties(made).name()).isEqualTo("rxe0+rxe1");
      assertThat(cable.net.getProperties(made).virtualDevice().devices()).containsExactly(0, 1);
      for (int[] way : new int[][] {{made, made}, {0, made}, {made, 1}, {0, 1}}) {
        try (Cable each = cable.another().connect(way[0], way[1])) {
          MemorySegment source = each.random(SIZE, way[0] * 10L + way[1]);
          MemorySegment target = each.memory(SIZE);
          MemoryHandle from = each.register(each.send, source);
          MemoryHandle to = each.register(each.recv, target);
          for (int i = 0; i < 5; i++) {
            exchange(each, source, from, target, to);
          }
        }
      }
    }
  }

  /** A handle of a part has keys for that part only. */
  @Test
  void registrationsOfPartsAreNotThoseOfTheWhole() {
    try (Cable part = cable().connect(0, 0)) {
      int made = part.net.makeVDevice(0, 1);
      try (Cable whole = part.another().connect(made, made)) {
        MemorySegment memory = part.random(SIZE, 9);
        MemoryHandle ofPart = part.register(part.send, memory);
        MemoryHandle ofWhole = whole.register(whole.send, memory);
        assertFails(
            ResultCode.INVALID_ARGUMENT,
            () -> whole.net.isend(whole.send, ofPart, 0, 8, 0),
            "another device");
        assertFails(
            ResultCode.INVALID_ARGUMENT,
            () -> part.net.isend(part.send, ofWhole, 0, 8, 0),
            "another device");
      }
    }
  }

  /** Both ends take the class that the sending communicator asks for; 7 is a service level too. */
  @ParameterizedTest
  @ValueSource(ints = {0, 7, 106, 255})
  void theTrafficClassOfACommunicator(int wanted) {
    try (Cable cable = cable()) {
      IbNet plugin = cable.net.plugin;
      NetContext context = plugin.init(2, new NetCommConfig(wanted), new RecordingLog(), null);
      MemorySegment handle = cable.arena.allocate(Net.HANDLE_MAXSIZE, 8);
      cable.listener = cable.far.listen(1, handle);
      Cable.until(
          "connection",
          () -> {
            if (cable.send == null) {
              cable.send = plugin.connect(context, 0, handle, new DeviceHandle[1]);
            }
            if (cable.recv == null) {
              cable.recv = cable.far.accept(cable.listener);
            }
            return cable.send != null && cable.recv != null;
          });
      MemorySegment source = cable.random(SIZE, 1);
      MemorySegment target = cable.memory(SIZE);
      exchange(
          cable,
          source,
          cable.register(cable.send, source),
          target,
          cable.register(cable.recv, target));
      cable.closeSend();
      plugin.finalizeContext(context);
      assertFails(
          ResultCode.INVALID_ARGUMENT,
          () -> plugin.connect(context, 0, handle, new DeviceHandle[1]),
          "finalized");
      assertFails(ResultCode.INVALID_ARGUMENT, () -> plugin.listen(context, 0, handle), "final");
      assertFails(ResultCode.INVALID_ARGUMENT, () -> plugin.finalizeContext(context), "finalized");
    }
  }

  @Test
  void aClassThatNoPacketHasIsRefused() {
    try (Cable cable = cable()) {
      NetException refused =
          Cable.failure(() ->
              cable.net.plugin.init(2, new NetCommConfig(256), new RecordingLog(), null) == null);
      assertThat(refused.result()).isEqualTo(ResultCode.INVALID_USAGE);
      assertThat(refused).hasMessageContaining("traffic class 256");
      assertThat(cable.net.devices()).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void attemptsEndWithTheirContext() {
    try (Cable cable = cable()) {
      IbNet plugin = cable.net.plugin;
      NetContext context = plugin.init(2, NetCommConfig.DEFAULT, new RecordingLog(), null);
      MemorySegment handle = cable.arena.allocate(Net.HANDLE_MAXSIZE, 8);
      cable.listener = cable.far.listen(1, handle);
      MemorySegment copy = cable.arena.allocate(Net.HANDLE_MAXSIZE, 8).copyFrom(handle);
      assertThat(plugin.connect(context, 0, copy, new DeviceHandle[1])).isNull();
      assertThat(((IbContext) context).connector().underWay()).isEqualTo(1);
      plugin.finalizeContext(context);
      assertThat(((IbContext) context).connector().underWay()).isZero();
      cable.join(0, handle); // the others go on
    }
  }

  @Test
  void hintsAreLeftAloneAndNothingIsOffloaded() {
    try (Cable cable = cable()) {
      IbNet plugin = cable.net.plugin;
      MemorySegment handle = cable.arena.allocate(Net.HANDLE_MAXSIZE, 8);
      cable.listener = cable.far.listen(1, handle);
      assertFails(
          ResultCode.INVALID_ARGUMENT,
          () -> plugin.connect(cable.net.context, 0, handle, new DeviceHandle[0]),
          "device handles");
      assertFails(
          ResultCode.INVALID_ARGUMENT,
          () -> plugin.accept(cable.listener, new DeviceHandle[0]),
          "device handles");
      DeviceHandle asked = new DeviceHandle(NetDeviceType.UNPACK, 7, 0, 0, false);
      DeviceHandle[] sending = {asked};
      DeviceHandle[] receiving = {asked};
      SendComm send = plugin.connect(cable.net.context, 0, handle, sending);
      RecvComm recv = plugin.accept(cable.listener, receiving);
      assertThat(sending).containsOnlyNulls();
      assertThat(receiving).containsOnlyNulls();
      cable.send = send;
      cable.recv = recv;
      cable.join(0, handle);
      MemorySegment source = cable.random(SIZE, 4);
      MemorySegment target = cable.memory(SIZE);
      MemoryHandle from = cable.register(cable.send, source);
      MemoryHandle[] to = {cable.register(cable.recv, target)};
      int[] sizes = new int[1];
      for (int i = 0; i < 40; i++) {
        target.fill((byte) 0);
        Request receive =
            Cable.nonNull(
                "room",
                () ->
                    plugin.irecv(
                        cable.recv,
                        1,
                        to,
                        new long[1],
                        new long[] {SIZE},
                        new int[1],
                        new long[] {77},
                        Net.OPTIONAL_RECV_COMPLETION));
        Request sent = cable.isend(from, 0, SIZE, 0);
        cable.finish(List.of(sent, receive), sizes);
        assertThat(sizes[0]).isEqualTo(SIZE);
        assertThat(target.mismatch(source)).isEqualTo(-1);
      }
    }
  }
}
