// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.netns.Cabling;
import io.nitinol.netns.Namespace;
import io.nitinol.netns.Unavailable;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What happens to an interface in the middle of a job of two hosts: the results are right if it is
 * as it was in time, otherwise both ranks fail with an error that names the other. The hosts are
 * connected through a switch.
 */
class InterfaceFaultsTest {
  /** Two ranks send about as many bytes as they reduce: a round of these takes 0.2 s. */
  private static final String COUNT = "1000000";

  /** Seconds of silence that the ranks bear where they are to fail, and where they are not. */
  private static final int SILENCE = 4;

  private static final int PATIENCE = 600;

  private static final int SWITCH = 2;

  @TempDir private Path directory;

  private Cabling hosts;

  /** Something that takes the way between the hosts away, and brings it back. */
  private enum Fault {
    DOWN {
      @Override
      void begin(Cabling hosts) throws IOException {
        hosts.host(0).run("ip link set eth0 down");
      }

      @Override
      void end(Cabling hosts) throws IOException {
        hosts.host(0).run("ip link set eth0 up");
      }
    },
    ADDRESS_REMOVED {
      @Override
      void begin(Cabling hosts) throws IOException {
        hosts.host(0).run("ip addr flush dev eth0");
      }

      @Override
      void end(Cabling hosts) throws IOException {
        hosts.host(0).run("ip addr add 10.0.0.1/24 dev eth0");
      }
    },
    DELETED {
      @Override
      void begin(Cabling hosts) throws IOException {
        hosts.host(0).run("ip link del eth0");
      }

      @Override
      void end(Cabling hosts) throws IOException, Unavailable {
        hosts.lay(0, "eth0", SWITCH, "port0");
        hosts.host(SWITCH).run("ip link set port0 master br0");
        hosts.host(0).run("ip addr add 10.0.0.1/24 dev eth0");
      }
    },
    /** Frames that are too long for the second half of the way are lost, and nobody is told. */
    BLACK_HOLE {
      @Override
      void begin(Cabling hosts) throws IOException {
        hosts.host(SWITCH).run("ip link set port0 mtu 1280; ip link set port1 mtu 1280");
      }

      @Override
      void end(Cabling hosts) throws IOException {
        hosts.host(SWITCH).run("ip link set port0 mtu 1500; ip link set port1 mtu 1500");
      }
    };

    abstract void begin(Cabling hosts) throws IOException;

    abstract void end(Cabling hosts) throws IOException, Unavailable;
  }

  @BeforeEach
  void lay() throws Exception {
    try {
      hosts = Cabling.open(3);
      for (int host = 0; host < 2; host++) {
        hosts.lay(host, "eth0", SWITCH, "port" + host);
        // A segment of TCP is a frame, as on a real wire; at 200 Mbit/s.
        Namespace here = hosts.host(host);
        here.run(
            """
            ip link set eth0 gso_max_segs 1
            ip addr add 10.0.0.%d/24 dev eth0
            tc qdisc replace dev eth0 root tbf rate 200mbit burst 131072 latency 5ms
            """
                .formatted(host + 1));
      }
      hosts.bridge(SWITCH, "port0", "port1");
    } catch (Unavailable e) {
      System.err.println("InterfaceFaultsTest: no switch between hosts: " + e.getMessage());
      abort(e.getMessage());
    }
  }

  @AfterEach
  void takeAway() throws Exception {
    if (hosts != null) {
      hosts.close();
    }
  }

  private RankProcesses ranks(int rounds, int silence) throws IOException {
    return RankProcesses.meeting(
        2,
        (rank, command) -> hosts.host(rank).command(command),
        rank ->
            Map.of(
                "NCCL_SOCKET_IFNAME",
                "eth0",
                "NITINOL_UNIQUE_ID_FILE",
                directory.resolve("id").toString(),
                "NITINOL_TIMEOUT",
                Integer.toString(silence),
                "NCCL_HOSTID",
                "host" + rank),
        "rounds",
        Integer.toString(rounds),
        COUNT);
  }

  private static void endWell(RankProcesses ranks, int rounds) throws InterruptedException {
    for (int rank = 0; rank < 2; rank++) {
      ranks.await(rank, "round " + (rounds - 1));
      ranks.await(rank, "right");
      assertThat(ranks.exit(rank)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  @QuickRows(3)
  void aFaultThatEndsInTime(Fault fault) throws Exception {
    int rounds = 8;
    try (RankProcesses ranks = ranks(rounds, PATIENCE)) {
      ranks.await(0, "round 1");
      fault.begin(hosts);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(600));
      fault.end(hosts);
      endWell(ranks, rounds);
    }
  }

  @ParameterizedTest
  @EnumSource
  @QuickRows(4)
  @Slow
  void aFaultThatStays(Fault fault) throws Exception {
    try (RankProcesses ranks = ranks(1000, SILENCE)) {
      ranks.await(0, "round 1");
      fault.begin(hosts);
      for (int rank = 0; rank < 2; rank++) {
        String failed = ranks.await(rank, "failed");
        System.err.println("InterfaceFaultsTest, " + fault + ", rank " + rank + ": " + failed);
        assertThat(failed).contains("nothing has moved").contains("rank " + (1 - rank));
        if (fault != Fault.BLACK_HOLE) { // through which the ranks still hear of each other
          assertThat(failed).contains("is its host still reached?");
        }
        assertThat(ranks.exit(rank)).isEqualTo(3);
      }
    }
  }

  @Test
  @Thorough
  void framesMayBecomeShorterAndLonger() throws Exception {
    int rounds = 12;
    try (RankProcesses ranks = ranks(rounds, PATIENCE)) {
      ranks.await(0, "round 1");
      mtu(1280, 0, 1, SWITCH);
      ranks.await(0, "round 4");
      mtu(9000, SWITCH, 0, 1);
      ranks.await(0, "round 7");
      mtu(1500, 0, 1, SWITCH);
      endWell(ranks, rounds);
    }
  }

  /** Sets the longest frames, hosts and switch in an order in which none is lost. */
  private void mtu(int bytes, int... order) throws IOException {
    for (int host : order) {
      hosts
          .host(host)
          .run(
              host == SWITCH
                  ? "ip link set port0 mtu %1$d; ip link set port1 mtu %1$d".formatted(bytes)
                  : "ip link set eth0 mtu " + bytes);
    }
  }
}
