// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.perf.collective.PerfDevice;
import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.cli.perf.device.PerfDevicePlan;
import io.nitinol.spi.DataType;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The expected lines have the columns of lines that nccl-tests 2.17 printed. */
class ResultTableTest {
  private static final PerfPlan PLAN =
      Plans.with(
          Plans.of(
              "all_reduce", 8, 1 << 20, List.of(DataType.FLOAT32), List.of(PerfOperator.SUM), 1),
          new PerfPlan.Timing(5, 0, 0, 20, 1, 1, PerfPlan.Blocking.NONE),
          0);
  private static final LocalDateTime NOW = LocalDateTime.of(2026, 1, 2, 3, 4, 5);

  @Test
  void rowThatIsNotSteadyIsNotToBeBelieved() {
    assertThat(ResultTable.unsteady(64))
        .isEqualTo(
            "# 64 bytes: not steady after the longest warm-up, so this row is not to be believed");
  }

  @Test
  void printsTheHeader() {
    List<RankInfo> ranks =
        List.of(
            new RankInfo(0, 4711, "node1", PerfDevice.host("scalar")),
            new RankInfo(1, 123456, "n2", PerfDevice.host("scalar")));
    assertThat(ResultTable.header(PLAN, "Socket v6", ranks, "0.1.0"))
        .containsExactly(
            "# nitinol version 0.1.0",
            "# Collective test starting: all_reduce_perf",
            "# nThread 2 nGpus 1 minBytes 8 maxBytes 1048576 step: 2(factor) warmup iters: 5"
                + " iters: 20 agg iters: 1 validation: 1 graph: 0",
            "#",
            "# Using network Socket v6",
            "# Using devices",
            "#  Rank  0 Group  0 Pid   4711 on      node1 device  0 [cpu] scalar",
            "#  Rank  1 Group  0 Pid 123456 on         n2 device  0 [cpu] scalar",
            "#",
            "#                                                              out-of-place           "
                + "            in-place          ",
            "#       size         count      type   redop    root     time   algbw   busbw  #wrong "
                + "    time   algbw   busbw  #wrong",
            "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)         "
                + "    (us)  (GB/s)  (GB/s)        ");
  }

