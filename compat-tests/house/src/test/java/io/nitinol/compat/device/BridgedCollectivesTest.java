// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every collective, for placements of ranks and borders of chunks and slots. */
class BridgedCollectivesTest {
  private static final DataType TYPE = DataType.INT32;
  private static final int WIDTH = 4;

  /** Takes its time, and is cut alike in place and not. */
  private static final long LARGE = 2_500_013;

  /** None, one, a few that no number of ranks divides, one chunk, several, more than all slots. */
  private static final long[] COUNTS = {0, 1, 7, 4999, 131_071, LARGE};

  /** Elements before each buffer, so that addresses are aligned to nothing but the element. */
  private static final int OFFSET = 3;

  @ParameterizedTest
  @ValueSource(strings = {"AB", "AABB", "ABC", "AAB", "ABAB", "BAAB", "AABBCC"})
  @QuickRows({3, 4, 5})
  @FirstRows(3)
  void giveEveryRankWhatItIsToGet(String teams) throws Exception {
    try (BridgedRanks ranks = new BridgedRanks(teams, Map.of())) {
      ranks.run(rank -> {
        for (long count : COUNTS) {
          new Case(rank, count, true).all();
          if (count < LARGE) {
            new Case(rank, count, false).all();
          }
        }
        return true;
      });
    }
  }

  @Test
  void goWithoutSharedMemoryToo() throws Exception {
    Map<String, String> apart =
        Map.of("NCCL_P2P_DISABLE", "1", "NCCL_SHM_DISABLE", "1", "NCCL_HOSTID", "one");
    try (BridgedRanks ranks = new BridgedRanks("ABC", apart)) {
      ranks.run(rank -> {
        new Case(rank, 70_001, false).all();
        return true;
      });
    }
  }

  /** Large chunks are divided among connections, each with a thread of its own. */
  @ParameterizedTest
  @CsvSource({"AB, 2", "AABB, 3", "AABB, 2", "AB, 3", "AB, 8"})
  @QuickRows({1, 2})
  @Slow
  void goOverSeveralConnectionsOfARail(String teams, String connections) throws Exception {
    Map<String, String> several = Map.of("NITINOL_RAIL_CONNECTIONS", connections);
    try (BridgedRanks ranks = new BridgedRanks(teams, several)) {
      ranks.run(rank -> {
        assertThat(rank.team.description())
            .endsWith(", exchanged directly over " + connections + " connections");
        for (long count : COUNTS) {
          new Case(rank, count, true).all();
        }
        return true;
      });
    }
  }

  /** More operations for one rank than the bridge has places, before another rank calls. */
  @ParameterizedTest
  @ValueSource(strings = {"AB", "AABB"})
  @QuickRows(1)
  void oneThreadCallsForOneRankAfterTheOther(String teams) throws Exception {
    int times = 400;
    try (BridgedRanks ranks = new BridgedRanks(teams, Map.of())) {
      int n = teams.length();
      DeviceReduction sum = DeviceReduction.of(TYPE, ReductionOp.SUM, n);
      MemorySegment[] buffers = new MemorySegment[n];
      CompletableFuture<Void> caller =
          CompletableFuture.runAsync(() -> {
            for (int r = 0; r < n; r++) {
              BridgedRanks.Rank rank = ranks.get(r);
              MemorySegment buffer = rank.allocate(11 * WIDTH);
              buffers[r] = buffer;
              fill(buffer, 0, 11, i -> i);
              for (int i = 0; i < times; i++) {
                if (i % 2 == 0) {
                  long at = buffer.address();
                  rank.team.allReduce(rank.stream, sum, at, at, 11);
                } else {
                  long at = buffer.address();
                  rank.team.broadcast(rank.stream, at, at, 11 * WIDTH, i % n);
                }
              }
            }
          });
      caller.get(60, TimeUnit.SECONDS);
      int power = 1;
      for (int i = 0; i < times / 2; i++) {
        power *= n; // overflows as the sums do
      }
      for (int r = 0; r < n; r++) {
        BridgedRanks.Rank rank = ranks.get(r);
        rank.finish();
        assertThat(rank.team.failure()).as("rank " + r).isNull();
        // The stream of a root is done before the network is.
        Await.until("all operations of rank " + r, () -> rank.team.moves() == times);
        int factor = power;
        check(buffers[r], 0, 11, i -> (int) i * factor, "rank " + r);
      }
    }
  }

  @Test
  void manyInARowUseTheSlotsInTurn() throws Exception {
    try (BridgedRanks ranks = new BridgedRanks("AABB", Map.of())) {
      ranks.run(rank -> {
        int n = rank.ranks();
        MemorySegment buffer = rank.allocate(1001 * WIDTH);
        fill(buffer, 0, 1001, i -> i);
        DeviceReduction sum = DeviceReduction.of(TYPE, ReductionOp.SUM, n);
        int times = 12;
        for (int i = 0; i < times; i++) {
          rank.team.allReduce(rank.stream, sum, buffer.address(), buffer.address(), 1001);
        }
        rank.finish();
        assertThat(rank.team.failure()).isNull();
        int power = 1 << 2 * times; // four ranks: times four each time
        check(buffer, 0, 1001, i -> (int) i * power, "rank " + rank.number);
        return true;
      });
    }
  }

