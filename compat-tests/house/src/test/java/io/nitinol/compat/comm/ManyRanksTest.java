// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many more ranks than processors, in one process and in as many as ranks. The work grows with the
 * square of their number, so that the build has fewer of them than {@code -Pthorough}.
 */
@Tag(Thorough.TAG)
class ManyRanksTest {
  private static final int THREADS = Thorough.ON ? 64 : 24;
  private static final int PROCESSES = Thorough.ON ? 32 : 8;

  @Test
  void manyThreadsDoEveryCollective() throws Exception {
    // A rank of which nothing is heard for 30 s, the usual limit, may only wait for its turn here.
    RankThreads.withGroup(
        THREADS,
        Map.of("NITINOL_TIMEOUT", "240"),
        comm -> {
          EveryCollective.runAll(comm);
          return null;
        });
  }

  @Test
  @Slow
  void manyProcessesDoEveryCollective() throws Exception {
    try (RankProcesses ranks = new RankProcesses(PROCESSES, "every")) {
      for (int r = 0; r < PROCESSES; r++) {
        String initialised = ranks.await(r, "initialised");
        if (r == PROCESSES - 1) {
          System.err.printf("%d processes: rank %d %s%n", PROCESSES, r, initialised);
        }
      }
      for (int r = 0; r < PROCESSES; r++) {
        ranks.await(r, "right");
        ranks.await(r, "closed");
        assertThat(ranks.exit(r)).isZero();
      }
    }
  }
}
