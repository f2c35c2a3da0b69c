// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.chaos.SumCheck;
import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.core.plugin.PluginSession;
import io.nitinol.net.socket.SocketNet;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.testing.Slow;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A port scan while ranks meet and reduce changes nothing but a few lines of the log. */
class PortScanTest {
  private static final int ROUNDS = 3;
  private static final int RANKS = 3;
  private static final Pattern DROPPED = Pattern.compile("dropped a connection from [0-9\\[]");

  private final List<String> warnings = new CopyOnWriteArrayList<>();

  private final DebugLogger log =
      new DebugLogger() {
        @Override
        public boolean isEnabled(LogLevel level, long subsystems) {
          return level == LogLevel.WARN;
        }

        @Override
        public void log(
            LogLevel level, long subsystems, String location, int line, String message) {
          if (level == LogLevel.WARN) {
            warnings.add(message);
          }
        }
      };

  @Test
  @Slow
  void ranksOverSocketsReduceRightWhileTheirPortsAreScanned() throws Exception {
    assumeTrue(PortScan.isPossible(), "no tables of sockets under /proc/self here");
    Net net = new SocketNet();
    try (PluginSession<Net> probe = PluginSession.begin(net, 0, NetCommConfig.DEFAULT, log, null)) {
      assumeTrue(probe.net().devices() > 0, "no interface here that sockets could use");
    }
    reduce(config(net), 0);
    Set<String> warnedAnyway = new HashSet<>(warnings);
    warnings.clear();
    try (PortScan scan = PortScan.start()) {
      CommConfig scanned = config(knockedAt(net, scan));
      for (int round = 0; round < ROUNDS; round++) {
        reduce(scanned, round);
      }
      System.err.println(
          ("ranksOverSocketsReduceRightWhileTheirPortsAreScanned: %s knocks, %s warnings")
              .formatted(scan.knocks(), warnings.size()));
      assertThat(warnings)
          .anyMatch(line -> line.contains("NET/Socket: listener") && DROPPED.matcher(line).find())
          .allMatch(line -> DROPPED.matcher(line).find() || warnedAnyway.contains(line));
      // Each bootstrap and listener tells of a few strangers and then of ever fewer.
      assertThat(warnings).hasSizeLessThan(scan.knocks() / 2);
    }
  }

  private CommConfig config(Net net) {
    return RankThreads.config(
            Map.of("NCCL_P2P_DISABLE", "1", "NCCL_SHM_DISABLE", "1", "NCCL_MIN_NCHANNELS", "2"))
        .withNet(net)
        .withLogger(log);
  }

  /** Waits for a stranger at every listener, since the network listens only while ranks connect. */
  private static Net knockedAt(Net net, PortScan scan) {
    return (Net)
        Proxy.newProxyInstance(
            Net.class.getClassLoader(),
            new Class<?>[] {Net.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(net, arguments);
                if (method.getName().equals("listen")) {
                  scan.awaitPass();
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Lets ranks meet, connect, reduce and part. */
  private static void reduce(CommConfig config, long seed) throws Exception {
    List<Communicator> group = Communicator.initAll(RANKS, config);
    List<Future<Boolean>> results =
        RankThreads.run(
            group,
            comm -> {
              for (int i = 0; i < 10; i++) {
                SumCheck.allReduce(comm, 1 + 3001L * i, i % 2 == 0, seed + i);
              }
              return true;
            });
    for (Future<Boolean> result : results) {
      assertThat(result.get()).isTrue();
    }
    group.forEach(Communicator::close);
  }
}
