// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.spi.DataType;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PerfPlanTest {
  private static final long MAX = 1 << 20;

  /** What a rank of 4 needs for a size of 1 MiB, in KiB; in place the receive buffer has both. */
  @ParameterizedTest
  @CsvSource({
    "all_reduce, 1024, 1024",
    "all_gather, 256, 1024",
    "reduce_scatter, 1024, 1024",
    "broadcast, 1024, 1024",
    "reduce, 1024, 1024",
    "alltoall, 1024, 1024",
    "gather, 256, 1024",
    "scatter, 1024, 1024",
    "sendrecv, 1024, 1024",
    "allgatherv, 448, 1024",
    "gatherv, 448, 1024",
    "scatterv, 1024, 1024"
  })
  void knowsWhatMemoryIsNeeded(String label, long send, long recv) {
    PerfPlan plan = plan(label, List.of(DataType.FLOAT32, DataType.INT8));
    assertThat(plan.sendBytes(4)).isEqualTo(send << 10);
    assertThat(plan.recvBytes(4)).isEqualTo(recv << 10);
    assertThat(Buffers.bytes(plan, 4)).isEqualTo(((send + recv) << 10) + 4.0 * Buffers.GUARD_BYTES);
  }

  @Test
  void takesTheTypeThatNeedsMost() {
    PerfPlan plan =
        Plans.of(
            "all_reduce",
            8,
            1001,
            List.of(DataType.FLOAT64, DataType.INT8),
            List.of(PerfOperator.SUM),
            1);
    assertThat(plan.sendBytes(2)).isEqualTo(1001);
  }

  @Test
  void goesThroughAllRoots() {
    assertThat(plan("reduce", List.of(DataType.INT8)).roots(3)).containsExactly(0, 1, 2);
    assertThat(plan("all_reduce", List.of(DataType.INT8)).roots(3)).containsExactly(-1);
  }

  @ParameterizedTest
  @CsvSource({"RANK0, 2", "MEAN, 3", "MIN, 1", "MAX, 6"})
  void takesTheTimeOfWhomItIsAskedFor(PerfPlan.Average average, double seconds) {
    byte[][] all = {
      Measurement.encode(new Stopwatch.Time(2, 0.2), 1),
      Measurement.encode(new Stopwatch.Time(1, 0.1), 0),
      Measurement.encode(new Stopwatch.Time(6, 0.6), 4)
    };
    assertThat(Measurement.combine(all, average, true, true))
        .isEqualTo(new Measurement(seconds, seconds / 10, 1, 6, 5));
    assertThat(Measurement.combine(all, average, false, true).wrong())
        .isEqualTo(Measurement.UNCHECKED);
  }

  /** An iteration takes as long as the slowest rank does, if that is asked for. */
  @Test
  void tellsHowIterationsAreSpread() {
    byte[][] all = {
      Measurement.encode(new Stopwatch.Time(2, 0, List.of(1.0, 5.0, 2.0)), 0),
      Measurement.encode(new Stopwatch.Time(2, 0, List.of(4.0, 3.0, 2.5)), 0)
    };
    assertThat(Measurement.combine(all, PerfPlan.Average.MAX, true, true).percentiles())
        .isEqualTo(new Percentiles(2.5, 4, 5, 5, 5, 5, 3));
    assertThat(Measurement.combine(all, PerfPlan.Average.RANK0, true, true).percentiles())
        .isEqualTo(new Percentiles(1, 2, 5, 5, 5, 5, 3));
  }

  @Test
  void percentilesAreTimesThatThereWere() {
    double[] times = IntStream.rangeClosed(1, 1000).mapToDouble(i -> 1001 - i).toArray();
    assertThat(Percentiles.of(times)).isEqualTo(new Percentiles(1, 500, 900, 990, 999, 1000, 1000));
    assertThat(Percentiles.of(new double[] {7})).isEqualTo(new Percentiles(7, 7, 7, 7, 7, 7, 1));
  }

  @ParameterizedTest
  @CsvSource({"8, 2, false", "9, 2, true", "100, 4, true", "4, 1, false"})
  void warnsWhereRanksAreManyMoreThanCores(int ranks, int cores, boolean crowded) {
    assertThat(CrowdedHost.isCrowded(ranks, cores)).isEqualTo(crowded);
  }

  private static PerfPlan plan(String label, List<DataType> types) {
    return Plans.of(label, 8, MAX, types, List.of(PerfOperator.SUM), 1);
  }
}
