// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.netns.Tmpfs;
import io.nitinol.netns.Unavailable;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Buffers of {@code Communicator.allocate} between processes: every collective, and failures. */
@Timeout(300)
class AllocatedBuffersTest {
  private static final String COUNT = "700001";

  @TempDir private Path temp;

  @ParameterizedTest(name = "{0} ranks, {1} helpers")
  @CsvSource({"2, 0", "3, 2"})
  @QuickRows(2)
  @Slow
  void everyWayGivesTheSameBits(int n, String helpers) throws Exception {
    Path log = temp.resolve("log");
    RankProcesses.Environment variables =
        rank ->
            Map.of(
                "NITINOL_HELPER_THREADS",
                helpers,
                "NCCL_ALGO",
                "direct", // a ring adds up in another order
                "NCCL_DEBUG",
                "INFO",
                "NCCL_DEBUG_SUBSYS",
                "TUNING",
                "NCCL_DEBUG_FILE",
                log + "." + rank);
    try (RankProcesses ranks = RankProcesses.of(AllocatedRank.class, n, variables, "bits", COUNT)) {
      for (int r = 0; r < n; r++) {
        ranks.await(r, "same");
        assertThat(ranks.exit(r)).isZero();
        assertThat(Files.readString(Path.of(log + "." + r)))
            .contains("all_reduce")
            .contains("DIRECT/SIMPLE on 1 channel, in place where all buffers are allocated");
      }
    }
  }

  /** What the log tells is the choice; the steps tell what was done. */
  @Test
  void operationOnAllocatedBuffersRunsInPlaceAndOneOnOthersDoesNot() throws Exception {
    int n = 3;
    Map<String, String> variables = Map.of("NITINOL_HELPER_THREADS", "0", "NCCL_ALGO", "direct");
    try (RankProcesses ranks =
        RankProcesses.of(AllocatedRank.class, n, rank -> variables, "witness", COUNT)) {
      for (int r = 0; r < n; r++) {
        assertThat(ranks.await(r, "ordinary")).contains("FOLD").doesNotContain("FOLD_DIRECT");
        assertThat(ranks.await(r, "allocated")).contains("FOLD_DIRECT[");
        assertThat(ranks.exit(r)).isZero();
      }
    }
  }

  @Test
  void rankThatDiesInTheMiddleFailsTheOthersWhoKeepTheirBuffers() throws Exception {
    int n = 3;
    Map<String, String> variables = Map.of("NITINOL_TIMEOUT", "30", "NITINOL_HELPER_THREADS", "1");
    try (RankProcesses ranks =
        RankProcesses.of(AllocatedRank.class, n, rank -> variables, "endless", COUNT)) {
      for (int r = 0; r < n; r++) {
        ranks.await(r, "running");
      }
      LockSupport.parkNanos(
          TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextInt(100)));
      ranks.kill(1);
      for (int r : new int[] {0, 2}) {
        assertThat(ranks.await(r, "failed")).startsWith("failed 1 ");
        ranks.await(r, "still there");
        assertThat(ranks.exit(r)).isZero();
      }
    }
  }

  @Test
  void ranksThatFitAloneButNotTogetherAreRefusedBeforeAnyTakesMemory() throws Exception {
    int n = 2;
    try (Tmpfs memory = tmpfs(64L << 20)) {
      Map<String, String> variables = Map.of("NITINOL_SHM_DIR", memory.path().toString());
      try (RankProcesses ranks =
          RankProcesses.of(AllocatedRank.class, n, rank -> variables, "each", "41943040")) {
        for (int r = 0; r < n; r++) {
          assertThat(ranks.await(r, "refused"))
              .startsWith(
                  "refused SYSTEM_ERROR 1 allocate: rank 1: cannot get 41943040 bytes of shared"
                      + " memory in ")
              .contains(": No space left on device for the 83886080 bytes of all ranks together (");
          assertThat(ranks.await(r, "sum")).isEqualTo("sum 2.0");
          assertThat(ranks.exit(r)).isZero();
        }
      }
    }
  }

  private static Tmpfs tmpfs(long bytes) throws IOException {
    try {
      return Tmpfs.open(bytes);
    } catch (Unavailable e) {
      System.err.println("not tested, for want of a small file system: " + e.getMessage());
      return abort(e.getMessage());
    }
  }

  @Test
  void rankWithoutRoomIsNamedOnAllRanksWhichGoOn() throws Exception {
    int n = 3;
    try (RankProcesses ranks = RankProcesses.of(AllocatedRank.class, n, rank -> Map.of(), "full")) {
      for (int r = 0; r < n; r++) {
        assertThat(ranks.await(r, "refused"))
            .startsWith(
                "refused SYSTEM_ERROR 1 allocate: rank 1: cannot get 1125899906842624 bytes")
            .contains("No space left on device");
        assertThat(ranks.await(r, "sum")).isEqualTo("sum 3.0");
        assertThat(ranks.exit(r)).isZero();
      }
    }
  }
}
