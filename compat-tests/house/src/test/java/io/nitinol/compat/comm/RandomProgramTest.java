// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.chaos.RandomProgram;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random programs, with every transport and over several hosts as the ranks are told. */
@Tag(Thorough.TAG)
@Timeout(300)
class RandomProgramTest {
  /** How many programs each test runs, 1 by default; more find rare failures. */
  private static final int PROGRAMS = Integer.getInteger("nitinol.random.programs", 1);

  private static final int STEPS = Thorough.ON ? 400 : 150;

  @ParameterizedTest(name = "{0} ranks, P2P off: {1}, SHM off: {2}, LL off: {3}")
  @CsvSource({
    "1, 0, 0, 0",
    "2, 0, 0, 0",
    "3, 0, 0, 0",
    "5, 0, 0, 0",
    "8, 0, 0, 0",
    "4, 1, 0, 0",
    "3, 1, 1, 0",
    "4, 1, 1, 0",
    "4, 0, 0, 1"
  })
  @QuickRows({5, 6, 8, 9})
  @FirstRows(6)
  void threadsComputeWhatTheModelDoes(int ranks, int noP2p, int noShm, int noLl) throws Exception {
    for (int p = 0; p < PROGRAMS; p++) {
      long seed = seed(ranks);
      Map<String, String> variables =
          Map.of(
              "NCCL_P2P_DISABLE",
              Integer.toString(noP2p),
              "NCCL_SHM_DISABLE",
              Integer.toString(noShm),
              "NCCL_PROTO",
              noLl == 1 ? "^LL" : "");
      RankThreads.withGroup(
          ranks,
          variables,
          communicator -> {
            new RandomProgram(seed, communicator).run(STEPS);
            return null;
          });
    }
  }

  @ParameterizedTest
  @CsvSource({"ring", "tree", "doubling", "direct"})
  void everyAlgorithmComputesWhatTheModelDoes(String algorithm) throws Exception {
    long seed = seed(5);
    RankThreads.withGroup(
        5,
        Map.of("NCCL_ALGO", algorithm),
        communicator -> {
          new RandomProgram(seed, communicator).run(STEPS / 2);
          return null;
        });
  }

  @Test
  void processesComputeWhatTheModelDoes() throws Exception {
    processes(4, rank -> Map.of());
  }

  @Thorough
  @Test
  void processesWithoutSharedMemoryComputeWhatTheModelDoes() throws Exception {
    processes(3, rank -> Map.of("NCCL_P2P_DISABLE", "1", "NCCL_SHM_DISABLE", "1"));
  }

  @Thorough
  @Test
  void twoHostsOfTwoComputeWhatTheModelDoes() throws Exception {
    processes(4, rank -> Map.of("NCCL_HOSTID", "host-" + rank / 2));
  }

  @Test
  @Slow
  void hostsOfDifferentSizesComputeWhatTheModelDoes() throws Exception {
    processes(6, rank -> Map.of("NCCL_HOSTID", "host-" + (rank == 0 ? 0 : rank == 4 ? 1 : 2)));
  }

  private static void processes(int ranks, RankProcesses.Environment environment) throws Exception {
    for (int p = 0; p < PROGRAMS; p++) {
      String seed = Long.toString(seed(ranks));
      try (RankProcesses processes =
          new RankProcesses(ranks, environment, "random", seed, Integer.toString(STEPS))) {
        for (int r = 0; r < ranks; r++) {
          processes.await(r, "right");
          processes.await(r, "closed");
          assertThat(processes.exit(r)).isZero();
        }
      }
    }
  }

  private static long seed(int ranks) {
    long seed = Long.getLong("nitinol.random.seed", System.nanoTime());
    System.err.println("RandomProgramTest of " + ranks + " ranks: seed " + seed);
    return seed;
  }
}
