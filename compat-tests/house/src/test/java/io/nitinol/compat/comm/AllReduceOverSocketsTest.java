// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.chaos.SumCheck;
import io.nitinol.core.Communicator;
import io.nitinol.core.StateDump;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.testing.QuickRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllReduceOverSocketsTest {
  private static final Pattern HELPED = Pattern.compile("helpers have sent: [1-9]");
  private static final int SLOT = 16 << 10;
  private static final Map<String, String> SMALL_SLOTS =
      Map.of("NCCL_BUFFSIZE", Integer.toString(8 * SLOT), "NCCL_MIN_NCHANNELS", "2");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  @QuickRows({1, 3, 8})
  void everyElementIsRightAroundAllBorders(int n) throws Exception {
    long seed = System.nanoTime();
    System.err.println("everyElementIsRightAroundAllBorders(" + n + ") seed " + seed);
    List<Long> counts = borders(n, new SplittableRandom(seed));
    RankThreads.withGroup(
        n,
        SMALL_SLOTS,
        comm -> {
          for (int i = 0; i < counts.size(); i++) {
            SumCheck.allReduce(comm, counts.get(i), i % 2 == 0, seed + i);
          }
          return true;
        });
  }

  private static List<Long> borders(int n, SplittableRandom random) {
    List<Long> counts = new ArrayList<>(List.of(0L, 1L, 3L, n - 1L, n + 1L));
    long slot = SLOT / 4;
    for (long border : new long[] {16L, 16L * n, 16L << 10, slot, slot * n, 4 * slot * n}) {
      counts.add(border - 1);
      counts.add(border);
      counts.add(border + 1);
    }
    for (int i = 0; i < 6; i++) {
      counts.add(random.nextLong(100_000));
    }
    return counts;
  }

  @Test
  void sixtyFourMebibytes() throws Exception {
    RankThreads.withGroup(
        4,
        Map.of(),
        comm -> {
          SumCheck.allReduce(comm, 16 << 20, false, 1);
          SumCheck.allReduce(comm, 16 << 20, true, 2);
          return true;
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"spin", "yield", "park"})
  void everyIdleStrategyAndKernelThreads(String idle) throws Exception {
    for (int threads = 0; threads < 3; threads++) {
      Map<String, String> variables =
          Map.of(
              "NITINOL_IDLE",
              idle,
              "NITINOL_KERNEL_THREADS",
              Integer.toString(threads),
              "NCCL_MIN_NCHANNELS",
              "3");
      RankThreads.withGroup(
          2,
          variables,
          comm -> {
            for (int i = 0; i < 20; i++) {
              SumCheck.allReduce(comm, 1 + 5003L * i, i % 2 == 0, i);
            }
            return true;
          });
    }
  }

  /** Where processors are many by themselves; here they have to be asked, and may come late. */
  @Test
  void helpersSendWhatIsLarge() throws Exception {
    RankThreads.withGroup(
        3,
        Map.of(
            "NITINOL_HELPER_THREADS", "1",
            "NCCL_MIN_NCHANNELS", "2",
            "NCCL_P2P_DISABLE", "1",
            "NCCL_SHM_DISABLE", "1"),
        comm -> {
          int again = 1;
          for (int round = 0; again == 1 && round < 100; round++) { // until a rank was helped
            for (int i = 0; i < 12; i++) {
              SumCheck.allReduce(comm, 7 + (1L << (10 + i)), i % 2 == 0, round + i);
            }
            int mine = HELPED.matcher(StateDump.all()).find() ? 0 : 1;
            int[] least = {mine};
            comm.blocking().allReduce(least, ReductionOp.MIN);
            again = least[0];
          }
          assertThat(again).as("ranks that no helper has sent for").isZero();
          return true;
        });
  }

  @Test
  void severalGroupsInOneProcess() throws Exception {
    List<Communicator> a = Communicator.initAll(2, RankThreads.config(Map.of()));
    List<Communicator> b = Communicator.initAll(2, RankThreads.config(Map.of()));
    for (List<Communicator> group : List.of(a, b)) {
      RankThreads.run(
              group,
              comm -> {
                SumCheck.allReduce(comm, 1000, false, 5);
                return true;
              })
          .forEach(f -> assertThat(f.resultNow()).isTrue());
    }
    a.forEach(Communicator::close);
    b.forEach(Communicator::close);
  }

  @Test
  void descriptionNamesNetworkAndSlots() throws Exception {
    List<String> descriptions = RankThreads.withGroup(2, SMALL_SLOTS, Communicator::describe);
    assertThat(descriptions.getFirst()).contains("2 ranks", "NET/Socket", "2 channel", "16 KiB");
  }
}
