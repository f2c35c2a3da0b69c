// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.compat.comm.RankProcesses;
import io.nitinol.core.CommException;
import io.nitinol.core.DeviceBuffer;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.Slow;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What ranks see of each other's failures; their streams come free. */
class DeviceFaultsTest {
  private static final DataType INT = DataType.INT32;
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private static RankProcesses processes(int n, String timeout, String task) throws Exception {
    return RankProcesses.of(
        DeviceRankProgram.class,
        n,
        rank -> Map.of("NITINOL_DEVICE", "cpu", "NITINOL_TIMEOUT", timeout),
        task);
  }

  @Test
  void processesReduceWithAndWithoutWindows() throws Exception {
    try (RankProcesses ranks = processes(3, "30", "verify")) {
      for (int r = 0; r < 3; r++) {
        assertThat(ranks.await(r, "joined")).contains("3 ranks in 3 process(es), one team");
        ranks.await(r, "right");
        ranks.await(r, "closed");
        assertThat(ranks.exit(r)).isZero();
      }
    }
  }

  /** Two hosts, as the ranks see it: the devices of each form a team. */
  @Test
  void processesOfTwoHostsReduceOverTheNetwork() throws Exception {
    try (RankProcesses ranks =
        RankProcesses.of(
            DeviceRankProgram.class,
            4,
            rank -> Map.of("NITINOL_DEVICE", "cpu", "NCCL_HOSTID", "host " + rank / 2),
            "verify")) {
      for (int r = 0; r < 4; r++) {
        assertThat(ranks.await(r, "joined")).contains("2 teams of devices");
        ranks.await(r, "right");
        ranks.await(r, "closed");
        assertThat(ranks.exit(r)).isZero();
      }
    }
  }

  @ParameterizedTest(name = "{0}, NCCL_P2P_DISABLE={1}")
  @CsvSource({"endless, 0", "foreign, 0", "foreign, 1"})
  @FirstRows(1)
  void aKilledRankIsNamedByAllOthers(String task, String apart) throws Exception {
    try (RankProcesses ranks =
        RankProcesses.of(
            DeviceRankProgram.class,
            3,
            rank ->
                Map.of("NITINOL_DEVICE", "cpu", "NITINOL_TIMEOUT", "0", "NCCL_P2P_DISABLE", apart),
            task)) {
      for (int r = 0; r < 3; r++) {
        ranks.await(r, "running");
      }
      ranks.kill(1);
      for (int r : new int[] {0, 2}) {
        assertThat(ranks.await(r, "failed")).startsWith("failed REMOTE_ERROR 1 ");
        assertThat(ranks.exit(r)).isEqualTo(3);
      }
    }
  }

  @Test
  @Slow
  void aStoppedRankIsATimeoutThatNamesIt() throws Exception {
    try (RankProcesses ranks = processes(3, "2", "endless")) {
      for (int r = 0; r < 3; r++) {
        ranks.await(r, "running");
      }
      ranks.signal(1, "STOP");
      for (int r : new int[] {0, 2}) {
        assertThat(ranks.await(r, "failed")).startsWith("failed TIMEOUT 1 ");
        assertThat(ranks.exit(r)).isEqualTo(3);
      }
    }
  }

  /** Returns the failure of a rank that has nothing to wait for; another rank's news bring it. */
  private static CommException newsOf(TwinGroup group, int rank) {
    return Await.nonNull(
        "the failure on rank " + rank,
        () -> {
          try {
            group.rank(rank).check();
            return null;
          } catch (CommException e) {
            return e;
          }
        });
  }

  private static CommException failureOf(TwinGroup group, int rank, Runnable before) {
    try {
      before.run();
      assertThat(group.rank(rank).await(group.stream(rank), Duration.ofSeconds(240))).isTrue();
    } catch (CommException e) {
      return e;
    }
    throw new AssertionError("rank " + rank + " has not failed");
  }

  private static List<DeviceBuffer> data(TwinGroup group) {
    List<DeviceBuffer> data = new ArrayList<>();
    group.each(r -> data.add(group.ints(r, 100, i -> i)));
    return data;
  }

  private static void reduce(TwinGroup group, int rank, DeviceBuffer data) {
    group.rank(rank).allReduce(data, data, 100, INT, ReductionOp.SUM, group.stream(rank));
  }

  @Test
  void abortFreesTheStreamsOfAllRanksAndNamesTheOne() {
    try (TwinGroup group = new TwinGroup(3, Map.of("NITINOL_TIMEOUT", "0"))) {
      List<DeviceBuffer> data = data(group);
      reduce(group, 0, data.get(0));
      reduce(group, 1, data.get(1));
      assertThat(group.rank(0).await(group.stream(0), Duration.ofMillis(20))).isFalse();
      group.rank(2).abort();
      // Nobody waits by the communicator here, as where another library does.
      long limit = TimeUnit.SECONDS.toNanos(60);
      assertThat(group.stream(0).synchronize(limit)).isTrue();
      assertThat(group.stream(1).synchronize(limit)).isTrue();
      group.each(r -> {
        assertThatThrownBy(() -> group.rank(r).check())
            .isInstanceOfSatisfying(
                CommException.class, e -> assertThat(e.failedRank()).isEqualTo(2));
        assertThatThrownBy(() -> reduce(group, r, data.get(r))).isInstanceOf(CommException.class);
      });
    }
  }

