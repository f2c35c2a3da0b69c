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
import java.util.Map;
import java.util.function.IntBinaryOperator;
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

  /** Rank r has r + 1 elements, but rank 1, which has none; they lie in the order of n-1 to 0. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void differentNumbersForAllRanks(int n) {
    start(n);
    long[] counts = new long[n];
    long[] offsets = new long[n];
    int all = 0;
    for (int r = n - 1; r >= 0; r--) {
      counts[r] = r == 1 ? 0 : r + 1;
      offsets[r] = all;
      all += (int) counts[r];
    }
    MemorySegment[] send = contributions(n);
    MemorySegment[] recv = buffers(all);
    all((rank, r) -> rank.allGatherV(send[r], counts[r], recv[r], counts, offsets, I));
    for (MemorySegment each : recv) {
      checkUneven(each, counts, offsets);
      each.fill((byte) -1);
    }
    all((rank, r) -> {
      MemorySegment own = recv[r].asSlice(4 * offsets[r], 4 * counts[r]);
      own.copyFrom(send[r].asSlice(0, 4 * counts[r])); // in place
      return rank.allGatherV(own, counts[r], recv[r], counts, offsets, I);
    });
    for (MemorySegment each : recv) {
      checkUneven(each, counts, offsets);
      each.fill((byte) -1);
    }
    int root = n / 2;
    all((rank, r) ->
        r == root
            ? rank.gatherV(send[r], counts[r], recv[r], counts, offsets, I, root)
            : rank.gatherV(send[r], counts[r], null, null, null, I, root));
    checkUneven(recv[root], counts, offsets);
    MemorySegment[] back = buffers(n);
    all((rank, r) ->
        r == root
            ? rank.scatterV(recv[r], counts, offsets, back[r], counts[r], I, root)
            : rank.scatterV(null, null, null, back[r], counts[r], I, root));
    for (int r = 0; r < n; r++) {
      for (int i = 0; i < n; i++) {
        assertThat(at(back[r], i)).isEqualTo(i < counts[r] ? value(r, i) : 0);
      }
    }
  }

  private static void checkUneven(MemorySegment recv, long[] counts, long[] offsets) {
    for (int r = 0; r < counts.length; r++) {
      for (int i = 0; i < counts[r]; i++) {
        assertThat(at(recv, offsets[r] + i)).isEqualTo(value(r, i));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void operatorsOfTheHost(int n) {
    start(n);
    int count = 3000;
    MemorySegment[] send = contributions(count);
    MemorySegment[] recv = buffers(count);
    HostOperator gcd = HostOperator.ofInts(CollectivesTest::gcd);
    Map<HostOperator, IntBinaryOperator> models =
        Map.of(
            HostOperator.BIT_AND,
            (a, b) -> a & b,
            HostOperator.BIT_OR,
            (a, b) -> a | b,
            HostOperator.BIT_XOR,
            (a, b) -> a ^ b,
            gcd,
            CollectivesTest::gcd);
    models.forEach((op, model) -> {
      all((rank, r) -> rank.allReduce(send[r], recv[r], count, I, op));
      int[] expected = new int[count];
      for (int i = 0; i < count; i++) {
        expected[i] = value(0, i);
        for (int r = 1; r < n; r++) {
          expected[i] = model.applyAsInt(expected[i], value(r, i));
        }
      }
      for (MemorySegment each : recv) {
        assertThat(each.toArray(ValueLayout.JAVA_INT)).isEqualTo(expected);
      }
      all((rank, r) -> rank.reduce(send[r], recv[r], count, I, op, n - 1));
      assertThat(recv[n - 1].toArray(ValueLayout.JAVA_INT)).isEqualTo(expected);
      int part = count / n;
      all((rank, r) -> rank.reduceScatter(send[r], recv[r], part, I, op));
      for (int r = 0; r < n; r++) {
        assertThat(recv[r].asSlice(0, 4L * part).toArray(ValueLayout.JAVA_INT))
            .isEqualTo(Arrays.copyOfRange(expected, r * part, (r + 1) * part));
      }
    });
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  /** A group may put like operators together; those of applications are never alike. */
  @Test
  void operatorsOfApplicationsAreNotMixedInAGroup() {
    start(2);
    MemorySegment[] send = contributions(1);
    MemorySegment[] least = buffers(1);
    MemorySegment[] most = buffers(1);
    HostOperator min = HostOperator.ofInts(Math::min);
    HostOperator max = HostOperator.ofInts(Math::max);
    Group.run(() -> {
      for (int r = 0; r < 2; r++) {
        ranks.get(r).allReduce(send[r], least[r], 1, I, min);
        ranks.get(r).allReduce(send[r], most[r], 1, I, max);
      }
    });
    all((rank, r) -> rank.barrier());
    for (int r = 0; r < 2; r++) {
      assertThat(at(least[r], 0)).isEqualTo(value(0, 0));
      assertThat(at(most[r], 0)).isEqualTo(value(1, 0));
    }
  }

  @Test
  void whatAnOperatorThrowsFailsAllRanks() {
    start(3);
    MemorySegment[] values = contributions(1);
    HostOperator wrong =
        HostOperator.ofInts((a, b) -> {
          throw new ArithmeticException("not of these");
        });
    List<Work> works = new ArrayList<>();
    for (int r = 0; r < 3; r++) {
      works.add(ranks.get(r).allReduce(values[r], values[r], 1, I, wrong));
    }
    for (Work each : works) {
      assertThatThrownBy(each::await)
          .isInstanceOf(CommException.class)
          .hasMessageContaining("not of these");
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
