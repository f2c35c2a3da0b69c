// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommException;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.spi.ResultCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TeamPartitionTest {
  private static DevicePlacement has(String uuid, boolean handles, String... reaches) {
    return new DevicePlacement(1, "fake", uuid, handles, true, List.of(reaches), "");
  }

  /**
   * Each rank is {@code host.process.device}, with {@code !} where it opens no other process's
   * memory, and {@code >} before each device that it reaches.
   */
  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource({
    // One process; one device each; all reach each other.
    "'1.1.A>B>C 1.1.B>A>C 1.1.C>A>B', '[[0, 1, 2]]'",
    // Two ranks on one device need no access.
    "'1.1.A 1.1.A', '[[0, 1]]'",
    // Access of one side only is a lie or a half, and no team.
    "'1.1.A>B 1.1.B', '[[0], [1]]'",
    // A reaches B, B reaches C, but A not C: the first team takes whom all of it reach.
    "'1.1.A>B 1.1.B>A>C 1.1.C>B', '[[0, 1], [2]]'",
    // Pairs.
    "'1.1.A>B 1.1.C>D 1.1.B>A 1.1.D>C', '[[0, 2], [1, 3]]'",
    // Processes of one host need handles on both sides.
    "'1.1.A>B 1.2.B>A', '[[0, 1]]'",
    "'1.1.A>B! 1.2.B>A', '[[0], [1]]'",
    "'1.1.A>B 1.2.B>A!', '[[0], [1]]'",
    "'1.1.A 1.2.A!', '[[0], [1]]'",
    // Within a process they do not.
    "'1.1.A>B! 1.1.B>A!', '[[0, 1]]'",
    // Two hosts, on which devices may even have the same names.
    "'1.1.A>B 1.2.B>A 2.1.A>B 2.2.B>A', '[[0, 1], [2, 3]]'",
    "'1.1.A 2.2.A 1.3.A', '[[0, 2], [1]]'"
  })
  void ranksGoTogetherThatReachEachOther(String ranks, String teams) {
    List<PeerInfo> peers = new ArrayList<>();
    List<DevicePlacement> devices = new ArrayList<>();
    for (String rank : ranks.split(" ")) {
      String[] parts = rank.replace("!", "").split("\\.");
      String[] names = parts[2].split(">");
      peers.add(new PeerInfo(peers.size(), Long.parseLong(parts[0]), Long.parseLong(parts[1])));
      devices.add(has(names[0], !rank.endsWith("!"), Arrays.copyOfRange(names, 1, names.length)));
    }
    TeamPartition partition = TeamPartition.of(peers, devices, false);
    assertThat(partition.members()).hasToString(teams);
    for (int team = 0; team < partition.teams(); team++) {
      List<Integer> members = partition.members().get(team);
      for (int i = 0; i < members.size(); i++) {
        assertThat(partition.teamOf(members.get(i))).isEqualTo(team);
        assertThat(partition.indexOf(members.get(i))).isEqualTo(i);
      }
    }
    assertThat(TeamPartition.of(peers, devices, true).isAlone()).isTrue();
  }

  @Test
  void whatARankSaysIsReadBack() {
    DevicePlacement said =
        new DevicePlacement(-5, "cuda", "GPU-1", true, false, List.of("GPU-2", "GPU-3"), "");
    assertThat(DevicePlacement.fromBytes(3, said.toBytes())).isEqualTo(said);
  }

  @Test
  void whatNoRankWouldSayNamesTheRank() {
    byte[] right = has("A", true, "B").toBytes();
    for (int length = 0; length < right.length; length++) {
      byte[] cut = Arrays.copyOf(right, length);
      assertThatThrownBy(() -> DevicePlacement.fromBytes(7, cut))
          .isInstanceOfSatisfying(
              CommException.class, e -> assertThat(e.failedRank()).isEqualTo(7));
    }
    assertThatThrownBy(() -> DevicePlacement.fromBytes(7, Arrays.copyOf(right, right.length + 1)))
        .hasMessageContaining("too many");
    assertThatThrownBy(() -> DevicePlacement.fromBytes(7, has("A\nB", true).toBytes()))
        .hasMessageContaining("the name of its device has 3 characters")
        .hasMessageContaining("rank 7");
    byte[] other = right.clone();
    other[3] = 9;
    assertThatThrownBy(() -> DevicePlacement.fromBytes(7, other))
        .hasMessageContaining("version 9 on rank 7");
  }

  @Test
  void ranksWithDifferentProvidersFailAndNameBoth() {
    DevicePlacement other = new DevicePlacement(1, "hip", "B", true, true, List.of(), "");
    assertThatThrownBy(
            () -> DevicePlacement.requireAgreement(List.of(has("A", true), has("B", true), other)))
        .isInstanceOfSatisfying(
            CommException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasMessageContaining("fake on rank 0; hip on rank 2");
  }

  @Test
  void aRankThatCannotTakePartIsNamed() {
    DevicePlacement unable =
        new DevicePlacement(0, "none", "none", false, false, List.of(), "its card fell out");
    assertThatThrownBy(() -> DevicePlacement.requireAgreement(List.of(has("A", true), unable)))
        .hasMessage("rank 1 cannot use its device: its card fell out");
    DevicePlacement teamless = new DevicePlacement(1, "fake", "B", true, false, List.of(), "");
    assertThatThrownBy(() -> DevicePlacement.requireAgreement(List.of(has("A", true), teamless)))
        .hasMessageContaining("rank 1 has no collectives");
  }
}