  @Test
  void aRankThatHasNotCalledIsNamedOnAllRanks() {
    try (TwinGroup group = new TwinGroup(4, Map.of("NITINOL_TIMEOUT", "1"))) {
      List<DeviceBuffer> data = data(group);
      List<String> messages = new ArrayList<>();
      for (int r : new int[] {0, 1, 3}) {
        reduce(group, r, data.get(r));
      }
      TwinGroup.onThreads(
          3,
          i -> {
            int rank = i == 2 ? 3 : i;
            assertThatThrownBy(() -> group.rank(rank).await(group.stream(rank)))
                .isInstanceOfSatisfying(
                    CommException.class,
                    e -> {
                      assertThat(e.result()).isEqualTo(ResultCode.TIMEOUT);
                      assertThat(e.failedRank()).as(e.getMessage()).isEqualTo(2);
                      synchronized (messages) {
                        messages.add(e.getMessage());
                      }
                    });
          });
      assertThat(messages).hasSize(3);
      assertThat(messages.stream().distinct()).hasSize(1);
      assertThat(newsOf(group, 2).failedRank()).isEqualTo(2);
    }
  }

  /** As where another library waits: nobody but one rank looks at the communicator. */
  @Test
  void aTimeoutFreesTheStreamsOfRanksThatDoNotLook() {
    try (TwinGroup group = new TwinGroup(3, Map.of("NITINOL_TIMEOUT", "1"))) {
      List<DeviceBuffer> data = data(group);
      reduce(group, 0, data.get(0));
      reduce(group, 1, data.get(1));
      group.onThreads(r -> {
        if (r == 0) {
          assertThatThrownBy(() -> group.rank(0).await(group.stream(0)))
              .hasMessageContaining("rank 2 has not said that it waits");
        } else if (r == 1) {
          assertThat(group.stream(1).synchronize(TimeUnit.SECONDS.toNanos(60))).isTrue();
          assertThatThrownBy(() -> group.rank(1).check())
              .isInstanceOfSatisfying(
                  CommException.class, e -> assertThat(e.failedRank()).isEqualTo(2));
        }
      });
    }
  }

  /** Both wait in their second collective, and these differ. */
  @Test
  void differentCallsAreNamedWhereBothWait() {
    try (TwinGroup group = new TwinGroup(2, Map.of("NITINOL_TIMEOUT", "1"))) {
      List<DeviceBuffer> data = data(group);
      group.each(r -> reduce(group, r, data.get(r)));
      // Far more than a slot, so that rank 0 is not done; rank 1 waits for a message.
      List<DeviceBuffer> large = new ArrayList<>();
      group.each(r -> large.add(group.ints(r, 4 << 20, i -> i)));
      group
          .rank(0)
          .allReduce(large.get(0), large.get(0), 4 << 20, INT, ReductionOp.SUM, group.stream(0));
      group
          .rank(1)
          .allReduce(large.get(1), large.get(1), 1 << 20, INT, ReductionOp.SUM, group.stream(1));
      group.rank(1).recv(large.get(1), 4 << 20, INT, 0, group.stream(1));
      CommException failure = failureOf(group, 1, () -> group.rank(0).await(group.stream(0)));
      assertThat(failure.result()).as(failure.getMessage()).isEqualTo(ResultCode.INVALID_USAGE);
      assertThat(failure)
          .hasMessageContaining("device collective 2, all_reduce of 4194304 int32 (sum)")
          .hasMessageContaining("device collective 2, all_reduce of 1048576 int32 (sum)");
    }
  }

  /** A limited wait is the caller's own business. */
  @Test
  void aLimitedWaitThatEndsFailsNothing() {
    try (TwinGroup group = new TwinGroup(2, Map.of("NITINOL_TIMEOUT", "1"))) {
      List<DeviceBuffer> data = data(group);
      reduce(group, 0, data.get(0));
      assertThat(group.rank(0).await(group.stream(0), Duration.ofMillis(1500))).isFalse();
      group.rank(0).check();
      reduce(group, 1, data.get(1));
      group.awaitAll();
      assertThat(group.read(data.get(1))[99]).isEqualTo(198);
    }
  }

  /** Other work of the stream, before anything of the communicator has begun, is no hang. */
  @Test
  void otherWorkBeforeTheFirstCallIsNoHang() {
    try (TwinGroup group = new TwinGroup(1, Map.of("NITINOL_TIMEOUT", "1"))) {
      List<DeviceBuffer> data = data(group);
      DeviceMemory gate = group.rank(0).device().allocateHost(8);
      MemorySegment number = Objects.requireNonNull(gate.segment());
      number.set(ValueLayout.JAVA_LONG, 0, 0);
      group.stream(0).waitValue(gate.address(), 1);
      reduce(group, 0, data.getFirst());
      Thread.ofPlatform()
          .start(() -> {
            Await.pause("longer than NITINOL_TIMEOUT", TimeUnit.MILLISECONDS.toNanos(2500));
            WORD.setRelease(number, 0L, 1L);
          });
      group.rank(0).await(group.stream(0)); // would be a TIMEOUT after one second
      assertThat((long) WORD.getAcquire(number, 0L)).isEqualTo(1);
      gate.close();
    }
  }
}
