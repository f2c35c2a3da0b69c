// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.numeric;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ContributionsTest {
  private static final int COUNT = 400;

  @ParameterizedTest
  @EnumSource(value = DataType.class, mode = EnumSource.Mode.MATCH_ALL, names = "FLOAT.*|BFLOAT.*")
  void everyOrderOfRoundedOperationsIsRight(DataType type) {
    Random random = new Random(5);
    for (ReductionOp op : List.of(ReductionOp.SUM, ReductionOp.PROD)) {
      for (InputSort sort : List.of(InputSort.EXACT, InputSort.ROUNDED)) {
        for (int members = 1; members <= 8; members++) {
          Contributions all = new Contributions(sort, type, op, members, random.nextLong());
          List<Integer> order = new ArrayList<>();
          for (int i = 0; i < members; i++) {
            order.add(i);
          }
          Collections.shuffle(order, random);
          assertThat(wrong(all, type, op, order)).as("%s %s of %d", op, sort, members).isNull();
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"FLOAT16, SUM", "BFLOAT16, SUM", "FLOAT32, PROD", "FLOAT64, SUM", "FLOAT8E4M3, SUM"})
  void aMemberLeftOutShows(DataType type, ReductionOp op) {
    Contributions all = new Contributions(InputSort.EXACT, type, op, 3, 9);
    assertThat(wrong(all, type, op, List.of(0, 1))).startsWith("element ");
    Contributions rounded = new Contributions(InputSort.ROUNDED, type, op, 3, 9);
    assertThat(wrong(rounded, type, op, List.of(2, 1))).startsWith("element ");
  }

  @ParameterizedTest
  @EnumSource(value = DataType.class, mode = EnumSource.Mode.MATCH_ALL, names = "FLOAT.*|BFLOAT.*")
  void aResultOffByMoreThanRoundingShows(DataType type) {
    try (Arena arena = Arena.ofConfined()) {
      Contributions one = new Contributions(InputSort.ROUNDED, type, ReductionOp.SUM, 2, 3);
      MemorySegment memory = arena.allocate(8);
      FloatFormat format = FloatFormat.of(type);
      double a = format.decode(one.bits(0, 0));
      double b = format.decode(one.bits(1, 0));
      KitElements.set(memory, type, 0, format.encode(a + b));
      assertThat(one.firstWrong(memory, 0, 1)).isNull();
      double off = (Math.abs(a) + Math.abs(b)) * Math.scalb(2.0, -format.mantissa());
      KitElements.set(memory, type, 0, format.encode(a + b + off));
      assertThat(one.firstWrong(memory, 0, 1)).contains("give or take");
    }
  }

  private static String wrong(
      Contributions all, DataType type, ReductionOp op, List<Integer> order) {
    FloatFormat format = FloatFormat.of(type);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate((long) COUNT * type.size());
      for (long i = 0; i < COUNT; i++) {
        double result = format.decode(all.bits(order.getFirst(), i));
        for (int member : order.subList(1, order.size())) {
          double next = format.decode(all.bits(member, i));
          double both = op == ReductionOp.SUM ? result + next : result * next;
          result = format.decode(format.encode(both));
        }
        KitElements.set(memory, type, i * type.size(), format.encode(result));
      }
      return all.firstWrong(memory, 0, COUNT);
    }
  }
}
