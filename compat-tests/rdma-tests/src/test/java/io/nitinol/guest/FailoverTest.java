// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Thorough;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Devices of two ports that lose one, in a guest with a second cable: rxe2 at 10.78.0.1 and rxe3 at
 * 10.78.0.2 are on its ends.
 */
@Thorough
@Timeout(7200)
class FailoverTest {
  private static final Duration LIMIT = Duration.ofSeconds(420);
  private static final int MTU = 4200;

  private static final String SECOND_CABLE =
      """
      ip link add veth2 type veth peer name veth3
      ip address add 10.78.0.1/24 dev veth2
      ip address add 10.78.0.2/24 dev veth3
      for each in veth2 veth3; do ip link set $each mtu 4200 up; done
      rdma link add rxe2 type rxe netdev veth2
      rdma link add rxe3 type rxe netdev veth3
      ip neighbour replace 10.78.0.2 lladdr $(cat /sys/class/net/veth3/address) dev veth2
      ip neighbour replace 10.78.0.1 lladdr $(cat /sys/class/net/veth2/address) dev veth3
      """;

  /** Pulls the second cable after 300 packets have gone over it. */
  private static final String PULL =
      """
      (
        counter=/sys/class/infiniband/rxe2/ports/1/hw_counters/sent_pkts
        least=$(($(cat $counter) + 300))
        until [ "$(cat $counter)" -gt $least ]; do sleep 0.05; done
        ip link set veth2 down
      ) &
      exec "$@"
      """;

  private static GuestRun run;

  @BeforeAll
  @Timeout(7200)
  static void runAll() throws Exception {
    List<GuestCommand> commands = new ArrayList<>();
    commands.add(new GuestCommand("cable", Duration.ofSeconds(20), "sh", "-ec", SECOND_CABLE));
    commands.add(
        JUnitBatch.ofTag(
            "tests",
            System.getProperty("nitinol.test.path"),
            "io.nitinol.net.ib",
            "two-cables",
            LIMIT));
    commands.add(allReduce());
    run = Guests.runWithoutCrash(FailoverTest.class, "net-ib", MTU, LIMIT, commands);
  }

  /** Two ranks on the device of rxe0 and rxe2. */
  private static GuestCommand allReduce() {
    Map<String, String> variables = new TreeMap<>();
    variables.put("NCCL_NET", "IB");
    variables.put("NCCL_SHM_DISABLE", "1");
    variables.put("NCCL_P2P_DISABLE", "1");
    variables.put("NCCL_SOCKET_IFNAME", "=lo");
    variables.put("NCCL_IB_HCA", "=rxe0,rxe2");
    variables.put("NCCL_NET_FORCE_MERGE", "rxe0,rxe2");
    variables.put("NCCL_IB_TIMEOUT", "14");
    variables.put("NCCL_IB_RETRY_CNT", "6");
    variables.put("NCCL_DEBUG", "WARN");
    // The limit of the command ends a hang, not these: on a busy machine a rank is that slow.
    variables.put("NITINOL_IB_CONNECT_MSEC", "600000");
    variables.put("NITINOL_IB_HANDSHAKE_MSEC", "600000");
    variables.put("NITINOL_BOOTSTRAP_TIMEOUT", "1200");
    variables.put("NITINOL_TIMEOUT", "1200");
    GuestCommand perf =
        NitinolCommand.of(
            "perf",
            Duration.ofSeconds(150),
            variables,
            "perf",
            "all_reduce",
            "-n",
            "2",
            "-b",
            "256K",
            "-e",
            "256K",
            "--iters",
            "40",
            "-w",
            "0");
    List<String> words = new ArrayList<>(List.of("sh", "-c", PULL, "sh"));
    words.addAll(perf.words());
    return new GuestCommand(perf.name(), words, perf.environment(), perf.limit());
  }

  @TestFactory
  List<DynamicNode> testsThatNeedTwoCables() throws Exception {
    return JUnitBatch.report(run.result("tests"));
  }

  @Test
  void anAllReduceGoesOnWithoutAPort() throws Exception {
    GuestResult perf = run.result("perf");
    assertThat(perf).returns(0, GuestResult::status);
    assertThat(perf.out()).containsPattern("Out of bounds values : 0 OK");
    assertThat(perf.out() + perf.err()).contains("goes on through rxe0:1 with 1 queue pair");
  }
}
