// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag(Thorough.TAG) // with ranks that C2 compiles
class ProcessesTest {
  @Test
  void fourProcessesReduceAndLeave() throws Exception {
    try (RankProcesses ranks = new RankProcesses(4, "verify")) {
      for (int r = 0; r < 4; r++) {
        ranks.await(r, "right");
        ranks.await(r, "closed");
        assertThat(ranks.exit(r)).isZero();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1024, endless",
    "2, 1024, endless",
    "3, 4194304, endless",
    "1, 4096, persistent",
    "2, 4194304, persistent"
  })
  @QuickRows({3, 4})
  @FirstRows(3)
  void everyRankNamesTheOneThatWasKilled(int victim, long bytes, String task) throws Exception {
    // No silence makes them fail, only the end of the connections.
    Map<String, String> variables = Map.of("NITINOL_TIMEOUT", "0");
    try (RankProcesses ranks =
        new RankProcesses(4, rank -> variables, task, Long.toString(bytes))) {
      for (int r = 0; r < 4; r++) {
        ranks.await(r, "running");
      }
      long killed = System.nanoTime();
      ranks.kill(victim);
      for (int r = 0; r < 4; r++) {
        if (r != victim) {
          assertThat(ranks.await(r, "failed")).startsWith("failed " + victim + " ");
          assertThat(ranks.exit(r)).isEqualTo(3);
        }
      }
      System.err.println(
          "killed rank %s: all others ended after %s ms"
              .formatted(victim, (System.nanoTime() - killed) / 1_000_000));
    }
  }

  /** The lowest rank leads the others when they shrink; it held the root, too. */
  @ParameterizedTest
  @CsvSource({"0, 1", "3, 0", "1, 2"})
  @QuickRows(1)
  @Slow
  void survivorsGoOnUntilOneIsLeft(int first, int second) throws Exception {
    List<Integer> left = new ArrayList<>(List.of(0, 1, 2, 3));
    try (RankProcesses ranks = new RankProcesses(4, "survive")) {
      for (int victim : new int[] {-1, first, second}) {
        if (victim >= 0) {
          ranks.kill(victim);
          left.remove(Integer.valueOf(victim));
        }
        int n = left.size();
        for (int place = 0; place < n; place++) {
          String said = ranks.await(left.get(place), "running " + n);
          assertThat(said).isEqualTo("running " + n + " " + place + " " + n * (n - 1) / 2);
        }
      }
      ranks.kill(left.removeFirst());
      ranks.await(left.getFirst(), "closed");
      assertThat(ranks.exit(left.getFirst())).isZero();
    }
  }
}
