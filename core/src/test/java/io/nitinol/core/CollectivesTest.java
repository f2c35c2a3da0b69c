// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every call, of all ranks by one thread, which submits for all before it waits for any. */
class CollectivesTest {
  private static final DataType I = DataType.INT32;

  private final Arena arena = Arena.ofShared();
  private List<Communicator> ranks = List.of();

  @AfterEach
  void close() {
    ranks.forEach(Communicator::close);
    arena.close();
  }

  private interface Call {
    Work start(Communicator rank, int r);
  }

  private void all(Call call) {
    List<Work> works = new ArrayList<>();
    for (Communicator rank : ranks) {
      works.add(call.start(rank, rank.rank()));
    }
    works.forEach(Work::await);
  }

  private void start(int n) {
    ranks = Communicator.initAll(n, RankThreads.config(n));
  }

  private MemorySegment[] buffers(int ints) {
    MemorySegment[] all = new MemorySegment[ranks.size()];
    Arrays.setAll(all, r -> arena.allocate(Math.max(4, 4L * ints)));
    return all;
  }

  /** Element {@code i} of rank {@code r}'s contribution. */
  private static int value(int r, int i) {
    return 1000 * r + i;
  }

  private MemorySegment[] contributions(int ints) {
    MemorySegment[] all = buffers(ints);
    for (int r = 0; r < all.length; r++) {
      for (int i = 0; i < ints; i++) {
        all[r].setAtIndex(ValueLayout.JAVA_INT, i, value(r, i));
      }
    }
    return all;
  }

  private static int at(MemorySegment buffer, long index) {
    return buffer.getAtIndex(ValueLayout.JAVA_INT, index);
  }

