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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
}
