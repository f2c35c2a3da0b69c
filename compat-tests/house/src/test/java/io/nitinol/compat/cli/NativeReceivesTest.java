// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.nativelib.CPlugin;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks over a native network that keeps each receive until irecvConsumed. */
class NativeReceivesTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {7, 12})
  @QuickRows(1)
  @Slow
  void areGivenBackToThePlugin(int version) throws Exception {
    Path library =
        CPlugin.compile(
            "loopback", directory.resolve("libkeeps.so"), "-DCONSUMES", "-DONLY=" + version);
    Map<String, String> variables =
        Map.of(
            "NCCL_NET_PLUGIN",
            library.toString(),
            "NCCL_P2P_DISABLE",
            "1",
            "NCCL_SHM_DISABLE",
            "1",
            "NITINOL_VALIDATE",
            "2",
            "NITINOL_TIMEOUT",
            "20");
    String line = "perf all_reduce -n 3 -b 4M -e 4M -w 1 --iters 20";
    try (CommandProcess perf = CommandProcess.start(variables, line.split(" "))) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      assertThat(perf.rows()).as("%s", perf).hasSize(1).allMatch(row -> row.matches(".* 0 .* 0"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 12})
  @QuickRows(2)
  @Slow
  void areGivenBackByTheKitToo(int version) throws Exception {
    Path library =
        CPlugin.compile(
            "loopback", directory.resolve("libkeeps.so"), "-DCONSUMES", "-DONLY=" + version);
    try (CommandProcess tck =
        CommandProcess.start(
            Map.of(), "tck", library.toString(), "--no-processes", "--rule", "NET-RECV-*")) {
      assertThat(tck.exit()).as("%s", tck).isZero();
    }
  }
}
