// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.netns.BadNetwork;
import io.nitinol.netns.Cabling;
import io.nitinol.netns.Namespace;
import io.nitinol.netns.Unavailable;
import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hosts that do not reach each other at the addresses their ranks listen at: every rank fails
 * within its limit, with an error that names the address and this rank's own.
 */
class UnreachedHostsTest {

  /** Seconds that the ranks may take to meet, busy machine or not, and in which nothing moves. */
  private static final String LIMIT = "10";

  @TempDir private Path directory;

  private Cabling hosts;

  /** Makes hosts, or skips the test. */
  private void hosts(int count) throws Exception {
    try {
      hosts = Cabling.open(count);
    } catch (Unavailable e) {
      skip(e);
    }
  }

  private static void skip(Unavailable e) {
    System.err.println("UnreachedHostsTest: no hosts with several interfaces: " + e.getMessage());
    abort(e.getMessage());
  }

  @AfterEach
  void takeAway() throws Exception {
    if (hosts != null) {
      hosts.close();
    }
  }

  private RankProcesses job(List<Namespace> places, Map<String, String> variables, int count)
      throws Exception {
    return RankProcesses.meeting(
        places.size(),
        (rank, command) -> places.get(rank).command(command),
        rank -> {
          Map<String, String> all = new HashMap<>(Map.of("NCCL_SOCKET_IFNAME", ""));
          all.put("NITINOL_UNIQUE_ID_FILE", directory.resolve("id").toString());
          all.put("NITINOL_BOOTSTRAP_TIMEOUT", LIMIT);
          all.put("NITINOL_TIMEOUT", LIMIT);
          all.put("NCCL_HOSTID", "host" + rank);
          all.putAll(variables);
          return all;
        },
        "rounds",
        "1",
        Integer.toString(count));
  }

  /** The same where the ranks meet, which a busy machine may take long for. */
  private RankProcesses meeting(List<Namespace> places, Map<String, String> variables)
      throws Exception {
    Map<String, String> all = new HashMap<>(variables);
    all.put("NITINOL_BOOTSTRAP_TIMEOUT", "600");
    all.put("NITINOL_TIMEOUT", "600");
    return job(places, all, 1000);
  }

  private List<Namespace> both() {
    return List.of(hosts.host(0), hosts.host(1));
  }

