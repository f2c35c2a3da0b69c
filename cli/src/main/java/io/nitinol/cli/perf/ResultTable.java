// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints what nccl-tests prints, column by column, so that what reads its output reads this. */
final class ResultTable {
  private static final int NO_ROOT = -1;

  private ResultTable() {}

  /** Returns the lines above the table. */
  static List<String> header(PerfPlan plan, String network, List<RankInfo> ranks, String version) {
    SizeRange range = plan.range();
    List<String> lines = new ArrayList<>();
    lines.add("# nitinol version " + version);
    lines.add("# Collective test starting: " + plan.collective().label() + "_perf");
    lines.add(
        String.format(
            Locale.ROOT,
            "# nThread %d nGpus 1 minBytes %d maxBytes %d step: %d(%s) warmup iters: %d iters: %d agg"
                + " iters: 1 validation: %d graph: 0",
            plan.threads() ? ranks.size() : 1,
            range.min(),
            range.max(),
            range.factor() > 1 ? range.factor() : range.step(),
            range.factor() > 1 ? "factor" : "bytes",
            plan.warmup(),
            plan.iterations(),
            plan.checks()));
    if (plan.blocking()) {
      lines.add("# Blocking Enabled: wait for completion and barrier after each collective");
    }
    lines.add("#");
    lines.add("# Using network " + network);
    lines.add("# Using devices");
    for (RankInfo rank : ranks) {
      lines.add(
          String.format(
              Locale.ROOT,
              "#  Rank %2d Group %2d Pid %6d on %10s device %2d [%s] %s",
              rank.rank(),
              0,
              rank.pid(),
              rank.host(),
              0,
              "cpu",
              rank.device()));
    }
    lines.add("#");
    lines.add(
        String.format(
            Locale.ROOT,
            "# %10s  %12s  %8s  %6s  %6s           out-of-place                       in-place          ",
            "",
            "",
            "",
            "",
            ""));
    lines.add(
        String.format(
            Locale.ROOT,
            "# %10s  %12s  %8s  %6s  %6s  %7s  %6s  %6s  %6s  %7s  %6s  %6s  %6s",
            "size",
            "count",
            "type",
            "redop",
            "root",
            "time",
            "algbw",
            "busbw",
            "#wrong",
            "time",
            "algbw",
            "busbw",
            "#wrong"));
    lines.add(
        String.format(
            Locale.ROOT,
            "# %10s  %12s  %8s  %6s  %6s  %7s  %6s  %6s  %6s  %7s  %6s  %6s  %6s",
            "(B)",
            "(elements)",
            "",
            "",
            "",
            "(us)",
            "(GB/s)",
            "(GB/s)",
            "",
            "(us)",
            "(GB/s)",
            "(GB/s)",
            ""));
    return lines;
  }

  /** Returns one line of the table. */
  static String row(Row row) {
    return String.format(
            Locale.ROOT,
            "%12d  %12d  %8s  %6s  %6d",
            row.bytes(),
            row.count(),
            row.type().label(),
            row.op().label(),
            NO_ROOT)
        + figures(row, row.outOfPlace())
        + figures(row, row.inPlace());
  }

  private static String figures(Row row, Measurement measurement) {
    return String.format(
        Locale.ROOT,
        "  %7s  %6s  %6s  %6s",
        Figures.fitted(measurement.seconds() * 1e6, 7),
        Figures.fitted(measurement.algorithmBandwidth(row.bytes()), 6),
        Figures.fitted(row.busBandwidth(measurement), 6),
        measurement.wrong() == Measurement.UNCHECKED
            ? "N/A"
            : Figures.general((double) measurement.wrong()));
  }

  /** Returns the lines below the table. */
  static List<String> footer(PerfPlan plan, long wrong, double averageBusBandwidth) {
    return List.of(
        String.format(
            Locale.ROOT,
            "# %-20s : %d %s",
            "Out of bounds values",
            wrong,
            wrong == 0 ? "OK" : "FAILED"),
        String.format(
            Locale.ROOT, "# %-20s : %s", "Avg bus bandwidth", Figures.general(averageBusBandwidth)),
        "#",
        "# Collective test concluded: " + plan.collective().label() + "_perf");
  }
}
