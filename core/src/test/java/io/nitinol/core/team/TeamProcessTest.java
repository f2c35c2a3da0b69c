// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Teams whose members are processes. */
class TeamProcessTest {
  /** Where the files are in memory; they are the test's own, by the directory. */
  @TempDir private Path temp;

  private final List<TeamProcess> processes = new ArrayList<>();

  @AfterEach
  void endAll() {
    processes.forEach(TeamProcess::close);
  }

  private TeamProcess start(List<String> prefix, int index, int members, String... scene)
      throws IOException {
    TeamProcess process = TeamProcess.start(prefix, temp, index, members, scene);
    processes.add(process);
    return process;
  }

  private List<Path> regions() throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      return files.filter(file -> file.getFileName().toString().startsWith("nitinol-")).toList();
    }
  }

  @Tag(Thorough.TAG)
  @ParameterizedTest
  @CsvSource({"LL, 2, 10000", "SIMPLE, 3, 1000"})
  void processesSeeWhatTheOthersPost(String protocol, int members, int few) throws Exception {
    String rounds = String.valueOf(Thorough.ON ? 5 * few : few);
    for (int i = 0; i < members; i++) {
      start(List.of(), i, members, "exchange", protocol, rounds);
    }
    for (TeamProcess each : processes) {
      each.await("there");
    }
    assertThat(regions()).isEmpty();
    for (TeamProcess each : processes) {
      each.await("done");
    }
  }

  /** Processes that make teams without end are killed; the next one cleans up after them. */
  @Test
  @Slow
  void killedProcessLeavesNothingOnceTheNextHasStarted() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int left = 0;
    for (int round = 0; left < 3; round++) {
      assertThat(round).as("kills that met no file with a name, seed %d", seed).isLessThan(40);
      try (TeamProcess process = TeamProcess.start(List.of(), temp, 0, 3, "again")) {
        process.await("made");
        assertThat(regions()).as("seed %d", seed).allMatch(isOf(process));
        LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(50)));
        process.kill();
        process.exit();
      }
      left += regions().isEmpty() ? 0 : 1;
    }
    start(List.of(), 0, 3, "again").await("made");
    assertThat(regions()).as("seed %d", seed).allMatch(isOf(processes.getLast()));
  }

  private static Predicate<Path> isOf(TeamProcess process) {
    return file -> file.getFileName().toString().startsWith("nitinol-" + process.pid() + "-");
  }

  @Test
  void fullDirectoryIsAClearErrorAndNoCrash() throws Exception {
    List<String> small =
        List.of(
            "unshare",
            "-m",
            "sh",
            "-c",
            "mount -t tmpfs -o size=1m tmpfs '" + temp + "' || { echo denied; exit; }; exec \"$@\"",
            "sh");
    TeamProcess process;
    try {
      process = start(small, 0, 2, "fill");
      String failed = process.await("failed ");
      assertThat(failed)
          .contains("bytes of shared memory in " + temp)
          .contains("bytes free of 1048576")
          .contains("No space left on device")
          .contains("NCCL_SHM_DISABLE=1");
      assertThat(failed).containsPattern("cannot get 12\\d{5} bytes");
    } catch (IOException | AssertionError e) {
      String reason = String.valueOf(e.getMessage());
      boolean cannot =
          e instanceof IOException
              || reason.contains("denied")
              || reason.contains("unshare failed")
              || reason.contains("Operation not permitted");
      if (!cannot) {
        throw e;
      }
      System.err.println("a full /dev/shm is not tried: no file system of ours here: " + reason);
      assumeTrue(false, "cannot mount a small file system: " + reason);
      return;
    }
    assertThat(process.await("files ")).isEqualTo("[]");
  }
}
