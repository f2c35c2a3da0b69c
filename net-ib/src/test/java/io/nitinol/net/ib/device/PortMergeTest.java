// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.nitinol.spi.NetException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortMergeTest {
  @TempDir Path root;
  private FakeMachine machine;

  @BeforeEach
  void make() throws IOException {
    machine = new FakeMachine(root);
  }

  /** Adds a card whose functions are ports 1 of cards of their own, as mlx5 has it. */
  private void functions(String bus, long guid, String... names) throws IOException {
    for (int i = 0; i < names.length; i++) {
      machine.add(FakeCard.roce(names[i])).guid(guid);
      machine.place(names[i], "0000:" + bus + ":00." + i);
    }
  }

  @Test
  void functionsOfOneCardAreOneDevice() throws Exception {
    functions("3b", 1, "mlx5_0", "mlx5_1");
    functions("5e", 2, "mlx5_2", "mlx5_3");
    machine.cards.get(1).with(1).speed(64, 2);
    machine.cards.get(1).maxQueuePairs = 100;
    List<IbDevice> devices = machine.find().devices();
    assertThat(devices)
        .extracting(IbDevice::name)
        .containsExactly("mlx5_0+mlx5_1", "mlx5_2+mlx5_3");
    assertThat(devices).extracting(IbDevice::index).containsExactly(0, 1);
    IbDevice first = devices.getFirst();
    assertThat(first.properties().speed()).isEqualTo(300_000);
    assertThat(first.properties().maxComms()).isEqualTo(50);
    assertThat(first.properties().guid()).isEqualTo(1);
    assertThat(first.properties().pciPath()).endsWith("0000:3b:00.0");
    assertThat(first.caches()).hasSize(2).doesNotHaveDuplicates();
    assertThat(machine.set("NCCL_IB_MERGE_NICS", "0").names())
        .containsExactly("mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3");
  }

  @Test
  void portsOfOneCardShareItsMemory() throws Exception {
    FakeCard card = machine.add(FakeCard.roce("mlx4_0"));
    card.with(2).gid("10.0.0.2");
    machine.place("mlx4_0", "0000:3b:00.0");
    IbDevice device = machine.find().devices().getFirst();
    assertThat(device.name()).isEqualTo("mlx4_0+mlx4_0");
    assertThat(device.caches().get(0)).isSameAs(device.caches().get(1));
    assertThat(card.opened).isEqualTo(1);
  }

  @Test
  void differentCardsStayApart() throws Exception {
    functions("3b", 1, "mlx5_0", "mlx5_1");
    machine.cards.get(1).guid(2); // one bus address, but another card
    assertThat(machine.names()).containsExactly("mlx5_0", "mlx5_1");
    machine.cards.get(1).guid(1).with(1).link(LinkLayer.INFINIBAND);
    assertThat(machine.names()).containsExactly("mlx5_0", "mlx5_1");
  }

  @Test
  void virtualFunctionsAreOneCardUnlessTheyAreNotToBe() throws Exception {
    for (int i = 0; i < 3; i++) {
      machine.add(FakeCard.roce("mlx5_" + i)).guid(1);
      machine.place("mlx5_" + i, "0000:3b:0" + (i + 1) + ".0");
    }
    assertThat(machine.names()).containsExactly("mlx5_0+mlx5_1+mlx5_2");
    assertThat(machine.set("NCCL_IB_MERGE_VFS", "0").names()).hasSize(3);
  }

  @Test
  void noMoreThanEight() throws Exception {
    functions("3b", 1, "a0", "a1", "a2", "a3", "a4");
    for (FakeCard card : machine.cards) {
      card.with(2).gid("10.0.0.2");
    }
    assertThat(machine.names()).containsExactly("a0+a0+a1+a1+a2+a2+a3+a3", "a4+a4");
  }

  @Test
  void virtualCardsAreMergedWhereTheUserSaysSo() {
    for (String name : List.of("rxe0", "rxe1", "rxe2", "rxe3", "rxe4")) {
      machine.add(FakeCard.roce(name)).guid(7);
    }
    assertThat(machine.names()).containsExactly("rxe0", "rxe1", "rxe2", "rxe3", "rxe4");
    assertThat(machine.set("NCCL_NET_FORCE_MERGE", " rxe1 , rxe3:1 ; rxe0,rxe4;").names())
        .containsExactly("rxe0+rxe4", "rxe1+rxe3", "rxe2");
  }

  @Test
  void aGroupThatWasAskedForGetsNoOthers() throws Exception {
    functions("3b", 1, "a0", "a1", "a2", "a3");
    assertThat(machine.set("NCCL_NET_FORCE_MERGE", "a0,a1").names())
        .containsExactly("a0+a1", "a2+a3");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "rxe0,rxe9 | no port \"rxe9\"",
        "rxe0,rxe1:2 | no port \"rxe1:2\"",
        "rxe0,,rxe1 | no port \"\"",
        "rxe0,rxe0 | rxe0:1 is named twice",
        "rxe0,rxe1;rxe1,rxe2 | rxe1:1 is named twice",
        "rxe0 | has 1 ports, not 2 to 8",
        "rxe0,rxe1,rxe2,rxe3,rxe4,rxe5,rxe6,rxe7,rxe8 | has 9 ports, not 2 to 8",
        "rxe0,ib0 | rxe0:1 is RoCE and ib0:1 is IB",
      })
  void whatCannotBeMergedIsRefused(String value, String why) {
    for (int i = 0; i <= 8; i++) {
      machine.add(FakeCard.roce("rxe" + i));
    }
    machine.add(FakeCard.roce("ib0"));
    machine.cards.getLast().with(1).link(LinkLayer.INFINIBAND);
    machine.set("NCCL_NET_FORCE_MERGE", value);
    assertThatExceptionOfType(NetException.class)
        .isThrownBy(() -> machine.find())
        .withMessageContaining("NCCL_NET_FORCE_MERGE=" + value)
        .withMessageContaining(why);
    assertThat(machine.cards).allMatch(card -> card.opened == card.closed);
  }

  @Test
  void mergingThatIsForbiddenIsRefused() {
    machine.add(FakeCard.roce("rxe0"));
    machine.add(FakeCard.roce("rxe1"));
    machine.set("NCCL_NET_FORCE_MERGE", "rxe0,rxe1").set("NCCL_IB_MERGE_NICS", "0");
    assertThatExceptionOfType(NetException.class)
        .isThrownBy(() -> machine.find())
        .withMessageContaining("NCCL_IB_MERGE_NICS=0");
  }
}
