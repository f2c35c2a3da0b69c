// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many more ranks than processors, in one process and in as many as ranks. */
@Timeout(240)
class ManyRanksTest {
  @Test
  void sixtyFourThreadsDoEveryCollective() throws Exception {
    RankThreads.withGroup(
        64,
        Map.of(),
        comm -> {
          EveryCollective.runAll(comm);
          return null;
        });
  }

  @Test
  void thirtyTwoProcessesDoEveryCollective() throws Exception {
    try (RankProcesses ranks = new RankProcesses(32, "every")) {
      for (int r = 0; r < 32; r++) {
        String initialised = ranks.await(r, "initialised", 120);
        if (r == 31) {
          System.err.println("32 processes: rank 31 " + initialised);
        }
      }
      for (int r = 0; r < 32; r++) {
        ranks.await(r, "right", 120);
        ranks.await(r, "closed", 60);
        assertThat(ranks.exit(r, 30)).isZero();
      }
    }
  }
}
