// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A rank is killed, stopped or aborts at a random moment: all others report it in time, go on
 * without it, and leave nothing behind.
 */
@Timeout(300)
class SurvivalTest {
  private static final int RANKS = 4;

  /** Seconds of silence that the ranks are told to bear. */
  private static final int SILENCE = 4;

  @ParameterizedTest(name = "{0}, P2P and SHM off: {1}")
  @CsvSource({"kill, 0", "kill, 1", "stop, 0", "stop, 1", "abort, 0", "abort, 1"})
  @QuickRows({2, 3, 5})
  @FirstRows(2)
  void theOthersNameTheVictimAndGoOn(String fault, int netOnly) throws Exception {
    long seed = Long.getLong("nitinol.random.seed", System.nanoTime());
    System.err.println("SurvivalTest " + fault + ": seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    int victim = random.nextInt(RANKS);
    boolean aborts = fault.equals("abort");
    Map<String, String> variables =
        Map.of(
            "NITINOL_TIMEOUT",
            Integer.toString(SILENCE),
            "NCCL_SHM_DISABLE",
            Integer.toString(netOnly));
    try (RankProcesses ranks =
        new RankProcesses(
            RANKS,
            rank -> variables,
            "survivor",
            Long.toString(seed),
            Integer.toString(aborts ? victim : -1))) {
      for (int r = 0; r < RANKS; r++) {
        ranks.await(r, "running");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(300)));
      switch (fault) {
        case "kill" -> ranks.kill(victim);
        case "stop" -> ranks.signal(victim, "STOP");
        default -> ranks.tell(victim);
      }
      for (int r = 0; r < RANKS; r++) {
        if (r != victim) {
          String failed = ranks.await(r, "failed");
          assertThat(failed).as("rank %d, seed %d", r, seed).startsWith("failed " + victim + " ");
        }
      }
      for (int r = 0; r < RANKS; r++) {
        if (r != victim) {
          assertThat(ranks.await(r, "shrunk")).isEqualTo("shrunk " + (RANKS - 1));
          assertThat(ranks.await(r, "left")).isEqualTo("left []");
          assertThat(ranks.exit(r)).isZero();
        }
      }
      if (fault.equals("stop")) {
        ranks.signal(victim, "CONT");
      }
      if (!fault.equals("kill")) {
        assertThat(ranks.await(victim, "failed")).startsWith("failed ");
        assertThat(ranks.await(victim, "left")).isEqualTo("left []");
        assertThat(ranks.exit(victim)).isZero();
      }
    }
  }
}
