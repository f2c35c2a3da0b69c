// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A rank dies, and another one while the survivors shrink: the ranks that are left are told which
 * one, and shrink again without both.
 */
class SecondDeathTest {
  private static final int RANKS = 4;

  @ParameterizedTest(name = "rank {0} dies, then rank {1}; P2P and SHM off: {2}")
  @CsvSource({"0, 1, 0", "0, 3, 0", "2, 0, 0", "3, 2, 1"})
  @QuickRows(1)
  void theOthersAreToldAndShrinkAgain(int first, int second, int netOnly) throws Exception {
    Map<String, String> variables = Map.of("NCCL_SHM_DISABLE", Integer.toString(netOnly));
    try (RankProcesses ranks =
        new RankProcesses(RANKS, rank -> variables, "shrinker", Integer.toString(second))) {
      for (int r = 0; r < RANKS; r++) {
        ranks.await(r, "running");
      }
      ranks.kill(first);
      int[] left =
          IntStream.range(0, RANKS).filter(rank -> rank != first && rank != second).toArray();
      for (int r : left) {
        assertThat(ranks.await(r, "failed")).startsWith("failed " + first + " ");
        ranks.await(r, "shrinks"); // and waits for the second, which lingers
      }
      ranks.await(second, "failed");
      ranks.kill(second);
      for (int r : left) {
        assertThat(ranks.await(r, "lost")).startsWith("lost " + second + " REMOTE_ERROR ");
        assertThat(ranks.await(r, "shrunk")).isEqualTo("shrunk " + left.length);
        assertThat(ranks.await(r, "left")).isEqualTo("left []");
        assertThat(ranks.exit(r)).isZero();
      }
    }
  }

  @ParameterizedTest(name = "second death {0}")
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  @QuickRows(1)
  @Slow
  void aDeathAtAnyMomentOfTheShrinkIsToldToo(int number) throws Exception {
    long seed = Long.getLong("nitinol.random.seed", System.nanoTime());
    System.err.println("SecondDeathTest " + number + ": seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    int first = random.nextInt(RANKS);
    int second = (first + 1 + random.nextInt(RANKS - 1)) % RANKS;
    try (RankProcesses ranks = new RankProcesses(RANKS, "shrinker", "-1")) {
      for (int r = 0; r < RANKS; r++) {
        ranks.await(r, "running");
      }
      ranks.kill(first);
      ranks.await(second, "shrinks");
      LockSupport.parkNanos(random.nextInt(60_000_000));
      ranks.kill(second);
      for (int r = 0; r < RANKS; r++) {
        if (r != first && r != second) {
          // If it dies after the last operation of the others, no rank needs it.
          String size = ranks.await(r, "shrunk");
          assertThat(size).as("seed " + seed).isIn("shrunk 2", "shrunk 3");
          assertThat(ranks.await(r, "left")).isEqualTo("left []");
          assertThat(ranks.exit(r)).isZero();
        }
      }
    }
  }
}
