// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.log.Log;
import io.nitinol.netns.Unavailable;
import io.nitinol.netns.Veth;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Faults of the cable between two hosts with a rank each, while these reduce: the results are
 * right, or both fail in time with an error that names the other rank.
 */
class CableFaultsTest {
  /** Two ranks send about as many bytes as they reduce: a round of these takes 0.3 s. */
  private static final String COUNT = "4000000";

  private static final int MEGABITS = 500;

  /** Seconds of silence that the ranks are told to bear. */
  private static final int SILENCE = 4;

  /** And where all is to go on: each try of TCP is twice as long after the one before. */
  private static final int PATIENCE = 600;

  /** Waits at most 100 s for a quarter of a round to have left, and pulls the cable out. */
  private static final String PULL_IN_THE_MIDDLE =
      """
      sent() {
        while read -r name b c d e f g h i bytes rest; do
          if [ "$name" = eth0: ]; then echo "$bytes"; fi
        done </proc/net/dev
      }
      quarter=$(($(sent) + 4000000))
      for i in $(seq 20000); do
        if [ "$(sent)" -ge $quarter ]; then exec ip link set eth0 down; fi
        sleep 0.005
      done
      echo "eth0 has sent $(sent) bytes, $quarter were expected"
      false
      """;

  private Veth cable;

  @BeforeEach
  void lay() throws Exception {
    try {
      cable = Veth.open();
      cable.shape(MEGABITS);
    } catch (Unavailable e) {
      skip(e);
    }
  }

  @AfterEach
  void takeAway() throws Exception {
    if (cable != null) {
      cable.close();
    }
  }

  private static void skip(Unavailable e) {
    String reason = "no cables to pull out: " + e.getMessage();
    System.err.println("CableFaultsTest: " + reason);
    abort(reason);
  }

  private RankProcesses ranks(int sockets, int rounds, int silence) throws Exception {
    Map<String, String> variables =
        Map.of(
            "NCCL_SOCKET_IFNAME",
            "=" + Veth.DEVICE,
            "NCCL_COMM_ID",
            cable.address(cable.near()) + ":4711",
            "NITINOL_TIMEOUT",
            Integer.toString(silence),
            "NCCL_NSOCKS_PERTHREAD",
            Integer.toString(sockets),
            "NCCL_SOCKET_NTHREADS",
            "1");
    return new RankProcesses(
        2,
        UniqueId.create(Settings.of(variables), Log.process()),
        (rank, command) -> (rank == 0 ? cable.near() : cable.far()).command(command),
        rank -> {
          Map<String, String> own = new HashMap<>(variables);
          own.put("NCCL_HOSTID", "host" + rank);
          return own;
        },
        "rounds",
        Integer.toString(rounds),
        COUNT);
  }

  private static void areRunning(RankProcesses ranks) throws InterruptedException {
    for (int rank = 0; rank < 2; rank++) {
      ranks.await(rank, "round 0");
    }
  }

  private static void bothFail(RankProcesses ranks, List<String> causes)
      throws InterruptedException {
    for (int rank = 0; rank < 2; rank++) {
      String failed = ranks.await(rank, "failed");
      System.err.println("CableFaultsTest, rank " + rank + ": " + failed);
      assertThat(failed).startsWith("failed " + (1 - rank) + " ");
      assertThat(causes).as(failed).anyMatch(failed::contains);
      assertThat(ranks.exit(rank)).isEqualTo(3);
    }
  }

  @ParameterizedTest(name = "{0} sockets")
  @ValueSource(ints = {1, 4})
  @QuickRows(1)
  @Slow
  void aCableThatIsOutForAMoment(int sockets) throws Exception {
    int rounds = 10;
    try (RankProcesses ranks = ranks(sockets, rounds, PATIENCE)) {
      areRunning(ranks);
      cable.near().run(PULL_IN_THE_MIDDLE);
      long start = System.nanoTime();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1000));
      cable.near().run("ip link set eth0 up");
      for (int rank = 0; rank < 2; rank++) {
        ranks.await(rank, "round " + (rounds - 1));
        ranks.await(rank, "right");
        assertThat(ranks.exit(rank)).isZero();
      }
      System.err.printf(
          "CableFaultsTest, %d sockets: done %.1f s after the cable was out%n",
          sockets, (System.nanoTime() - start) / 1e9);
      // It was not over before the cable was out.
      assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(2000));
    }
  }

  @Test
  void aCableThatStaysOut() throws Exception {
    try (RankProcesses ranks = ranks(4, 1000, SILENCE)) {
      areRunning(ranks);
      cable.near().run(PULL_IN_THE_MIDDLE);
      bothFail(ranks, List.of("nothing has moved"));
    }
  }

  @ParameterizedTest(name = "{0} sockets")
  @ValueSource(ints = {1, 4})
  @QuickRows({2})
  @Slow
  void connectionsThatAreReset(int sockets) throws Exception {
    try (RankProcesses ranks = ranks(sockets, 1000, SILENCE)) {
      areRunning(ranks);
      String killed = cable.near().run("ss -tnKH dst " + cable.address(cable.far()));
      if (killed.isBlank()) {
        skipReset();
      }
      bothFail(ranks, List.of("reset", "abort"));
    } catch (Unavailable e) {
      skip(e);
    }
  }

  private static void skipReset() {
    String reason = "this kernel resets no connections (CONFIG_INET_DIAG_DESTROY)";
    System.err.println("CableFaultsTest: " + reason);
    abort(reason);
  }
}
