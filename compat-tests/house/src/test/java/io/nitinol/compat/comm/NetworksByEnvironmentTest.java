// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.nativelib.CPlugin;
import io.nitinol.spi.testing.Slow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One application, compiled once, goes from network to network by variables alone, and its results
 * have the same bits. Two ranks, so that no network has an order of its own to add in.
 */
@Timeout(420)
@Slow
class NetworksByEnvironmentTest {
  private static final int RANKS = 2;

  @TempDir private Path directory;

  /** Runs the application; returns the digest that all ranks printed, and what they logged. */
  private Run run(String name, Map<String, String> network) throws Exception {
    RankProcesses.Environment environment =
        rank -> {
          Map<String, String> variables = new HashMap<>(network);
          variables.put("NCCL_HOSTID", "host" + rank);
          variables.put("NCCL_DEBUG", "INFO");
          variables.put("NCCL_DEBUG_FILE", log(name, rank).toString());
          return variables;
        };
    StringBuilder logs = new StringBuilder();
    String digest = "";
    try (RankProcesses ranks = RankProcesses.of(DigestRank.class, RANKS, environment)) {
      for (int r = 0; r < RANKS; r++) {
        String line = ranks.await(r, "digest ");
        assertThat(ranks.exit(r)).isZero();
        assertThat(r == 0 ? line : digest).as("rank %d over %s", r, name).isEqualTo(line);
        digest = line;
      }
    }
    for (int r = 0; r < RANKS; r++) {
      logs.append(Files.readString(log(name, r)));
    }
    return new Run(digest, logs.toString());
  }

  private static boolean hasLibfabric() throws IOException {
    Process process = new ProcessBuilder("/sbin/ldconfig", "-p").start();
    process.getOutputStream().close();
    String libraries = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return libraries.contains("libfabric.so.1 ");
  }

  private record Run(String digest, String log) {}

  private Path log(String name, int rank) {
    return directory.resolve(name + "." + rank + ".log");
  }

  @Test
  void theSameApplicationHasTheSameBitsOverEachOfThem() throws Exception {
    Run socket = run("Socket", Map.of("NCCL_NET", "Socket"));
    assertThat(socket.log()).contains("Using network Socket");
    if (hasLibfabric()) {
      Run libfabric =
          run("libfabric", Map.of("NCCL_NET", "libfabric", "NITINOL_OFI_PROVIDER", "tcp"));
      assertThat(libfabric.log()).contains("NET/OFI : Using", "Using network libfabric");
      assertThat(libfabric.digest()).isEqualTo(socket.digest());
    } else {
      System.out.println("libfabric is left out: no libfabric.so.1 here (Debian: libfabric1)");
    }
    Path library = CPlugin.compile("loopback", directory.resolve("libcarries.so"), "-DONLY=11");
    Run loopback =
        run("Loopback", Map.of("NCCL_NET", "Loopback", "NCCL_NET_PLUGIN", library.toString()));
    assertThat(loopback.log()).contains("Using network Loopback");
    assertThat(loopback.digest()).isEqualTo(socket.digest());
    Run reduced =
        run(
            "Switch",
            Map.of(
                "NCCL_NET", "Socket",
                "NCCL_COLLNET_ENABLE", "1",
                "NITINOL_COLLNET", "Switch",
                "NCCL_ALGO", "allreduce:CollnetDirect,CollnetChain"));
    assertThat(reduced.log()).contains("Using CollNet Switch");
    assertThat(reduced.digest()).isEqualTo(socket.digest());
  }
}
