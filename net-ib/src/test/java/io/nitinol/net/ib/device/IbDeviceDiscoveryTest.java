// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IbDeviceDiscoveryTest {
  @TempDir Path root;
  private FakeMachine machine;

  @BeforeEach
  void make() throws IOException {
    machine = new FakeMachine(root);
  }

  @Test
  void describesAPort() throws Exception {
    FakeCard card = machine.add(FakeCard.roce("mlx5_0")).guid(0x1234);
    card.maxQueuePairs = 900;
    Path device = machine.place("mlx5_0", "0000:3b:00.0");
    IbDevice found = machine.find().devices().getFirst();
    assertThat(found.properties())
        .isEqualTo(
            new NetProperties(
                "mlx5_0",
                device.toString(),
                0x1234,
                1,
                true,
                false,
                100_000,
                1,
                0f,
                450,
                8,
                NetDeviceType.HOST,
                0,
                VirtualDevice.physical(0),
                1L << 31,
                512L << 20,
                1,
                (short) -1,
                (short) -1));
    IbPort port = found.ports().getFirst();
    assertThat(port.label()).isEqualTo("mlx5_0:1");
    assertThat(port.lid()).isEqualTo(7);
    assertThat(port.activeMtu()).isEqualTo(3);
    assertThat(port.gidIndex()).isEqualTo(1);
    assertThat(port.adaptiveRouting()).isFalse();
    assertThat(found.net()).isSameAs(machine);
    assertThat(machine.log.warnings).isEmpty();
  }

  @Test
  void aVirtualCardHasNoPlace() {
    machine.add(FakeCard.roce("rxe0"));
    assertThat(machine.find().devices().getFirst().properties().pciPath()).isNull();
  }

  @Test
  void orderedByPlaceThenByName() throws Exception {
    for (String name : List.of("rxe10", "rxe9", "mlx5_10", "mlx5_9", "mlx5_0")) {
      machine.add(FakeCard.roce(name));
    }
    machine.place("mlx5_0", "0000:5e:00.0");
    machine.place("mlx5_9", "0000:3b:00.0");
    machine.place("mlx5_10", "0000:3d:00.0");
    assertThat(machine.names()).containsExactly("mlx5_9", "mlx5_10", "mlx5_0", "rxe9", "rxe10");
  }

  @ParameterizedTest
  @CsvSource({
    "mlx5_2, mlx5_10, -1",
    "a1, b0, -1",
    "rxe, rxe0, -1",
    "x7, x7, 0",
    "mlx5_1, mlx4_2, 1"
  })
  void namesCompareByTheirNumber(String one, String other, int expected) {
    assertThat(Integer.signum(IbDeviceDiscovery.compareNames(one, other))).isEqualTo(expected);
  }

  @Test
  void withoutALibraryThereIsItsReason() {
    machine.absence = "libibverbs.so.1 is not there";
    assertThat(machine.find())
        .isEqualTo(IbDeviceDiscovery.Result.none("libibverbs.so.1 is not there"));
  }

  @Test
  void disabledIsAReasonAndOpensNothing() {
    FakeCard card = machine.add(FakeCard.roce("mlx5_0"));
    machine.set("NCCL_IB_DISABLE", "1");
    assertThat(machine.find().reason()).contains("NCCL_IB_DISABLE");
    assertThat(card.opened).isZero();
  }

  @Test
  void aDownPortIsNamed() {
    FakeCard card = machine.add(FakeCard.roce("mlx5_0"));
    card.with(1).state(1);
    assertThat(machine.find().reason()).isEqualTo("port 1 of mlx5_0 is DOWN");
    assertThat(card.closed).isEqualTo(1);
  }

  @Test
  void onePortOfTwoIsEnough() {
    FakeCard card = machine.add(FakeCard.roce("mlx4_0"));
    card.with(2).state(2);
    assertThat(machine.names()).containsExactly("mlx4_0");
    assertThat(machine.reasons)
        .singleElement()
        .asString()
        .contains("port 2 of mlx4_0 is in state INIT");
    assertThat(card.closed).isZero();
  }

  @Test
  void aFilterThatLetsNothingThroughIsNamed() {
    FakeCard card = machine.add(FakeCard.roce("mlx5_0"));
    machine.add(FakeCard.roce("mlx5_1"));
    machine.set("NCCL_IB_HCA", "=mlx4_0");
    assertThat(machine.find().reason())
        .isEqualTo("NCCL_IB_HCA==mlx4_0 lets none through of mlx5_0, mlx5_1");
    assertThat(card.opened).isZero();
    machine.set("NCCL_IB_HCA", "mlx5_0:2");
    assertThat(machine.find().reason()).contains("NCCL_IB_HCA=mlx5_0:2 lets none through");
    assertThat(card.closed).isEqualTo(card.opened).isEqualTo(1);
  }

  @Test
  void theFilterChoosesPorts() {
    FakeCard two = machine.add(FakeCard.roce("mlx4_0"));
    two.with(2).gid("10.0.0.2");
    machine.add(FakeCard.roce("rxe0"));
    machine.set("NCCL_IB_HCA", "^mlx4_0:1");
    assertThat(machine.find().devices())
        .extracting(device -> device.ports().toString())
        .containsExactly("[mlx4_0:2]", "[rxe0:1]");
  }

  @Test
  void oneReasonForEachCardThatCannotBeOpened() {
    machine.add(FakeCard.roce("mlx5_0")).openFailure =
        new NetException(ResultCode.SYSTEM_ERROR, "permission denied on /dev/infiniband/uverbs0");
    FakeCard other = machine.add(new FakeCard("mlx5_1"));
    other.with(1).link(LinkLayer.ETHERNET).gid("");
    assertThat(machine.find().reason())
        .isEqualTo(
            "mlx5_0 cannot be used: permission denied on /dev/infiniband/uverbs0; port 1 of mlx5_1"
                + " cannot be used: it has no GID: its network interface has no address, or is in"
                + " another network namespace");
    machine.add(FakeCard.roce("mlx5_2"));
    assertThat(machine.names()).containsExactly("mlx5_2");
    assertThat(machine.reasons).hasSize(2);
  }

  @Test
  void otherNetworksAreNotUsed() {
    FakeCard card = machine.add(FakeCard.roce("opa0"));
    card.with(1).linkLayer = 9;
    assertThat(machine.find().reason()).contains("neither InfiniBand nor Ethernet", "9");
  }

  @Test
  void partitionKeysAreChecked() {
    machine.add(FakeCard.roce("mlx5_0")).with(1).pkeys = 3;
    assertThat(machine.set("NCCL_IB_PKEY", "1").names()).containsExactly("mlx5_0");
    assertThat(machine.set("NCCL_IB_PKEY", "2").find().reason())
        .contains("port 1 of mlx5_0", "NCCL_IB_PKEY=2", "empty");
    assertThat(machine.set("NCCL_IB_PKEY", "3").find().reason())
        .contains("NCCL_IB_PKEY=3", "from 0 to 2");
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "NCCL_IB_HCA | :1",
        "NCCL_IB_ADDR_RANGE | 10.0.0.0/40",
        "NCCL_IB_ADDR_RANGE | fd00::/8",
        "NCCL_NET_FORCE_MERGE | mlx5_0,mlx5_7",
      })
  void whatCannotBeIsRefusedByName(String variable, String value) {
    FakeCard card = machine.add(FakeCard.roce("mlx5_0"));
    machine.set(variable, value);
    assertThatExceptionOfType(NetException.class)
        .isThrownBy(() -> machine.find())
        .withMessageContaining(variable + "=" + value)
        .satisfies(e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE));
    assertThat(card.closed).isEqualTo(card.opened);
  }

  @Test
  void infiniBandPortsHaveAdaptiveRouting() {
    machine.add(FakeCard.roce("mlx5_0")).with(1).link(LinkLayer.INFINIBAND);
    assertThat(machine.port().adaptiveRouting()).isTrue();
    assertThat(machine.port().gidIndex()).isZero();
    assertThat(machine.set("NCCL_IB_ADAPTIVE_ROUTING", "0").port().adaptiveRouting()).isFalse();
    machine.cards.getFirst().with(1).link(LinkLayer.ETHERNET);
    assertThat(machine.set("NCCL_IB_ADAPTIVE_ROUTING", "1").port().adaptiveRouting()).isTrue();
  }

  @Test
  void speedsThatAByteCannotTellComeFromSysfs() throws Exception {
    machine.add(FakeCard.roce("mlx5_0")).with(1).speed(128, 2);
    assertThat(machine.port().speed()).isEqualTo(400_000);
    machine.file("mlx5_0", 1, "rate", "800 Gb/sec (4X XDR)");
    assertThat(machine.port().speed()).isEqualTo(800_000);
    machine.file("mlx5_0", 1, "rate", "nonsense");
    assertThat(machine.port().speed()).isEqualTo(400_000);
    assertThat(machine.log.lines).isEmpty();
  }

  @Test
  void unknownSpeedsAreNamedInTheLog() throws Exception {
    machine.add(FakeCard.roce("mlx5_0")).with(1).speed(0, 64);
    assertThat(machine.port().speed()).isPositive();
    assertThat(machine.log.lines)
        .singleElement()
        .asString()
        .contains("mlx5_0:1", "active_speed 0", "active_width 64");
    machine.file("mlx5_0", 1, "rate", "2.5 Gb/sec (1X SDR)");
    assertThat(machine.port().speed()).isEqualTo(2_500);
  }

  @Test
  void gpuMemoryWhereTheKernelHelps() throws Exception {
    machine.add(FakeCard.roce("mlx5_0"));
    IbDevice host = machine.find().devices().getFirst();
    assertThat(host.properties().ptrSupport()).isEqualTo(PointerType.HOST.mask());
    assertThat(host.gpuDirect()).isFalse();
    machine.module("nvidia_peermem/version");
    IbDevice gpu = machine.find().devices().getFirst();
    assertThat(gpu.properties().ptrSupport())
        .isEqualTo(PointerType.HOST.mask() | PointerType.CUDA.mask());
    assertThat(gpu.gpuDirect()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "yes"})
  void noneWhereEncryptionIsAskedFor(String value) throws Exception {
    machine.add(FakeCard.roce("mlx5_0"));
    machine.set("NITINOL_SOCKET_TLS", value);
    assertThat(machine.find().reason()).contains("NITINOL_SOCKET_TLS=" + value, "encrypted");
    machine.set("NITINOL_SOCKET_TLS", "0");
    assertThat(machine.find().reason()).isNull();
  }

  @Test
  void aCardThatGivesNoDomainIsLeftOut() throws Exception {
    FakeCard card = machine.add(FakeCard.roce("mlx5_0"));
    card.domainFailure = new NetException(ResultCode.SYSTEM_ERROR, "ibv_alloc_pd: no memory");
    machine.module("nvidia/version");
    assertThat(machine.find().reason()).isEqualTo("mlx5_0 cannot be used: ibv_alloc_pd: no memory");
    assertThat(card.opened).isEqualTo(card.closed).isEqualTo(1);
  }

  @Test
  void noMoreThanNcclsPorts() {
    for (int i = 0; i < 35; i++) {
      machine.add(FakeCard.roce("rxe" + i));
    }
    assertThat(machine.names()).hasSize(32).startsWith("rxe0").endsWith("rxe31");
    assertThat(machine.log.warnings).singleElement().asString().contains("32", "rxe34:1");
    assertThat(machine.cards.stream().filter(card -> card.closed > 0)).hasSize(3);
  }
}
