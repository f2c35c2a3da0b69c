// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The arithmetic of segments, against a model that goes byte by byte. */
final class SegmentsTest {
  private static final int SEGMENT = Segments.LEAST_BYTES;

  @Test
  void allReduceSendsEverythingBothWays() {
    Segments rank = new Segments(new int[] {1}, SEGMENT);
    Descriptor of = new Descriptor().allReduce(0, 2 * SEGMENT + 5, DataType.INT8, ReductionOp.SUM);
    assertThat(rank.count(of)).isEqualTo(3);
    assertThat(rank.upBytes(of, 0)).isEqualTo(SEGMENT);
    assertThat(rank.upBytes(of, 2)).isEqualTo(5);
    assertThat(rank.downBytes(of, 1)).isEqualTo(SEGMENT);
    assertThat(rank.downBytes(of, 2)).isEqualTo(5);
    assertThat(rank.isLast(of, 1)).isFalse();
    assertThat(rank.isLast(of, 2)).isTrue();
  }

  @Test
  void anOperationOfNothingHasOneSegmentThatIsAnswered() {
    Segments rank = new Segments(new int[] {1}, SEGMENT);
    for (Descriptor of :
        new Descriptor[] {
          new Descriptor().allReduce(0, 0, DataType.INT8, ReductionOp.SUM),
          new Descriptor().allGather(0, 0, 0, 0),
          new Descriptor().allGather(0, 8, 8, 0),
          new Descriptor().reduceScatter(0, 8, 16, 0, DataType.INT8, ReductionOp.SUM)
        }) {
      assertThat(rank.count(of)).isEqualTo(1);
      assertThat(rank.upBytes(of, 0)).isZero();
      assertThat(rank.downBytes(of, 0)).isZero();
      assertThat(rank.isAnswered(of, 0)).isTrue();
      assertThat(of.isInline()).isTrue();
    }
  }

  @Test
  void theLargestOperationsDoNotOverflow() {
    Segments last = new Segments(new int[] {1023}, Segments.MOST_BYTES);
    Descriptor of = new Descriptor().allGather(0, 1L << 40, 1022L << 40, 1L << 40);
    assertThat(last.count(of)).isEqualTo(1L << 16);
    assertThat(last.own(of, (1L << 16) - 1)).isZero();
    of.allGather(0, 1L << 40, (1022L << 40) + 1, 1L << 40);
    assertThat(last.own(of, (1L << 16) - 1)).isEqualTo(1);
    assertThat(last.ownStart(of, (1L << 16) - 1)).isEqualTo(Segments.MOST_BYTES - 1);
  }

  @Test
  void partsOfRanksAreThoseOfTheModel() {
    Random random = new Random(5);
    for (int round = 0; round < 2_000; round++) {
      int nranks = 1 + random.nextInt(9);
      int[] ranks = IntStream.range(0, nranks).filter(r -> random.nextInt(3) > 0).toArray();
      if (ranks.length == 0) {
        ranks = new int[] {random.nextInt(nranks)};
      }
      int most = random.nextBoolean() ? 40 : 3 * SEGMENT;
      int perRank = random.nextInt(most);
      int offset = random.nextInt(nranks * perRank + 1);
      int bytes = random.nextInt(nranks * perRank - offset + 1);
      Descriptor of = new Descriptor().allGather(0, perRank, offset, bytes);
      compare(new Segments(ranks, SEGMENT), ranks, of);
    }
  }

  private static void compare(Segments segments, int[] ranks, Descriptor of) {
    MemorySegment whole = Arena.ofAuto().allocate(SEGMENT);
    MemorySegment packed = Arena.ofAuto().allocate(SEGMENT);
    MemorySegment back = Arena.ofAuto().allocate(SEGMENT);
    long covered = 0;
    for (long s = 0; s < segments.count(of); s++) {
      int length = segments.length(of, s);
      assertThat(segments.start(s)).isEqualTo(covered);
      covered += length;
      back.fill((byte) 0);
      int own = 0;
      int first = -1;
      for (int i = 0; i < length; i++) {
        long rank = (of.windowOffset() + segments.start(s) + i) / of.bytesPerRank();
        boolean mine = Arrays.binarySearch(ranks, (int) rank) >= 0;
        whole.set(ValueLayout.JAVA_BYTE, i, (byte) (mine ? 1 + own % 100 : 127));
        first = mine && first < 0 ? i : first;
        own += mine ? 1 : 0;
      }
      assertThat(segments.own(of, s)).as("%s", of).isEqualTo(own);
      assertThat(segments.upBytes(of, s)).isEqualTo(own);
      assertThat(segments.downBytes(of, s)).isEqualTo(length);
      assertThat(segments.ownStart(of, s)).isEqualTo(Math.max(0, first));
      assertThat(segments.pack(of, s, whole, 0, packed, 0)).isEqualTo(own);
      for (int i = 0; i < own; i++) {
        assertThat(packed.get(ValueLayout.JAVA_BYTE, i)).isEqualTo((byte) (1 + i % 100));
      }
      assertThat(segments.unpack(of, s, packed, 0, back, 0)).isEqualTo(own);
      for (int i = 0; i < length; i++) {
        byte there = whole.get(ValueLayout.JAVA_BYTE, i);
        assertThat(back.get(ValueLayout.JAVA_BYTE, i)).isEqualTo(there == 127 ? 0 : there);
      }
      if (segments.isRun() && own > 0) {
        assertThat(whole.asSlice(first, own).mismatch(packed.asSlice(0, own))).isEqualTo(-1);
      }
      assertThat(segments.isAnswered(of, s)).isTrue();
    }
    assertThat(covered).isEqualTo(of.windowBytes());
  }

  @Test
  void aScatterAnswersOnlySegmentsWithBytesAndTheLast() {
    Segments rank = new Segments(new int[] {1}, SEGMENT);
    Descriptor of =
        new Descriptor()
            .reduceScatter(0, SEGMENT, 0, 4L * SEGMENT, DataType.INT32, ReductionOp.SUM);
    assertThat(rank.upBytes(of, 0)).isEqualTo(SEGMENT);
    assertThat(rank.isAnswered(of, 0)).isFalse();
    assertThat(rank.downBytes(of, 1)).isEqualTo(SEGMENT);
    assertThat(rank.isAnswered(of, 1)).isTrue();
    assertThat(rank.isAnswered(of, 2)).isFalse();
    assertThat(rank.downBytes(of, 3)).isZero();
    assertThat(rank.isAnswered(of, 3)).isTrue();
  }

  @Test
  void wrongSizesAndRanksAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Segments(new int[] {0}, 2048));
    assertThatIllegalArgumentException().isThrownBy(() -> new Segments(new int[] {0}, 4097));
    assertThatIllegalArgumentException().isThrownBy(() -> new Segments(new int[] {0}, 1 << 25));
    assertThatIllegalArgumentException().isThrownBy(() -> new Segments(new int[] {}, SEGMENT));
    assertThatIllegalArgumentException().isThrownBy(() -> new Segments(new int[] {1, 1}, SEGMENT));
    assertThatIllegalArgumentException().isThrownBy(() -> new Segments(new int[] {-1}, SEGMENT));
  }
}
