// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import static io.nitinol.spi.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Devices that the caller makes of those that were found. */
class IbDevicesTest {
  @TempDir Path root;
  private FakeMachine machine;

  @BeforeEach
  void make() throws IOException {
    machine = new FakeMachine(root);
  }

  private IbDevices devices() {
    return new IbDevices(machine, machine.find().devices(), machine.options().ports());
  }

  private void cards(String... names) {
    for (String name : names) {
      machine.add(FakeCard.roce(name)).guid(name.hashCode());
    }
  }

  private static VirtualDevice of(Integer... parts) {
    return new VirtualDevice(List.of(parts));
  }

  @Test
  void theNewDeviceComesLastAndIsTheSumOfItsParts() {
    cards("a", "b", "c");
    machine.cards.get(1).with(1).speed(64, 2);
    machine.cards.get(1).maxQueuePairs = 100;
    IbDevices devices = devices();
    List<NetProperties> before = properties(devices);
    assertThat(devices.canBeMade()).isTrue();
    assertThat(devices.make(of(2, 1))).isEqualTo(3);
    assertThat(devices.make(of(0, 1, 2))).isEqualTo(4);
    assertThat(devices.count()).isEqualTo(5);
    assertThat(properties(devices).subList(0, 3)).isEqualTo(before);
    assertThat(before)
        .extracting(NetProperties::virtualDevice)
        .containsExactly(of(0), of(1), of(2));
    IbDevice made = devices.get(3);
    assertThat(made.index()).isEqualTo(3);
    assertThat(made.net()).isSameAs(machine);
    assertThat(made.name()).isEqualTo("c+b");
    assertThat(made.ports()).extracting(IbPort::label).containsExactly("c:1", "b:1");
    assertThat(made.caches())
        .containsExactly(devices.get(2).caches().getFirst(), devices.get(1).caches().getFirst());
    NetProperties told = made.properties();
    assertThat(told.virtualDevice()).isEqualTo(of(2, 1));
    assertThat(told.speed()).isEqualTo(before.get(1).speed() + before.get(2).speed());
    assertThat(told.maxComms()).isEqualTo(50);
    assertThat(told.guid()).isEqualTo("c".hashCode());
    assertThat(told.ptrSupport()).isEqualTo(PointerType.HOST.mask());
    assertThat(told.regIsGlobal()).isTrue();
    assertThat(told.maxRecvs()).isEqualTo(8);
  }

  private static List<NetProperties> properties(IbDevices devices) {
    return IntStream.range(0, devices.count()).mapToObj(i -> devices.get(i).properties()).toList();
  }

  /** Ports of one card are one device already, and can be a part of a larger one. */
  @Test
  void devicesOfSeveralPortsAreParts() throws Exception {
    for (int i = 0; i < 9; i++) {
      machine.add(FakeCard.roce("m" + i)).guid(i < 4 ? 1 : i < 8 ? 2 : 3);
      machine.place("m" + i, (i < 4 ? "0000:3b:00." : i < 8 ? "0000:5e:00." : "0000:7f:00.") + i);
    }
    IbDevices devices = devices();
    assertThat(devices.count()).isEqualTo(3);
    assertThat(devices.get(1).properties().virtualDevice()).isEqualTo(of(1));
    int made = devices.make(of(0, 1));
    assertThat(devices.get(made).ports()).hasSize(8);
    assertThat(devices.get(made).name()).isEqualTo("m0+m1+m2+m3+m4+m5+m6+m7");
    refused(ResultCode.INVALID_USAGE, devices, of(0, 1, 2), "9 ports", "at most 8");
  }

  @Test
  void whatIsNoPhysicalDeviceIsRefused() {
    cards("a", "b");
    IbDevices devices = devices();
    int made = devices.make(of(0, 1));
    refused(ResultCode.INVALID_ARGUMENT, devices, of(0, made), "device 2 is itself virtual");
    refused(ResultCode.INVALID_ARGUMENT, devices, of(0, 3), "device 3 does not exist");
    refused(
        ResultCode.INVALID_ARGUMENT, devices, of(0, 1, 2, 3, 4, 5, 6, 7, 8), "9 devices", "8 can");
    refused(ResultCode.INVALID_USAGE, devices, of(1), "device 1 (b) alone");
    assertFails(ResultCode.INVALID_ARGUMENT, () -> devices.get(3), "device 3", "it has 3");
    assertFails(ResultCode.INVALID_ARGUMENT, () -> devices.get(-1), "device -1");
  }

  @Test
  void portsOfTwoKindsOfNetworkStayApart() {
    cards("a", "b");
    machine.cards.get(1).with(1).link(LinkLayer.INFINIBAND);
    IbDevices devices = devices();
    refused(
        ResultCode.INVALID_USAGE,
        devices,
        of(0, 1),
        "device 0 (a) is RoCE and device 1 (b) is IB",
        "NCCL_IB_HCA");
  }

  @Test
  void theVariablesMayForbidIt() {
    cards("a", "b", "c");
    machine.set("NCCL_IB_MERGE_NICS", "0");
    IbDevices none = devices();
    assertThat(none.canBeMade()).isFalse();
    refused(ResultCode.INVALID_USAGE, none, of(0, 1), "NCCL_IB_MERGE_NICS=0");
    machine.set("NCCL_IB_MERGE_NICS", "1").set("NCCL_NET_FORCE_MERGE", "a,b");
    IbDevices named = devices();
    assertThat(named.canBeMade()).isFalse();
    refused(ResultCode.INVALID_USAGE, named, of(0, 1), "NCCL_NET_FORCE_MERGE=a,b");
  }

  private static void refused(
      ResultCode code, IbDevices devices, VirtualDevice parts, String... why) {
    int before = devices.count();
    assertFails(code, () -> devices.make(parts), why);
    assertThat(devices.count()).isEqualTo(before);
  }
}
