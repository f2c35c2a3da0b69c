// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceReduction;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All types and operators, with numbers whose results are exact in each of them. */
class BridgedReductionsTest {
  private static final int COUNT = 1009;

  @ParameterizedTest
  @ValueSource(strings = {"AB", "AABB", "AAB"})
  void areExactInEveryType(String teams) throws Exception {
    try (BridgedRanks ranks = new BridgedRanks(teams, Map.of())) {
      ranks.run(rank -> {
        for (DataType type : DataType.values()) {
          for (ReductionOp op : ReductionOp.values()) {
            // A third is exact in no floating-point type.
            if (op != ReductionOp.AVG || !type.isFloat() || teams.length() != 3) {
              reduced(rank, DeviceReduction.of(type, op, rank.ranks()), scalar(type, 0), op);
            }
          }
          double scalar = scalar(type, rank.number);
          long bits = Values.bits(type, scalar);
          DeviceReduction products = DeviceReduction.preMulSum(type, rank.ranks(), bits);
          reduced(rank, products, scalar, null);
        }
        return true;
      });
    }
  }

  private static double scalar(DataType type, int rank) {
    return rank % 2 == 0 ? 2 : type.isFloat() ? 1 : 3;
  }

  /** So small that no sum is more than 8, up to which the narrowest type has all integers. */
  private static double value(int rank, long i, ReductionOp op) {
    return (rank + i + i / 5) % (op == null ? 2 : 3);
  }

  private static double expected(
      BridgedRanks.Rank rank, DeviceReduction reduction, ReductionOp op, long i) {
    double result = op == null || op == ReductionOp.SUM ? 0 : start(op);
    for (int r = 0; r < rank.ranks(); r++) {
      double value = value(r, i, op);
      if (op == null) {
        result += value * scalar(reduction.type(), r);
        continue;
      }
      result =
          switch (op) {
            case SUM, AVG -> result + value;
            case PROD -> result * value;
            case MAX -> Math.max(result, value);
            case MIN -> Math.min(result, value);
          };
    }
    if (op == ReductionOp.AVG) {
      result /= rank.ranks();
      return reduction.type().isFloat() ? result : Math.floor(result);
    }
    return result;
  }

  private static double start(ReductionOp op) {
    return op == ReductionOp.PROD ? 1 : op == ReductionOp.MIN ? 100 : 0;
  }

  private static void reduced(
      BridgedRanks.Rank rank, DeviceReduction reduction, double scalar, ReductionOp op) {
    DataType type = reduction.type();
    String what = type + " " + (op == null ? "pre-multiplied by " + scalar : op);
    assertThat(rank.team.supports(Collective.ALL_REDUCE, reduction)).as(what).isTrue();
    int n = rank.ranks();
    MemorySegment src = rank.allocate((long) n * COUNT * type.size());
    for (long i = 0; i < (long) n * COUNT; i++) {
      Values.put(src, type, i, value(rank.number, i, op));
    }
    MemorySegment all = rank.allocate((long) COUNT * type.size());
    MemorySegment part = rank.allocate((long) COUNT * type.size());
    MemorySegment one = rank.allocate((long) COUNT * type.size());
    rank.team.allReduce(rank.stream, reduction, src.address(), all.address(), COUNT);
    rank.team.reduceScatter(rank.stream, reduction, src.address(), part.address(), COUNT);
    rank.team.reduce(rank.stream, reduction, src.address(), one.address(), COUNT, 1);
    rank.finish();
    assertThat(rank.team.failure()).as(what).isNull();
    compare(what + " all_reduce", rank, reduction, op, all, 0);
    compare(what + " reduce_scatter", rank, reduction, op, part, (long) rank.number * COUNT);
    if (rank.number == 1) {
      compare(what + " reduce", rank, reduction, op, one, 0);
    }
  }

  private static void compare(
      String what,
      BridgedRanks.Rank rank,
      DeviceReduction reduction,
      ReductionOp op,
      MemorySegment found,
      long from) {
    DataType type = reduction.type();
    MemorySegment expected = MemorySegment.ofArray(new long[COUNT]).asSlice(0, found.byteSize());
    for (long i = 0; i < COUNT; i++) {
      Values.put(expected, type, i, expected(rank, reduction, op, from + i));
    }
    long differs = found.mismatch(expected);
    assertThat(differs).as("%s on rank %d: first wrong byte", what, rank.number).isEqualTo(-1);
  }
}
