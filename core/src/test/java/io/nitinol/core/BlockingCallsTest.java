// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays and buffers of Java. */
class BlockingCallsTest {
  private final List<Communicator> ranks = Communicator.initAll(3, RankThreads.config(1));

  @AfterEach
  void close() {
    ranks.forEach(Communicator::close);
  }

  @Test
  void arraysOfAllTypesAreReducedInPlace() throws Exception {
    List<String> results =
        RankThreads.each(
            ranks,
            rank -> {
              BlockingCalls calls = rank.blocking();
              float[] floats = {rank.rank(), 0.5f};
              double[] doubles = {rank.rank(), 1e300};
              int[] ints = {rank.rank(), -7};
              long[] longs = {rank.rank(), 1L << 40};
              byte[] bytes = {(byte) rank.rank(), (byte) 200};
              short[] halves = {Float.floatToFloat16(1.5f)};
              calls.allReduce(floats, ReductionOp.SUM);
              calls.allReduce(doubles, ReductionOp.MAX);
              calls.allReduce(ints, ReductionOp.PROD);
              calls.allReduce(longs, ReductionOp.SUM);
              calls.allReduce(Elements.of(bytes).as(DataType.UINT8), ReductionOp.MAX);
              calls.allReduce(Elements.of(halves, DataType.FLOAT16), ReductionOp.SUM);
              return floats[0]
                  + " "
                  + floats[1]
                  + " "
                  + doubles[1]
                  + " "
                  + ints[1]
                  + " "
                  + longs[1]
                  + " "
                  + bytes[0]
                  + " "
                  + bytes[1]
                  + " "
                  + Float.float16ToFloat(halves[0]);
            });
    assertThat(results).containsOnly("3.0 1.5 1.0E300 -343 " + 3 * (1L << 40) + " 2 -56 4.5");
  }

  /** Each call once for each type of arrays: the lengths are the counts. */
  @Test
  void arraysInEveryCollective() throws Exception {
    int n = 3;
    long[] counts = {1, 0, 2};
    List<String> results =
        RankThreads.each(
            ranks,
            rank -> {
              BlockingCalls calls = rank.blocking();
              int r = rank.rank();
              int[] all = new int[n];
              calls.allGather(new int[] {r}, all);
              long[] uneven = new long[3];
              calls.allGatherV(
                  r == 1 ? new long[0] : filled((int) counts[r], 10 + r), uneven, counts);
              double[] gathered = r == 2 ? new double[n] : null;
              calls.gather(new double[] {r + 0.5}, gathered, 2);
              byte[] own = new byte[1];
              calls.scatter(r == 0 ? new byte[] {7, 8, 9} : null, own, 0);
              float[] part = new float[1];
              calls.reduceScatter(new float[] {1, 2, 3}, part, ReductionOp.SUM);
              int[] swapped = new int[n];
              calls.allToAll(new int[] {10 * r, 10 * r + 1, 10 * r + 2}, swapped);
              long[] collected = r == 0 ? new long[3] : null;
              calls.gatherV(filled((int) counts[r], 20 + r), collected, r == 0 ? counts : null, 0);
              long[] spread = new long[(int) counts[r]];
              calls.scatterV(r == 0 ? new long[] {31, 33, 34} : null, counts, spread, 0);
              float[] told = {r};
              calls.broadcast(told, 1);
              byte[] most = new byte[1];
              calls.reduce(new byte[] {(byte) r}, most, ReductionOp.MAX, 0);
              double[] passed = {r};
              if (r == 0) {
                calls.send(passed, 1);
              } else if (r == 1) {
                calls.recv(passed, 0);
              }
              calls.barrier();
              return String.join(
                  " ",
                  Arrays.toString(all),
                  Arrays.toString(uneven),
                  Arrays.toString(gathered),
                  Arrays.toString(own),
                  Arrays.toString(part),
                  Arrays.toString(swapped),
                  Arrays.toString(collected),
                  Arrays.toString(spread),
                  Arrays.toString(told),
                  Arrays.toString(most),
                  Arrays.toString(passed));
            });
    assertThat(results)
        .containsExactly(
            "[0, 1, 2] [10, 12, 12] null [7] [3.0] [0, 10, 20] [20, 22, 22] [31] [1.0] [2] [0.0]",
            "[0, 1, 2] [10, 12, 12] null [8] [6.0] [1, 11, 21] null [] [1.0] [0] [0.0]",
            "[0, 1, 2] [10, 12, 12] [0.5, 1.5, 2.5] [9] [9.0] [2, 12, 22] null [33, 34] [1.0] [0]"
                + " [2.0]");
  }