  /** The lines of devices are nccl-tests' own. */
  @Test
  void printsTheDevices() {
    PerfPlan plan = Plans.on(new PerfDevicePlan("cuda", 2, 3, true), PLAN);
    List<RankInfo> ranks = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      PerfDevice device =
          new PerfDevice(
              rank, "0000:4" + rank + ":00.0", "NVIDIA H200", "cuda, fabric: windows", Map.of());
      ranks.add(RankInfo.decode(new RankInfo(rank, 4711, "node1", device).encode()));
    }
    assertThat(ResultTable.header(plan, "Socket v6", ranks, "0.1.0"))
        .contains(
            "# nThread 2 nGpus 2 minBytes 8 maxBytes 1048576 step: 2(factor) warmup iters: 5"
                + " iters: 20 agg iters: 1 validation: 1 graph: 3")
        .containsSubsequence(
            "# Using network Socket v6",
            "# Using device cuda, fabric: windows",
            "# Using devices",
            "#  Rank  0 Group  0 Pid   4711 on      node1 device  0 [0000:40:00.0] NVIDIA H200",
            "#  Rank  1 Group  0 Pid   4711 on      node1 device  1 [0000:41:00.0] NVIDIA H200",
            "#")
        .noneMatch(line -> line.contains("Note"));
    ranks.add(new RankInfo(2, 4711, "node1", ranks.get(1).device()));
    assertThat(ResultTable.header(plan, "Socket v6", ranks, "0.1.0"))
        .contains("# Note: 3 ranks share 2 devices, and the time of one is that of all on it");
  }

  @Test
  void handsOnWhatTheDriverTells() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("uuid", "GPU-1");
    facts.put("links", "fabric to 7 other devices, a=b");
    PerfDevice device = new PerfDevice(3, "0000:4e:00.0", "NVIDIA H200", "two\nlines", facts);
    PerfDevice read = PerfDevice.decode(device.encode());
    assertThat(read)
        .isEqualTo(new PerfDevice(3, "0000:4e:00.0", "NVIDIA H200", "two lines", facts));
    assertThat(read.facts().keySet()).containsExactly("uuid", "links");
    PerfDevice host = PerfDevice.host("8 cores");
    assertThat(PerfDevice.decode(host.encode())).isEqualTo(host);
  }

  @Test
  void printsStepsInBytes() {
    PerfPlan plan =
        new PerfPlan(
            PLAN.collective(),
            new SizeRange(8, 64, 1, 8),
            PLAN.types(),
            PLAN.ops(),
            PerfJob.NO_ROOT,
            new PerfPlan.Timing(1, 0, 0, 2, 3, 1, PerfPlan.Blocking.ALL_RANKS),
            0,
            0,
            new PerfPlan.Reporting(PerfPlan.Average.MEAN, true, true, 0),
            false,
            null,
            new PerfMode.Table());
    RankInfo rank = new RankInfo(0, 1, "h", PerfDevice.host("d"));
    assertThat(ResultTable.header(plan, "", List.of(rank, rank), "1"))
        .contains(
            "# nThread 1 nGpus 1 minBytes 8 maxBytes 64 step: 8(bytes) warmup iters: 1 iters: 2 agg"
                + " iters: 3 validation: 0 graph: 0",
            "# Blocking Enabled: wait for completion and barrier after each collective",
            "#       size         count      type   redop    root  cputime   algbw   busbw  #wrong "
                + " cputime   algbw   busbw  #wrong           timestamp",
            "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)         "
                + "    (us)  (GB/s)  (GB/s)         YYYY-MM-DD HH:MM:SS");
  }

  @Test
  void printsARow() {
    PerfRow row =
        new PerfRow(
            1 << 20,
            new PerfJob(DataType.FLOAT32, PerfOperator.SUM, PerfJob.NO_ROOT, 4, 1 << 18),
            1.5,
            new Measurement(1234.567e-6, 0, 0, 0, 0),
            new Measurement(98.7654e-6, 0, 0, 0, 0));
    assertThat(ResultTable.row(Plans.REPORTING, row, NOW))
        .isEqualTo(
            "     1048576        262144     float     sum      -1  1234.57    0.85    1.27       0"
                + "    98.77   10.62   15.93       0");
  }

  @Test
  void printsHowIterationsAreSpread() {
    Percentiles spread = new Percentiles(3.1e-6, 4e-6, 5.25e-6, 99e-6, 1.5e-3, 0.25, 1000);
    Measurement measured = new Measurement(5e-6, 0, 0, 0, 0, true, spread);
    PerfJob job = new PerfJob(DataType.FLOAT32, PerfOperator.SUM, PerfJob.NO_ROOT, 4, 2);
    assertThat(ResultTable.percentiles(new PerfRow(8, job, 1.5, measured, null)))
        .containsExactly(
            "# 8 bytes, out-of-place us:  min 3.10  p50 4.00  p90 5.25  p99 99.00  p99.9 1500.00"
                + "  max 250000");
    Percentiles few = new Percentiles(3.1e-6, 4e-6, 5.25e-6, 99e-6, 1.5e-3, 0.25, 99);
    measured = new Measurement(5e-6, 0, 0, 0, 0, true, few);
    assertThat(ResultTable.percentiles(new PerfRow(8, job, 1.5, measured, null)))
        .as("no percentile of more iterations than there were")
        .containsExactly("# 8 bytes, out-of-place us:  min 3.10  p50 4.00  p90 5.25  max 250000");
    Measurement none = new Measurement(5e-6, 0, 0, 0, 0);
    assertThat(ResultTable.percentiles(new PerfRow(8, job, 1.5, none, none))).isEmpty();
  }

  @Test
  void printsWrongElementsAndUncheckedOnes() {
    PerfRow row =
        new PerfRow(
            8,
            new PerfJob(DataType.BFLOAT16, PerfOperator.PROD, 3, 4, 1),
            1,
            new Measurement(1, 0, 0, 0, 1234567),
            new Measurement(0, 0, 0, 0, Measurement.UNCHECKED));
    assertThat(ResultTable.row(Plans.REPORTING, row, NOW))
        .isEqualTo(
            "           8             1  bfloat16    prod       3  1000000    0.00    0.00 "
                + " 1.23457e+06     0.00    0.00    0.00     N/A");
    assertThat(row.wrong()).isEqualTo(1234567);
  }

  @Test
  void printsWhatWasAskedFor() {
    PerfRow row =
        new PerfRow(
            64,
            new PerfJob(DataType.INT8, PerfOperator.NONE, PerfJob.NO_ROOT, 4, 16),
            0.75,
            new Measurement(2e-6, 1e-6, 0, 0, 0),
            null);
    PerfPlan.Reporting reporting = new PerfPlan.Reporting(PerfPlan.Average.MEAN, true, true, 0);
    assertThat(ResultTable.row(reporting, row, NOW))
        .isEqualTo(
            "          64            16      int8    none      -1     1.00    0.03    0.02       0"
                + "      N/A     N/A     N/A     N/A 2026-01-02 03:04:05");
  }

  @Test
  void printsTheFooter() {
    Totals totals = new Totals();
    assertThat(ResultTable.footer(PLAN, totals))
        .containsExactly(
            "# Out of bounds values : 0 OK",
            "# Avg bus bandwidth    : 0",
            "#",
            "# Collective test concluded: all_reduce_perf");
    PerfJob job = new PerfJob(DataType.INT8, PerfOperator.SUM, PerfJob.NO_ROOT, 4, 1_000_000_000);
    Measurement right = new Measurement(1, 1, 1, 1, 0);
    Measurement wrong = new Measurement(2, 2, 2, 2, 7);
    totals.add(new PerfRow(1_000_000_000, job, 1.5, right, wrong));
    totals.add(new PerfRow(1_000_000_000, job, 1.5, right, null));
    assertThat(ResultTable.footer(PLAN, totals))
        .contains("# Out of bounds values : 7 FAILED", "# Avg bus bandwidth    : 1.25");
  }
}
