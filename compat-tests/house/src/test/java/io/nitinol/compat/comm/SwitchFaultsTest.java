// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks on four hosts reduce by switches, and one rank or switch dies in the middle of it. All
 * ranks must fail in time with an error that names it. The next communicator must work, by the
 * switches that are left or without them.
 */
class SwitchFaultsTest {
  private static final int RANKS = 4;

  private static final String COUNT = "1000000";

  /** The ranks, half of them at each leaf, and how they may start again. */
  private static final class Job implements AutoCloseable {
    private final UniqueId second;
    private final RankProcesses ranks;

    Job(int victim, List<SwitchProcess> leaves) throws Exception {
      Settings settings = Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo"));
      second = UniqueId.create(settings, Log.process());
      ranks =
          new RankProcesses(
              RANKS,
              rank -> variables(rank, leaves.get(rank * leaves.size() / RANKS)),
              "restarter",
              second.toString(),
              Integer.toString(victim),
              COUNT);
      for (int r = 0; r < RANKS; r++) {
        ranks.await(r, "running");
      }
      // In the middle of an operation, wherever that is.
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(System.nanoTime() % 100));
    }

    private static Map<String, String> variables(int rank, SwitchProcess at) {
      Map<String, String> variables = new HashMap<>();
      variables.put("NCCL_HOSTID", "host" + rank);
      variables.put("NCCL_COLLNET_ENABLE", "1");
      variables.put("NCCL_ALGO", "allreduce:CollnetDirect,CollnetChain,Ring");
      variables.put("NITINOL_COLLNET", "Switch");
      variables.put("NITINOL_COLLNET_SWITCH", at.address());
      return variables;
    }

    /**
     * Waits for the error of all but the victim, and returns the errors. On an idle machine the
     * last takes 10 s at the most; without the limits on silence it would be minutes.
     */
    Map<Integer, String> errors(int victim) throws InterruptedException {
      long start = System.nanoTime();
      Map<Integer, String> errors = new HashMap<>();
      for (int r = 0; r < RANKS; r++) {
        if (r != victim) {
          String error = ranks.await(r, "failed");
          long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
          System.err.println("SwitchFaultsTest, rank " + r + " after " + millis + " ms: " + error);
          errors.put(r, error);
        }
      }
      return errors;
    }

    /** Waits until all but the victim have reduced in the second communicator. */
    void again(int victim) throws InterruptedException {
      for (int r = 0; r < RANKS; r++) {
        if (r != victim) {
          ranks.await(r, "again");
          assertThat(ranks.exit(r)).isZero();
        }
      }
    }

    @Override
    public void close() {
      ranks.close();
      second.close();
    }
  }

  @Test
  void aChildThatDiesIsNamedAndTheSwitchServesTheNext() throws Exception {
    int victim = 2;
    try (SwitchProcess root = SwitchProcess.start();
        Job job = new Job(victim, List.of(root))) {
      long admitted = root.figure("groups_admitted_total");
      assertThat(admitted).isPositive();
      assertThat(root.figure("reduced_bytes_total")).isPositive();
      job.ranks.kill(victim);
      assertThat(job.errors(victim).values())
          .allMatch(error -> error.startsWith("failed " + victim + " "));
      job.again(victim);
      assertThat(root.figure("groups_admitted_total")).isEqualTo(2 * admitted);
      assertThat(root.figure("group_failures_total")).isPositive();
      assertThat(root.figure("memory_bytes")).as("of groups that are gone").isZero();
      assertThat(root.terminate()).isEqualTo(143);
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"KILL", "STOP"})
  @QuickRows(1)
  @Slow
  void aRootThatDiesIsNamedAndTheNextGoOnWithoutIt(String signal) throws Exception {
    try (SwitchProcess root = SwitchProcess.start();
        SwitchProcess leaf = SwitchProcess.start("--parent", root.address());
        SwitchProcess other = SwitchProcess.start("--parent", root.address());
        Job job = new Job(-1, List.of(leaf, other))) {
      assertThat(root.figure("groups_admitted_total")).isPositive();
      root.signal(signal);
      assertThat(job.errors(-1).values()).allMatch(error -> error.contains(root.address()));
      job.again(-1);
      assertThat(leaf.figure("memory_bytes")).as("of groups that are gone").isZero();
    }
  }

  @Test
  @Slow
  void aLeafThatDiesIsNamedOnTheOtherSideToo() throws Exception {
    try (SwitchProcess root = SwitchProcess.start();
        SwitchProcess leaf = SwitchProcess.start("--parent", root.address());
        SwitchProcess other = SwitchProcess.start("--parent", root.address());
        Job job = new Job(-1, List.of(leaf, other))) {
      leaf.kill();
      Map<Integer, String> errors = job.errors(-1);
      assertThat(errors.get(0)).contains(leaf.address());
      assertThat(errors.get(1)).contains(leaf.address());
      // The root knows the leaf by the connection that it came by, and by the ranks behind it.
      assertThat(errors.get(2)).containsAnyOf(leaf.address(), "ranks 0");
      assertThat(errors.get(3)).containsAnyOf(leaf.address(), "ranks 0");
      job.again(-1);
      assertThat(root.figure("memory_bytes")).as("of groups that are gone").isZero();
      assertThat(other.terminate()).isEqualTo(143);
    }
  }
}