  private static long[] filled(int length, long value) {
    long[] values = new long[length];
    Arrays.fill(values, value);
    return values;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void scansReduceWhatComesBefore(int n) throws Exception {
    List<Communicator> group = Communicator.initAll(n, RankThreads.config(n));
    try {
      List<String> results =
          RankThreads.each(
              group,
              rank -> {
                int[] mine = {rank.rank() + 1, 100 * rank.rank()};
                int[] upTo = new int[2];
                int[] before = {-1, -1};
                rank.blocking().scan(mine, upTo, ReductionOp.SUM);
                rank.blocking().exclusiveScan(mine, before, ReductionOp.MAX);
                rank.blocking().scan(mine, mine, ReductionOp.PROD);
                return Arrays.toString(upTo) + Arrays.toString(before) + mine[0];
              });
      int product = 1;
      for (int r = 0; r < n; r++) {
        product *= r + 1;
        int sum = (r + 1) * (r + 2) / 2;
        assertThat(results.get(r))
            .isEqualTo(
                "[%d, %d][%d, %d]%d"
                    .formatted(
                        sum,
                        50 * r * (r + 1),
                        r == 0 ? -1 : r,
                        r == 0 ? -1 : 100 * (r - 1),
                        product));
      }
    } finally {
      group.forEach(Communicator::close);
    }
  }

  /** Rank 2 has the least of the first; ranks 0 and 1 share that of the second. */
  @Test
  void theLeastAndTheGreatestAreFoundWithTheirPlaces() throws Exception {
    List<String> results =
        RankThreads.each(
            ranks,
            rank -> {
              int r = rank.rank();
              double[] values = {-r, r < 2 ? -0.0 : 1, Double.NaN};
              long[] places = {10 + r, 20 - r, 30 + r};
              rank.blocking().minLoc(Elements.of(values), places);
              int[] ints = {r * r, 7};
              long[] others = {r, 5 - r};
              rank.blocking().maxLoc(Elements.of(ints), others);
              return values[0]
                  + " "
                  + Arrays.toString(places)
                  + Arrays.toString(ints)
                  + Arrays.toString(others);
            });
    assertThat(results).containsOnly("-2.0 [12, 19, 30][4, 7][2, 3]");
  }

  @Test
  void anAverageIsNoOperatorOfAScan() {
    assertThatThrownBy(
            () -> ranks.getFirst().blocking().scan(new int[1], new int[1], ReductionOp.AVG))
        .isInstanceOf(CommException.class)
        .hasMessage("scan: op is avg; expected sum, prod, max or min");
  }

  /** A rank that is let through early sees that another one has not come yet. */
  @Test
  void nobodyLeavesABarrierBeforeAllHaveCome() throws Exception {
    AtomicInteger come = new AtomicInteger();
    List<Integer> early =
        RankThreads.each(
            ranks,
            rank -> {
              int wrong = 0;
              for (int round = 1; round <= 2000; round++) {
                come.incrementAndGet();
                rank.blocking().barrier();
                wrong += come.get() < 3 * round ? 1 : 0;
              }
              return wrong;
            });
    assertThat(early).containsOnly(0);
    assertThat(come).hasValue(6000);
  }

  @Test
  void aResultGoesIntoAnotherArrayAndLeavesTheFirst() throws Exception {
    List<String> results =
        RankThreads.each(
            ranks,
            rank -> {
              float[] from = {rank.rank()};
              float[] to = {-1, -1, -1};
              rank.blocking()
                  .allReduce(Elements.of(from), Elements.of(to).range(1, 1), ReductionOp.SUM);
              return from[0] + " " + to[0] + " " + to[1] + " " + to[2];
            });
    assertThat(results)
        .containsExactly("0.0 -1.0 3.0 -1.0", "1.0 -1.0 3.0 -1.0", "2.0 -1.0 3.0 -1.0");
  }

  @Test
  void buffersCountFromPositionToLimit() throws Exception {
    List<String> results =
        RankThreads.each(
            ranks,
            rank -> {
              FloatBuffer heap = FloatBuffer.wrap(new float[] {9, rank.rank(), 9});
              FloatBuffer direct =
                  ByteBuffer.allocateDirect(12).order(ByteOrder.nativeOrder()).asFloatBuffer();
              direct.put(0, 9).put(1, rank.rank()).put(2, 9);
              heap.position(1).limit(2);
              direct.position(1).limit(2);
              rank.blocking().allReduce(Elements.of(heap), ReductionOp.SUM);
              rank.blocking().allReduce(Elements.of(direct), ReductionOp.SUM);
              heap.clear();
              direct.clear();
              return heap.get(0)
                  + " "
                  + heap.get(1)
                  + " "
                  + heap.get(2)
                  + " "
                  + direct.get(0)
                  + " "
                  + direct.get(1)
                  + " "
                  + direct.get(2);
            });
    assertThat(results).containsOnly("9.0 3.0 9.0 9.0 3.0 9.0");
  }

  /** Rank r has r + 1 elements for rank 0, r + 2 for rank 1 and so on. */
  @Test
  void eachRankGetsPartsOfItsOwnLength() throws Exception {
    List<String> results =
        RankThreads.each(
            ranks,
            rank -> {
              long[] out = {rank.rank() + 1, rank.rank() + 2, rank.rank() + 3};
              long[] in = {rank.rank() + 1, rank.rank() + 2, rank.rank() + 3};
              int[] from = new int[3 * rank.rank() + 6];
              int[] to = new int[3 * rank.rank() + 6];
              for (int i = 0; i < from.length; i++) {
                from[i] = 100 * rank.rank() + i;
              }
              rank.blocking().allToAllV(Elements.of(from), out, Elements.of(to), in);
              return Arrays.toString(to);
            });
    assertThat(results)
        .containsExactly(
            "[0, 100, 101, 200, 201, 202]",
            "[1, 2, 102, 103, 104, 203, 204, 205, 206]",
            "[3, 4, 5, 105, 106, 107, 108, 207, 208, 209, 210, 211]");
  }

  @Test
  void largeArraysAndEmptyOnes() throws Exception {
    List<Float> results =
        RankThreads.each(
            ranks,
            rank -> {
              float[] values = new float[300_000];
              Arrays.fill(values, 2);
              rank.blocking().allReduce(new float[0], ReductionOp.SUM);
              rank.blocking().allReduce(values, ReductionOp.SUM);
              return values[0] + values[299_999];
            });
    assertThat(results).containsOnly(12f);
  }

  @Test
  void whatCannotBeIsRefusedByName() {
    BlockingCalls calls = ranks.get(0).blocking();
    assertThatThrownBy(() -> Elements.of(ShortBuffer.allocate(1)))
        .hasMessageContaining("16-bit integers");
    assertThatThrownBy(() ->
            Elements.of(
                ByteBuffer.allocate(8)
                    .order(
                        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
                            ? ByteOrder.LITTLE_ENDIAN
                            : ByteOrder.BIG_ENDIAN)
                    .asFloatBuffer()))
        .hasMessageContaining("order");
    assertThatThrownBy(() -> Elements.of(new byte[6]).as(DataType.FLOAT32))
        .hasMessageContaining("6 bytes; expected a multiple of 4");
    Elements two = Elements.of(new float[2]);
    assertThatThrownBy(() -> calls.allReduce(two, Elements.of(new float[3]), ReductionOp.SUM))
        .hasMessageContaining("all_reduce: recv is 3 elements; expected 2");
    assertThatThrownBy(() -> calls.allReduce(two, Elements.of(new int[2]), ReductionOp.SUM))
        .hasMessageContaining("recv is int32 elements; expected float");
    assertThatThrownBy(() -> calls.allGather(two, Elements.of(new float[4])))
        .hasMessageContaining("recv is 4 elements; expected 6");
    assertThatThrownBy(() -> calls.allToAll(two, Elements.of(new float[2])))
        .hasMessageContaining("send is 2 elements; expected a multiple of 3");
    assertThatThrownBy(() -> calls.allToAllV(two, new long[] {1, 1, 1}, two, new long[] {1, 1, 0}))
        .hasMessageContaining("sendCounts is 3 elements in all; expected 2, as the buffer has");
    assertThatThrownBy(
            () -> calls.allToAllV(two, new long[] {2}, Elements.of(new float[2]), new long[] {2}))
        .hasMessageContaining("alltoallv: sendCounts is ");
    assertThatThrownBy(() -> Group.run(() -> calls.allReduce(two, ReductionOp.SUM)))
        .hasMessageContaining("within a group");
    assertThat(Group.current()).isNull();
  }

  /** On ranks that are not the root, too, where the other buffer may be missing. */
  @Test
  void aBufferThatIsMissingIsNamed() {
    List<Communicator> ranks = Communicator.initAll(2, RankThreads.config(2));
    try {
      BlockingCalls calls = ranks.getFirst().blocking();
      Elements none = none();
      Map<String, Runnable> missing =
          Map.of(
              "reduce: send", () -> calls.reduce(none, null, ReductionOp.SUM, 1),
              "gather: send", () -> calls.gather(none, null, 1),
              "gather_v: send", () -> calls.gatherV(none, null, null, 1),
              "scatter: recv", () -> calls.scatter(null, none, 1),
              "scatter_v: recv", () -> calls.scatterV(null, null, none, 1));
      missing.forEach((what, call) ->
          assertThatThrownBy(call::run)
              .isInstanceOf(CommException.class)
              .hasMessageStartingWith(what + " is null"));
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  /** Returns what a caller without a check for null gives. */
  @SuppressWarnings("NullAway")
  private static Elements none() {
    return null;
  }
}
