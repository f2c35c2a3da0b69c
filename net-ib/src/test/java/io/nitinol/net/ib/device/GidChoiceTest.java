// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table is that of a card with an address of each kind, as mlx5 shows them. */
class GidChoiceTest {
  @TempDir Path root;
  private FakeMachine machine;
  private FakeCard card;

  @BeforeEach
  void make() throws IOException {
    machine = new FakeMachine(root);
    card = machine.add(new FakeCard("mlx5_0"));
    String[] addresses = {"fe80::1", "10.1.0.5", "fd00::5", "10.2.0.5"};
    for (int i = 0; i < addresses.length; i++) {
      card.with(1).gid(addresses[i]).gid(addresses[i]);
      machine.type("mlx5_0", 1, 2 * i, "IB/RoCE v1");
      machine.type("mlx5_0", 1, 2 * i + 1, "RoCE v2");
    }
  }

  @Test
  void theFirstIpv4AddressOfRoceTwo() {
    assertThat(machine.port().gidIndex()).isEqualTo(3);
    assertThat(GidChoice.text(machine.port().gid())).isEqualTo("10.1.0.5");
    assertThat(machine.log.warnings).isEmpty();
  }

  @Test
  void familyVersionAndRangeChoose() {
    assertThat(machine.set("NCCL_IB_ROCE_VERSION_NUM", "1").port().gidIndex()).isEqualTo(2);
    assertThat(machine.set("NCCL_IB_ADDR_RANGE", "10.2.0.0/16").port().gidIndex()).isEqualTo(6);
    machine.set("NCCL_IB_ADDR_RANGE", "").set("NCCL_IB_ADDR_FAMILY", "AF_INET6");
    assertThat(machine.port().gidIndex()).isEqualTo(4);
    assertThat(machine.set("NCCL_IB_ROCE_VERSION_NUM", "2").port().gidIndex()).isEqualTo(5);
    assertThat(machine.set("NCCL_IB_ADDR_RANGE", "fe80::/10").port().gidIndex()).isEqualTo(1);
    assertThat(machine.log.warnings).isEmpty();
  }

  @Test
  void anAddressOfTheWantedFamilyBeatsTheVersion() throws Exception {
    for (int index = 2; index < 8; index++) {
      machine.type("mlx5_0", 1, index, "IB/RoCE v1");
    }
    assertThat(machine.port().gidIndex()).isEqualTo(2);
  }

  @Test
  void whatNoRangeHoldsIsSaid() {
    machine.set("NCCL_IB_ADDR_RANGE", "192.168.0.0/16");
    assertThat(machine.port().gidIndex()).isEqualTo(3);
    assertThat(machine.log.warnings)
        .singleElement()
        .asString()
        .contains("mlx5_0:1", "no GID", "NCCL_IB_ADDR_RANGE=192.168.0.0/16", "10.1.0.5");
  }

  @Test
  void onlyALinkLocalAddressIsSaid() {
    card.with(1).gids.subList(2, 8).clear();
    assertThat(machine.port().gidIndex()).isEqualTo(1);
    assertThat(machine.log.warnings).singleElement().asString().contains("fe80", "ADDR_FAMILY");
  }

  @Test
  void unreadableTypesCountLeast() throws Exception {
    Path types = machine.directory("mlx5_0").resolve("ports/1/gid_attrs/types");
    Files.delete(types.resolve("3"));
    Files.createDirectory(types.resolve("3")); // reading it fails, as EINVAL does in containers
    assertThat(machine.port().gidIndex()).isEqualTo(7);
    for (int index = 0; index < 8; index++) {
      Files.delete(types.resolve(Integer.toString(index)));
    }
    assertThat(machine.port().gidIndex()).isEqualTo(2);
  }

  @Test
  void emptyEntriesAreSkipped() {
    card.with(1).gids.set(3, AddressRangeTest.gid("::"));
    assertThat(machine.port().gidIndex()).isEqualTo(7);
  }

  @Test
  void anIndexIsTakenAsItIsInsideTheTable() {
    assertThat(machine.set("NCCL_IB_GID_INDEX", "4").port().gidIndex()).isEqualTo(4);
    assertThat(machine.set("NCCL_IB_GID_INDEX", "0").port().gidIndex()).isZero();
    assertThat(machine.set("NCCL_IB_GID_INDEX", "8").find().reason())
        .contains("port 1 of mlx5_0", "NCCL_IB_GID_INDEX=8", "from 0 to 7");
    card.with(1).gids.set(3, AddressRangeTest.gid("::"));
    assertThat(machine.set("NCCL_IB_GID_INDEX", "3").find().reason())
        .contains("NCCL_IB_GID_INDEX=3", "empty");
  }

  @Test
  void infiniBandTakesItsFirstUnlessItIsRouted() {
    card.with(1).link(LinkLayer.INFINIBAND).gids.clear();
    card.with(1).gid("fe80::1").gid("fe80::2");
    assertThat(machine.port().gidIndex()).isZero();
    card.with(1).gids.set(1, AddressRangeTest.gid("fec0:0:7::2"));
    assertThat(machine.port().gidIndex()).isEqualTo(1);
    assertThat(machine.set("NCCL_IB_ROUTABLE_FLID_GID_INDEX", "0").port().gidIndex()).isZero();
    assertThat(machine.set("NCCL_IB_ROUTABLE_FLID_GID_INDEX", "9").port().gidIndex()).isZero();
    assertThat(machine.set("NCCL_IB_GID_INDEX", "5").port().gidIndex()).isZero();
  }
}