  /** Waits until all ranks have failed, and returns their errors. */
  private static List<String> fail(RankProcesses ranks) {
    return IntStream.range(0, 2)
        .mapToObj(rank -> {
          try {
            String failed = ranks.await(rank, "failed");
            System.err.println("UnreachedHostsTest, rank " + rank + ": " + failed);
            assertThat(ranks.exit(rank)).isEqualTo(3);
            return failed;
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        })
        .toList();
  }

  private static void succeed(RankProcesses ranks) throws InterruptedException {
    for (int rank = 0; rank < 2; rank++) {
      ranks.await(rank, "right");
      assertThat(ranks.exit(rank)).isZero();
    }
  }

  @Test
  @Thorough
  void hostsThatShareOneFamilyOnly() throws Exception {
    hosts(2);
    hosts.lay(0, "eth0", "fd00::1/64", 1, "eth0", "fd00::2/64");
    hosts.host(0).run("ip addr add 10.0.0.1/24 dev eth0");
    try (RankProcesses ranks = job(both(), Map.of(), 1000)) {
      assertThat(fail(ranks).get(1))
          .contains("the root at 10.0.0.1:", "Network is unreachable", "rank 1 listens at fd00:0:")
          .contains("NCCL_SOCKET_FAMILY");
    }
    Map<String, String> six =
        Map.of(
            "NCCL_SOCKET_FAMILY",
            "AF_INET6",
            "NITINOL_UNIQUE_ID_FILE",
            directory.resolve("next").toString());
    try (RankProcesses ranks = meeting(both(), six)) {
      succeed(ranks);
    }
  }

  /**
   * Lays {@code eth0} between the hosts, and an {@code eth1} from each to a host that drops all.
   */
  private void twoRails(boolean routes) throws Exception {
    hosts(3);
    hosts.lay(0, "eth0", "10.0.0.1/24", 1, "eth0", "10.0.0.2/24");
    hosts.lay(0, "eth1", "10.1.0.1/24", 2, "port0", "10.1.0.9/24");
    hosts.lay(1, "eth1", "10.2.0.2/24", 2, "port1", "10.2.0.9/24");
    if (routes) {
      hosts.host(2).run("sysctl -qw net.ipv4.ip_forward=0");
      hosts.host(0).run("ip route add default via 10.1.0.9");
      hosts.host(1).run("ip route add default via 10.2.0.9");
    }
  }

  @Test
  @Slow
  void ranksThatListenWhereTheOtherHasNoRoute() throws Exception {
    twoRails(false);
    try (RankProcesses ranks =
        job(both(), Map.of("NCCL_COMM_ID", "10.0.0.1:4711", "NCCL_SOCKET_IFNAME", "eth1"), 1000)) {
      for (String failed : fail(ranks)) {
        assertThat(failed)
            .contains("10.1.0.1", "10.2.0.2", "Network is unreachable", "NCCL_SOCKET_IFNAME");
      }
    }
  }

  @Test
  @Thorough
  void ranksThatListenWhereAllIsLost() throws Exception {
    twoRails(true);
    try (RankProcesses ranks =
        job(both(), Map.of("NCCL_COMM_ID", "10.0.0.1:4711", "NCCL_SOCKET_IFNAME", "eth1"), 1000)) {
      for (String failed : fail(ranks)) {
        assertThat(failed).contains("10.1.0.1", "10.2.0.2", "no answer", "NCCL_SOCKET_IFNAME");
      }
    }
  }

  @Test
  @Thorough
  void dataOfTheSecondRailThatFindsNoWay() throws Exception {
    twoRails(false);
    Map<String, String> rails =
        Map.of(
            "NCCL_ALGO",
            "ring",
            "NCCL_MIN_NCHANNELS",
            "2",
            "NCCL_MAX_NCHANNELS",
            "2",
            "NITINOL_BOOTSTRAP_TIMEOUT",
            "60");
    try (RankProcesses ranks = job(both(), rails, 8 << 20)) {
      List<String> failed = fail(ranks);
      assertThat(failed.get(0)).isEqualTo(failed.get(1)).contains("Network is unreachable");
      assertThat(failed.get(0)).contains("10.1.0.1", "10.2.0.2", "eth1");
    }
  }

  @Test
  @Thorough
  void ranksWhoseExclusionLeavesTheLoopbackInterface() throws Exception {
    hosts(2);
    hosts.lay(0, "eth0", "10.0.0.1/24", 1, "eth0", "10.0.0.2/24");
    try (RankProcesses ranks = job(both(), Map.of("NCCL_SOCKET_IFNAME", "^eth1"), 1000)) {
      assertThat(fail(ranks).get(1))
          .contains("the root at 127.0.0.1:", "loopback", "NCCL_SOCKET_IFNAME");
    }
  }

  @Test
  @Thorough
  void anInterfaceWithoutAnAddress() throws Exception {
    hosts(2);
    hosts.lay(0, "eth0", 1, "eth0");
    hosts.host(0).run("ip -6 addr flush dev eth0");
    hosts.host(1).run("ip -6 addr flush dev eth0");
    try (RankProcesses ranks =
        job(
            both(),
            Map.of("NCCL_SOCKET_IFNAME", "=eth0", "NCCL_COMM_ID", "127.0.0.1:4711"),
            1000)) {
      for (String failed : fail(ranks)) {
        assertThat(failed).contains("NCCL_SOCKET_IFNAME==eth0", "down or without an address: eth0");
      }
    }
  }

  @Test
  @Thorough
  void aNameThatNobodyKnows() throws Exception {
    hosts(2);
    hosts.lay(0, "eth0", "10.0.0.1/24", 1, "eth0", "10.0.0.2/24");
    try (RankProcesses ranks = job(both(), Map.of("NCCL_COMM_ID", "nowhere.invalid:4711"), 1000)) {
      for (String failed : fail(ranks)) {
        assertThat(failed).contains("the host \"nowhere.invalid\" is not known");
      }
    }
  }

  @Test
  @Thorough
  void severalDefaultRoutesAndAnAddressThatIsNotLocal() throws Exception {
    twoRails(true);
    for (int host = 0; host < 2; host++) {
      hosts.host(host).run("ip route append default dev eth0");
    }
    try (RankProcesses ranks = meeting(both(), Map.of())) {
      succeed(ranks);
    }
    try (RankProcesses ranks = job(both(), Map.of("NCCL_COMM_ID", "10.7.7.7:4711"), 1000)) {
      assertThat(fail(ranks).get(0))
          .contains("10.7.7.7:4711 (NCCL_COMM_ID), which must be an address of rank 0's host");
    }
  }

  @Test
  void aRankBehindTranslationNamesAnAddressThatNobodyReaches() throws Exception {
    try (BadNetwork network = BadNetwork.translating()) {
      Map<String, String> meeting =
          Map.of("NCCL_COMM_ID", network.address(network.near()) + ":4711");
      try (RankProcesses ranks = job(List.of(network.near(), network.far()), meeting, 1000)) {
        for (String failed : fail(ranks)) {
          assertThat(failed)
              .contains("rank 1", "192.168.99.2:", "rank 0 listens at 10.99.0.1")
              .contains("connected from 10.99.0.2", "NAT");
        }
      }
    } catch (Unavailable e) {
      skip(e);
    }
  }

  /** Connections out of the translated network are possible: ranks that are all inside may meet. */
  @Test
  @Thorough
  void ranksBehindTranslationMeetAtARootOutside() throws Exception {
    try (BadNetwork network = BadNetwork.translating();
        RankProcesses root =
            RankProcesses.meeting(
                1,
                (rank, command) -> network.near().command(command),
                rank -> Map.of("NCCL_SOCKET_IFNAME", BadNetwork.DEVICE),
                "root")) {
      String id = root.await(0, "id ").substring(3);
      try (RankProcesses ranks =
          meeting(
              List.of(network.far(), network.far()),
              Map.of("NITINOL_UNIQUE_ID", id, "NCCL_SHM_DISABLE", "1"))) {
        succeed(ranks);
      }
    } catch (Unavailable e) {
      skip(e);
    }
  }
}
