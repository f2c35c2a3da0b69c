// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A rank that waits for another one reports it on a signal, while its own thread is stuck. */
class StateDumpTest {

  @ParameterizedTest
  @CsvSource({"0, USR1", "1, USR1", "0, USR2"})
  @QuickRows({2, 3})
  @FirstRows(2)
  void aSignalTellsWhatARankWaitsFor(String withoutSharedMemory, String signal) throws Exception {
    RankProcesses.Environment environment =
        rank -> Map.of("NCCL_SHM_DISABLE", withoutSharedMemory, "NITINOL_DUMP_SIGNAL", signal);
    try (RankProcesses ranks = new RankProcesses(2, environment, "lonely")) {
      ranks.await(1, "absent");
      ranks.await(0, "alone");
      ranks.signal(0, signal);
      assertThat(ranks.await(0, "Nitinol, process ")).endsWith(": 1 communicator(s)");
      assertThat(ranks.await(0, ""))
          .contains("rank 0 of 2, 1 of 2 operations done")
          .doesNotContain("failed");
      assertThat(ranks.await(0, "  operation "))
          .startsWith("  operation 2, all_reduce of 16 float sum, ");
      assertThat(ranks.await(0, "    channel 0")).containsPattern("waits for .*rank 1");
      ranks.signal(1, signal);
      assertThat(ranks.await(1, "Nitinol, process ")).endsWith(": 1 communicator(s)");
      assertThat(ranks.await(1, "")).contains("rank 1 of 2, 1 of 1 operations done");
    }
  }
}
