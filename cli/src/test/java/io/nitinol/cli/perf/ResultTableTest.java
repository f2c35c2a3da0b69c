// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The expected lines have the columns of lines that nccl-tests 2.17 printed. */
class ResultTableTest {
  private static final PerfPlan PLAN =
      new PerfPlan(
          Collective.ALL_REDUCE,
          new SizeRange(8, 1 << 20, 2, 0),
          List.of(DataType.FLOAT32),
          List.of(ReductionOp.SUM),
          5,
          20,
          1,
          false,
          false);

  @Test
  void printsTheHeader() {
    List<RankInfo> ranks =
        List.of(new RankInfo(0, 4711, "node1", "scalar"), new RankInfo(1, 123456, "n2", "scalar"));
    assertThat(ResultTable.header(PLAN, "Socket v6", ranks, "0.1.0"))
        .containsExactly(
            "# nitinol version 0.1.0",
            "# Collective test starting: all_reduce_perf",
            "# nThread 1 nGpus 1 minBytes 8 maxBytes 1048576 step: 2(factor) warmup iters: 5"
                + " iters: 20 agg iters: 1 validation: 1 graph: 0",
            "#",
            "# Using network Socket v6",
            "# Using devices",
            "#  Rank  0 Group  0 Pid   4711 on      node1 device  0 [cpu] scalar",
            "#  Rank  1 Group  0 Pid 123456 on         n2 device  0 [cpu] scalar",
            "#",
            "#                                                              out-of-place            "
                + "           in-place          ",
            "#       size         count      type   redop    root     time   algbw   busbw  #wrong "
                + "    time   algbw   busbw  #wrong",
            "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)         "
                + "    (us)  (GB/s)  (GB/s)        ");
  }

  @Test
  void printsStepsInBytes() {
    PerfPlan plan =
        new PerfPlan(
            Collective.ALL_REDUCE,
            new SizeRange(8, 64, 1, 8),
            List.of(DataType.INT8),
            List.of(ReductionOp.MAX),
            1,
            2,
            0,
            true,
            true);
    RankInfo rank = new RankInfo(0, 1, "h", "d");
    assertThat(ResultTable.header(plan, "", List.of(rank, rank), "1"))
        .contains(
            "# nThread 2 nGpus 1 minBytes 8 maxBytes 64 step: 8(bytes) warmup iters: 1 iters: 2 agg"
                + " iters: 1 validation: 0 graph: 0",
            "# Blocking Enabled: wait for completion and barrier after each collective");
  }

  @Test
  void printsARow() {
    Row row =
        new Row(
            1 << 20,
            1 << 18,
            DataType.FLOAT32,
            ReductionOp.SUM,
            1.5,
            new Measurement(1234.567e-6, 0, 0, 0),
            new Measurement(98.7654e-6, 0, 0, 0));
    assertThat(ResultTable.row(row))
        .isEqualTo(
            "     1048576        262144     float     sum      -1  1234.57    0.85    1.27       0"
                + "    98.77   10.62   15.93       0");
  }

  @Test
  void printsWrongElementsAndUncheckedOnes() {
    Row row =
        new Row(
            8,
            1,
            DataType.BFLOAT16,
            ReductionOp.PROD,
            1,
            new Measurement(1, 0, 0, 1234567),
            new Measurement(0, 0, 0, Measurement.UNCHECKED));
    assertThat(ResultTable.row(row))
        .isEqualTo(
            "           8             1  bfloat16    prod      -1  1000000    0.00    0.00  1.23457e"
                + "+06     0.00    0.00    0.00     N/A");
    assertThat(row.wrong()).isEqualTo(1234567);
  }

  @Test
  void printsTheFooter() {
    assertThat(ResultTable.footer(PLAN, 0, 1.23456789))
        .containsExactly(
            "# Out of bounds values : 0 OK",
            "# Avg bus bandwidth    : 1.23457",
            "#",
            "# Collective test concluded: all_reduce_perf");
    assertThat(ResultTable.footer(PLAN, 7, 0)).contains("# Out of bounds values : 7 FAILED");
  }
}
