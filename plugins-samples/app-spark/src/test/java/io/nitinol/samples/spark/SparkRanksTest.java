// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of four barrier tasks on a cluster of four executors. */
@Timeout(900)
class SparkRanksTest {
  @TempDir Path directory;

  @Test
  void thePageHasTheProgram() throws IOException {
    Path module = Path.of("").toAbsolutePath();
    String source =
        Files.readString(module.resolve("src/main/java/io/nitinol/samples/spark/SparkMean.java"));
    String page = Files.readString(module.resolve("../../docs/several-hosts.md"));
    assertThat(page).contains("```java\n" + source.substring(source.indexOf("import ")) + "```\n");
  }

  @Test
  void eachRankLearnsTheMean() throws IOException, InterruptedException {
    assumeSpark();
    try (LocalCluster cluster = new LocalCluster(directory)) {
      assertThat(cluster.submit(SparkMean.class, "4"))
          .containsExactlyInAnyOrder(
              "rank 0 of 4: the mean is 500000.5",
              "rank 1 of 4: the mean is 500000.5",
              "rank 2 of 4: the mean is 500000.5",
              "rank 3 of 4: the mean is 500000.5");
    }
  }

  /** One program with three jobs: starting the cluster is what takes long. */
  @Test
  void sparkRunsAStageAgainThatHasLostARank() throws IOException, InterruptedException {
    assumeSpark();
    Path notes = directory.resolve("notes");
    for (String how : List.of("halt", "early", "throw")) {
      Files.createDirectories(notes.resolve(how));
    }
    List<String> printed;
    try (LocalCluster cluster = new LocalCluster(directory)) {
      printed = cluster.submit(FailingJob.class, notes.toString(), "halt", "early", "throw");
    }

    // The executor of rank 2 ends while the others are in an all-reduce with it.
    cameBack(printed, "halt");
    assertThat(removed(printed, FailingJob.HALTS)).hasSize(1);
    survivorsWereTold(notes.resolve("halt"));
    assertThat(processes(notes.resolve("halt"), 1))
        .doesNotHaveDuplicates()
        .doesNotContain(processes(notes.resolve("halt"), 0).get(FailingJob.LOST));

    // It ends when the others have the id and wait for it to come: no rank can tell who is missing.
    cameBack(printed, "early");
    assertThat(removed(printed, FailingJob.HALTS_EARLY)).hasSize(1);
    for (int rank : survivors()) {
      assertThat(failure(notes.resolve("early"), rank))
          .startsWith("io.nitinol.core.CommException: ")
          .contains("rank " + rank);
    }

    // Its task throws, and its executor lives on.
    cameBack(printed, "throw");
    survivorsWereTold(notes.resolve("throw"));
    assertThat(processes(notes.resolve("throw"), 1))
        .containsExactlyInAnyOrderElementsOf(processes(notes.resolve("throw"), 0));
    assertThat(printed.stream().filter(line -> line.startsWith("executor "))).hasSize(2);
  }

  private static void assumeSpark() {
    assumeTrue(LocalCluster.isLoaded(), "Spark is not there to run: the profile spark loads it");
  }

  /** The first attempt has failed, and a later one has given the right sums. */
  private static void cameBack(List<String> printed, String how) {
    assertThat(printed).anyMatch(line -> line.startsWith(how + ": attempt 0 failed: "));
    List<String> lines =
        printed.stream().filter(line -> line.startsWith(how + ": rank ")).sorted().toList();
    assertThat(lines).as("%s", printed).hasSize(FailingJob.RANKS);
    for (int rank = 0; rank < FailingJob.RANKS; rank++) {
      assertThat(lines.get(rank))
          .matches(how + ": rank " + rank + " of 4 in attempt [1-9]: " + FailingJob.LAST);
    }
  }

  private static List<String> removed(List<String> printed, int status) {
    return printed.stream()
        .filter(line -> line.matches("executor \\d+ removed: Command exited with code " + status))
        .toList();
  }

  private static void survivorsWereTold(Path notes) throws IOException {
    for (int rank : survivors()) {
      assertThat(failure(notes, rank))
          .startsWith(
              "io.nitinol.core.CommException: REMOTE_ERROR, rank 2: rank 2 failed, as rank "
                  + rank
                  + " was told: ");
    }
    assertThat(notes.resolve("failure-of-rank-2-in-attempt-0")).doesNotExist();
    try (Stream<Path> all = Files.list(notes)) {
      assertThat(all.filter(file -> file.getFileName().toString().startsWith("failure")))
          .hasSize(3);
    }
  }

  private static int[] survivors() {
    return IntStream.range(0, FailingJob.RANKS).filter(rank -> rank != FailingJob.LOST).toArray();
  }

  private static String failure(Path notes, int rank) throws IOException {
    return Files.readString(notes.resolve("failure-of-rank-" + rank + "-in-attempt-0"));
  }

  private static List<String> processes(Path notes, int attempt) throws IOException {
    List<String> processes = new ArrayList<>();
    for (int rank = 0; rank < FailingJob.RANKS; rank++) {
      processes.add(
          Files.readString(notes.resolve("process-of-rank-" + rank + "-in-attempt-" + attempt)));
    }
    return processes;
  }
}