  private int sum(int i) {
    int n = ranks.size();
    return 1000 * RankThreads.gauss(n) + n * i;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void reductions(int n) {
    start(n);
    int count = 70;
    MemorySegment[] send = contributions(count * n);
    MemorySegment[] recv = buffers(count * n);
    all((rank, r) -> rank.allReduce(send[r], recv[r], count, I, ReductionOp.SUM));
    for (MemorySegment each : recv) {
      for (int i = 0; i < count; i++) {
        assertThat(at(each, i)).isEqualTo(sum(i));
      }
    }
    int root = n - 1;
    all((rank, r) ->
        rank.reduce(send[r], r == root ? recv[r] : null, count, I, ReductionOp.MAX, root));
    assertThat(at(recv[root], 3)).isEqualTo(value(root, 3));
    all((rank, r) -> rank.reduceScatter(send[r], recv[r], count, I, ReductionOp.SUM));
    for (int r = 0; r < n; r++) {
      for (int i = 0; i < count; i++) {
        assertThat(at(recv[r], i)).isEqualTo(sum(r * count + i));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void movements(int n) {
    start(n);
    int count = 70;
    MemorySegment[] send = contributions(count * n);
    MemorySegment[] recv = buffers(count * n);
    int root = n / 2;
    all((rank, r) -> rank.broadcast(r == root ? send[r] : null, recv[r], count, I, root));
    for (MemorySegment each : recv) {
      assertThat(at(each, count - 1)).isEqualTo(value(root, count - 1));
    }
    all((rank, r) -> rank.allGather(send[r], recv[r], count, I));
    for (MemorySegment each : recv) {
      for (int i = 0; i < count * n; i++) {
        assertThat(at(each, i)).isEqualTo(value(i / count, i % count));
      }
    }
    all((rank, r) -> rank.allToAll(send[r], recv[r], count, I));
    for (int r = 0; r < n; r++) {
      for (int i = 0; i < count * n; i++) {
        assertThat(at(recv[r], i)).isEqualTo(value(i / count, r * count + i % count));
      }
    }
    all((rank, r) -> rank.gather(send[r], r == root ? recv[r] : null, count, I, root));
    for (int i = 0; i < count * n; i++) {
      assertThat(at(recv[root], i)).isEqualTo(value(i / count, i % count));
    }
    all((rank, r) -> rank.scatter(r == root ? send[r] : null, recv[r], count, I, root));
    for (int r = 0; r < n; r++) {
      assertThat(at(recv[r], 7)).isEqualTo(value(root, r * count + 7));
    }
  }

  @Test
  void differentNumbersForAllPeers() {
    start(3);
    MemorySegment[] send = contributions(30);
    MemorySegment[] recv = buffers(30);
    // Rank r sends r + s elements to rank s, from element 10 s on, which go to element 10 r on.
    long[] offsets = {0, 10, 20};
    all((rank, r) -> {
      long[] counts = {r, r + 1, r + 2};
      return rank.allToAllV(send[r], counts, offsets, recv[r], counts, offsets, I);
    });
    for (int r = 0; r < 3; r++) {
      for (int s = 0; s < 3; s++) {
        for (int i = 0; i < 10; i++) {
          assertThat(at(recv[r], 10 * s + i)).isEqualTo(i < r + s ? value(s, 10 * r + i) : 0);
        }
      }
    }
  }

  @Test
  void everyRankScalesItsOwnContribution() {
    start(3);
    MemorySegment[] buffer = contributions(5);
    all((rank, r) -> {
      PreMulSum op = rank.preMulSum(I, r - 1);
      return rank.allReduce(buffer[r], buffer[r], 5, I, op);
    });
    for (MemorySegment each : buffer) {
      assertThat(at(each, 4)).isEqualTo(value(2, 4) - value(0, 4));
    }
  }

  @Test
  void aGroupOverAllRanksMovesAroundARing() {
    start(4);
    MemorySegment[] send = contributions(100_000);
    MemorySegment[] recv = buffers(100_000);
    MemorySegment[] sum = contributions(3);
    MemorySegment[] other = contributions(2);
    List<Work> works = new ArrayList<>();
    try (Group _ = Group.start()) {
      for (Communicator rank : ranks) {
        int r = rank.rank();
        works.add(rank.allReduce(sum[r], sum[r], 3, I, ReductionOp.SUM));
        works.add(rank.send(send[r], 100_000, I, (r + 1) % 4));
        works.add(rank.recv(recv[r], 100_000, I, (r + 3) % 4));
        works.add(rank.allReduce(other[r], other[r], 2, I, ReductionOp.SUM));
      }
    }
    works.forEach(Work::await);
    for (int r = 0; r < 4; r++) {
      assertThat(at(recv[r], 99_999)).isEqualTo(value((r + 3) % 4, 99_999));
      assertThat(at(sum[r], 2)).isEqualTo(sum(2));
      assertThat(at(other[r], 1)).isEqualTo(sum(1));
    }
  }

  @Test
  void aMistakeInAGroupLeavesTheCommunicatorsAsTheyWere() {
    start(2);
    MemorySegment[] buffer = contributions(4);
    assertThatThrownBy(() ->
            Group.run(() -> {
              for (Communicator rank : ranks) {
                MemorySegment mine = buffer[rank.rank()];
                rank.allReduce(mine, mine, 4, I, ReductionOp.SUM);
                rank.send(mine, 4, I, 7);
              }
            }))
        .hasMessageContaining("2 of 4 calls");
    all((rank, r) -> rank.allReduce(buffer[r], buffer[r], 4, I, ReductionOp.SUM));
    assertThat(at(buffer[0], 1)).isEqualTo(sum(1));
  }

  @Test
  void groupsAndCollectivesOfManyRoundsKeepTheirOrder() {
    start(3);
    MemorySegment[] a = contributions(6);
    MemorySegment[] b = buffers(6);
    for (int round = 0; round < 100; round++) {
      all((rank, r) -> rank.allToAll(a[r], b[r], 2, I));
      all((rank, r) -> rank.allToAll(b[r], a[r], 2, I)); // its own inverse
      all((rank, r) -> rank.allReduce(b[r], b[r], 0, I, ReductionOp.SUM));
    }
    for (int r = 0; r < 3; r++) {
      for (int i = 0; i < 6; i++) {
        assertThat(at(a[r], i)).isEqualTo(value(r, i));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 100_000})
  void aPreMultipliedSumTakesEachRanksOwnScalar(int count) throws Exception {
    List<Communicator> ranks = Communicator.initAll(3, RankThreads.config(77));
    try (Arena arena = Arena.ofShared()) {
      List<Integer> sums =
          RankThreads.each(
              ranks,
              rank -> {
                MemorySegment values = arena.allocate(4L * count, 64);
                for (int i = 0; i < count; i++) {
                  values.setAtIndex(ValueLayout.JAVA_INT, i, 1);
                }
                PreMulSum op = rank.preMulSum(DataType.INT32, (long) Math.pow(10, rank.rank()));
                rank.allReduce(values, values, count, DataType.INT32, op).await();
                return values.getAtIndex(ValueLayout.JAVA_INT, count - 1);
              });
      assertThat(sums).containsOnly(111);
      ranks.forEach(Communicator::close);
    }
  }
}
