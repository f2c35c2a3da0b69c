// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hierarchical all-reduce with real ranks, on hosts as {@code NCCL_HOSTID} tells them. */
class HierarchyTest {
  /** From one element to several rounds of several channels, in the middle of a cache line. */
  private static final int[] COUNTS = {1, 17, 5_000, 65_537, 700_001};

  @ParameterizedTest(name = "hosts {0}, P2P off: {1}")
  @CsvSource({"0011, 0", "0011, 1", "01, 0", "0122, 0", "01010, 1", "0001112, 0", "0001112, 1"})
  void sumsOverAllRanks(String hosts, String noP2p) throws Exception {
    int n = hosts.length();
    MemoryNet net = new MemoryNet(n);
    CommConfig first = config(hosts, 0, noP2p, net);
    UniqueId id = UniqueId.create(first.settings(), first.logger());
    List<CompletableFuture<Long>> running = new ArrayList<>();
    for (int r = 0; r < n; r++) {
      int rank = r;
      running.add(
          RankThreads.inThread(() -> {
            CommConfig config = config(hosts, rank, noP2p, net);
            try (Communicator communicator = Communicator.init(id, n, rank, config)) {
              return wrongElements(communicator);
            }
          }));
    }
    for (CompletableFuture<Long> each : running) {
      assertThat(RankThreads.get(each)).isZero();
    }
  }

  private static long wrongElements(Communicator communicator) {
    int n = communicator.size();
    long wrong = 0;
    for (int repeat = 0; repeat < 3; repeat++) {
      for (int count : COUNTS) {
        long[] mine = new long[count];
        for (int i = 0; i < count; i++) {
          mine[i] = 1_000L * communicator.rank() + i + repeat;
        }
        communicator.blocking().allReduce(mine, ReductionOp.SUM);
        for (int i = 0; i < count; i++) {
          wrong += mine[i] == 1_000L * RankThreads.gauss(n) + (long) n * (i + repeat) ? 0 : 1;
        }
      }
    }
    return wrong;
  }

  private static CommConfig config(String hosts, int rank, String noP2p, MemoryNet net) {
    Map<String, String> values = new HashMap<>();
    values.put("NCCL_SOCKET_IFNAME", "lo");
    values.put("NITINOL_BOOTSTRAP_TIMEOUT", "50");
    values.put("NCCL_HOSTID", "host " + hosts.charAt(rank));
    values.put("NCCL_P2P_DISABLE", noP2p);
    values.put("NCCL_ALGO", "allreduce:hierarchy"); // and an error if that cannot be done
    return CommConfig.standard().withSettings(Settings.of(values)).withNet(net);
  }
}
