// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What descriptors say and which are refused. */
final class DescriptorTest {
  private static final int NRANKS = 5;

  private final MemorySegment bytes = Arena.ofAuto().allocate(2 * Descriptor.BYTES + 3);

  @Test
  void allKindsComeBackAsTheyWere() {
    Descriptor[] all = {
      new Descriptor().allReduce(7, 1234, DataType.FLOAT64, ReductionOp.MAX),
      new Descriptor().allReduce(0, 0, DataType.INT8, ReductionOp.SUM),
      new Descriptor().allReduce(0, 1L << 40, DataType.INT8, ReductionOp.SUM),
      new Descriptor().allGather(1L << 40, 1L << 34, 17, (1L << 36) - 3),
      new Descriptor().allGather(3, 0, 0, 0),
      new Descriptor().reduceScatter(3, 24, 8, 112, DataType.UINT64, ReductionOp.PROD),
    };
    for (Descriptor one : all) {
      one.write(bytes, 3);
      Descriptor read = new Descriptor();
      assertThat(read.read(bytes, 3, Descriptor.BYTES, NRANKS)).as("%s", one).isNull();
      assertThat(read).hasToString(one.toString());
      assertThat(read.kind()).isEqualTo(one.kind());
      assertThat(read.type()).isEqualTo(one.type());
      assertThat(read.op()).isEqualTo(one.op());
      assertThat(read.sequence()).isEqualTo(one.sequence());
      assertThat(read.bytesPerRank()).isEqualTo(one.bytesPerRank());
      assertThat(read.windowOffset()).isEqualTo(one.windowOffset());
      assertThat(read.windowBytes()).isEqualTo(one.windowBytes());
    }
  }

  @Test
  void impossibleOperationsAreRefused() {
    Descriptor[] all = {
      new Descriptor().allReduce(0, -1, DataType.INT8, ReductionOp.SUM),
      new Descriptor().allReduce(0, (1L << 40) + 1, DataType.INT8, ReductionOp.SUM),
      new Descriptor().allReduce(0, 8, DataType.INT32, ReductionOp.AVG),
      new Descriptor().allGather(0, 10, 0, 51),
      new Descriptor().allGather(0, 10, 50, 1),
      new Descriptor().allGather(0, 10, Long.MAX_VALUE, 1),
      new Descriptor().allGather(0, 10, -1, 1),
      new Descriptor().allGather(0, Long.MAX_VALUE, 0, 8),
      new Descriptor().allGather(0, Long.MIN_VALUE, 0, 8),
      new Descriptor().reduceScatter(0, 12, 0, 60, DataType.INT64, ReductionOp.SUM),
      new Descriptor().reduceScatter(0, 16, 4, 16, DataType.INT64, ReductionOp.SUM),
      new Descriptor().reduceScatter(0, 16, 8, 12, DataType.INT64, ReductionOp.SUM),
    };
    for (Descriptor one : all) {
      one.write(bytes, 0);
      assertThat(new Descriptor().read(bytes, 0, Descriptor.BYTES, NRANKS))
          .as("%s", one)
          .isNotNull();
    }
  }

  @Test
  void shortMessagesAndOtherMessagesAreRefused() {
    new Descriptor().write(bytes, 0);
    Descriptor read = new Descriptor();
    assertThat(read.read(bytes, 0, Descriptor.BYTES - 1, NRANKS)).contains("63 bytes");
    assertThat(read.read(bytes, 0, 0, NRANKS)).contains("0 bytes");
    bytes.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    assertThat(read.read(bytes, 0, Descriptor.BYTES, NRANKS)).contains("begins with");
  }

  @Test
  void aChangeAnywhereIsRefusedOrSeen() {
    Descriptor original =
        new Descriptor().reduceScatter(258, 1032, 516, 772, DataType.INT32, ReductionOp.MIN);
    original.write(bytes, 0);
    MemorySegment other = Arena.ofAuto().allocate(Descriptor.BYTES);
    for (int bit = 0; bit < 8 * Descriptor.BYTES; bit++) {
      other.copyFrom(bytes.asSlice(0, Descriptor.BYTES));
      assertThat(Descriptor.isSame(bytes, 0, other, 0)).isTrue();
      byte old = other.get(ValueLayout.JAVA_BYTE, bit / 8);
      other.set(ValueLayout.JAVA_BYTE, bit / 8, (byte) (old ^ 1 << bit % 8));
      assertThat(Descriptor.isSame(bytes, 0, other, 0)).as("bit %d", bit).isFalse();
      Descriptor read = new Descriptor();
      String wrong = read.read(other, 0, Descriptor.BYTES, NRANKS);
      if (wrong == null) {
        assertThat(read.toString()).as("bit %d", bit).isNotEqualTo(original.toString());
      }
    }
  }

  @Test
  void anyBytesAreReadOrRefused() {
    Random random = new Random(11);
    byte[] garbage = new byte[Descriptor.BYTES];
    MemorySegment in = Arena.ofAuto().allocate(Descriptor.BYTES);
    for (int i = 0; i < 50_000; i++) {
      new Descriptor()
          .allGather(random.nextInt(4), random.nextInt(99), random.nextInt(99), random.nextInt(99))
          .write(in, 0);
      random.nextBytes(garbage);
      int from = 4 + random.nextInt(Descriptor.BYTES - 4);
      int to = from + random.nextInt(Descriptor.BYTES - from + 1);
      MemorySegment.copy(garbage, from, in, ValueLayout.JAVA_BYTE, from, to - from);
      Descriptor read = new Descriptor();
      if (read.read(in, 0, Descriptor.BYTES, NRANKS) == null) {
        assertThat(read.windowBytes()).isBetween(0L, Descriptor.MOST_BYTES);
        assertThat(read.op()).isNotEqualTo(ReductionOp.AVG);
        if (read.kind() != Collective.ALL_REDUCE) {
          assertThat(read.windowOffset() + read.windowBytes())
              .isLessThanOrEqualTo(NRANKS * read.bytesPerRank());
        }
      }
    }
  }
}