  /** One size of the collectives on one rank. */
  private record Case(BridgedRanks.Rank rank, long count, boolean inPlace) {
    void all() {
      allReduce();
      reduceScatter();
      allGather();
      int root = rank.ranks() - 1;
      reduce(root);
      broadcast(root);
      broadcast(0);
      if (!inPlace) {
        allToAll();
      }
      assertThat(rank.team.failure()).isNull();
    }

    private static long value(int from, long i) {
      return (from + 1) * 1_000_003L + i * (2L * from + 1);
    }

    private long sum(long i) {
      long sum = 0;
      for (int r = 0; r < rank.ranks(); r++) {
        sum += value(r, i);
      }
      return sum;
    }

    private MemorySegment buffer(long elements) {
      MemorySegment memory = rank.allocate((elements + 2L * OFFSET) * WIDTH);
      memory.fill((byte) 0x55);
      return memory;
    }

    private static long at(MemorySegment memory) {
      return memory.address() + OFFSET * WIDTH;
    }

    private DeviceReduction reduction() {
      return DeviceReduction.of(TYPE, ReductionOp.SUM, rank.ranks());
    }

    /** Checks the elements, and that nothing before and behind them was written. */
    private void checked(String call, MemorySegment memory, long n, LongUnaryOperator expected) {
      rank.finish();
      String what = call + " of " + count + (inPlace ? " in place" : "") + " on " + rank.number;
      check(memory, OFFSET, n, expected, what);
      LongUnaryOperator untouched = i -> 0x55555555;
      check(memory, 0, OFFSET, untouched, what + ", before");
      check(memory, OFFSET + n, OFFSET, untouched, what + ", behind");
    }

    private void allReduce() {
      MemorySegment src = buffer(count);
      fill(src, OFFSET, count, i -> value(rank.number, i));
      MemorySegment dst = inPlace ? src : buffer(count);
      rank.team.allReduce(rank.stream, reduction(), at(src), at(dst), count);
      checked("all_reduce", dst, count, this::sum);
    }

    private void reduce(int root) {
      MemorySegment src = buffer(count);
      fill(src, OFFSET, count, i -> value(rank.number, i));
      MemorySegment dst = inPlace ? src : buffer(count);
      rank.team.reduce(rank.stream, reduction(), at(src), at(dst), count, root);
      if (rank.number == root) {
        checked("reduce", dst, count, this::sum);
      } else if (inPlace) {
        checked("reduce", dst, count, i -> value(rank.number, i));
      } else {
        checked("reduce", dst, count, i -> 0x55555555);
      }
    }

    private void broadcast(int root) {
      MemorySegment src = buffer(count);
      fill(src, OFFSET, count, i -> value(rank.number, i));
      MemorySegment dst = inPlace ? src : buffer(count);
      rank.team.broadcast(rank.stream, at(src), at(dst), count * WIDTH, root);
      checked("broadcast", dst, count, i -> value(root, i));
    }

    private void allGather() {
      int n = rank.ranks();
      MemorySegment dst = buffer(n * count);
      MemorySegment src = inPlace ? dst : buffer(count);
      long place = inPlace ? rank.number * count : 0;
      fill(src, OFFSET + place, count, i -> value(rank.number, i));
      rank.team.allGather(rank.stream, at(src) + place * WIDTH, at(dst), count * WIDTH);
      checked("all_gather", dst, n * count, i -> value((int) (i / count), i % count));
    }

    private void reduceScatter() {
      int n = rank.ranks();
      MemorySegment src = buffer(n * count);
      fill(src, OFFSET, n * count, i -> value(rank.number, i));
      long before = rank.number * count;
      if (inPlace) {
        long own = at(src) + before * WIDTH;
        rank.team.reduceScatter(rank.stream, reduction(), at(src), own, count);
        rank.finish();
        check(src, OFFSET + before, count, i -> sum(before + i), "reduce_scatter in place");
      } else {
        MemorySegment dst = buffer(count);
        rank.team.reduceScatter(rank.stream, reduction(), at(src), at(dst), count);
        checked("reduce_scatter", dst, count, i -> sum(before + i));
      }
    }

    private void allToAll() {
      int n = rank.ranks();
      MemorySegment src = buffer(n * count);
      fill(src, OFFSET, n * count, i -> value(rank.number, i));
      MemorySegment dst = buffer(n * count);
      rank.team.allToAll(rank.stream, at(src), at(dst), count * WIDTH);
      checked(
          "alltoall",
          dst,
          n * count,
          i -> value((int) (i / count), rank.number * count + i % count));
    }
  }

  private static void fill(MemorySegment memory, long from, long n, LongUnaryOperator value) {
    for (long i = 0; i < n; i++) {
      memory.set(ValueLayout.JAVA_INT, (from + i) * WIDTH, (int) value.applyAsLong(i));
    }
  }

  private static void check(
      MemorySegment memory, long from, long n, LongUnaryOperator expected, String what) {
    for (long i = 0; i < n; i++) {
      int found = memory.get(ValueLayout.JAVA_INT, (from + i) * WIDTH);
      if (found != (int) expected.applyAsLong(i)) {
        assertThat(found).as("%s, element %d", what, i).isEqualTo((int) expected.applyAsLong(i));
      }
    }
  }
}
