// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Core and the plugins keep to the contract: where they did not, calls would fail here. */
class ValidateTest {

  @ParameterizedTest
  @CsvSource({
    "Socket, -n 2, 2",
    "Socket, -n 3 --threads, 1",
    "SampleMemory, -n 2, 2",
    "SampleMemory, -n 3 --threads, 1",
    "SampleV4, -n 2, 2",
    "SampleV4, -n 3 --threads, 1",
    "SampleV5, -n 2, 2",
    "SampleV5, -n 3 --threads, 1",
  })
  @QuickRows({1, 8})
  @FirstRows(1)
  void anAllReduceBreaksNothing(String network, String ranks, int processes) throws Exception {
    try (CommandProcess perf =
        CommandProcess.start(
            Map.of(
                "NITINOL_VALIDATE", "2",
                "NITINOL_PLUGIN_PATH", System.getProperty("nitinol.samples.path"),
                "NCCL_NET", network,
                // The ranks of one host need a network only where they share no memory.
                "NCCL_P2P_DISABLE", "1",
                "NCCL_SHM_DISABLE", "1",
                "NCCL_MIN_NCHANNELS", "2",
                "NCCL_DEBUG", "INFO",
                "NCCL_DEBUG_SUBSYS", "NET"),
            ("perf all_reduce -b 8 -e 3000008 -f 50 -w 1 --iters 3 " + ranks).split(" +", -1))) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      assertThat(perf.rows()).hasSize(4).allMatch(row -> row.matches(".* 0 .* 0"));
      assertThat(perf.out()).contains("Using network " + network);
      List<String> said = perf.err().lines().filter(l -> l.contains("NITINOL_VALIDATE: ")).toList();
      assertThat(said)
          .as("%s", perf)
          .filteredOn(line -> !line.contains(" took "))
          .hasSize(processes)
          .allMatch(line ->
              line.matches(
                  ".*: %s: the \\d+ listeners and comms so far are closed: no violations"
                      .formatted(network)));
    }
  }
}
