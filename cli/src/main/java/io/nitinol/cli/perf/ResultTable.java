// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfDevice;
import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.SizeText;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Prints what nccl-tests prints, column by column, so that what reads its output reads this. */
final class ResultTable {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

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
            "# nThread %d nGpus %d minBytes %d maxBytes %d step: %d(%s) warmup iters: %d iters: %d"
                + " agg iters: %d validation: %d graph: %d",
            plan.threads() ? ranks.size() : 1,
            plan.ranksPerProcess(),
            range.min(),
            range.max(),
            range.factor() > 1 ? range.factor() : range.step(),
            range.factor() > 1 ? "factor" : "bytes",
            plan.timing().warmup(),
            plan.timing().iterations(),
            plan.timing().aggregate(),
            plan.checks(),
            plan.graphLaunches()));
    if (plan.mode() instanceof PerfMode.Rate rate) {
      lines.add(
          ErrorText.of(
              "# Message rate: windows of %d messages, %s; size and time of one message",
              rate.window(),
              rate.both()
                  ? "rank r and rank r + n/2 send to each other"
                  : "rank r of the first half sends to rank r + n/2"));
    }
    if (plan.mode() instanceof PerfMode.Intervals limits) {
      lines.add(
          ErrorText.of(
              "# Intervals of %s s, for %s s: operations of %s, each waited for and timed by"
                  + " itself",
              Figures.general(limits.nanos() / 1e9),
              Figures.general(limits.totalNanos() / 1e9),
              SizeText.of(plan.largestOperation(ranks.size()))));
    }
    if (plan.mode() instanceof PerfMode.Pairs asked) {
      lines.add(
          ErrorText.of(
              "# Pairs of ranks, one at a time: messages of %s; for the bandwidth in windows of"
                  + " %d",
              SizeText.of(plan.largestOperation(ranks.size())), asked.window()));
    }
    switch (plan.timing().blocking()) {
      case NONE -> {}
      case ALL_RANKS ->
          lines.add("# Blocking Enabled: wait for completion and barrier after each collective");
      case OWN -> lines.add("# Blocking Enabled: wait for completion after each collective");
      case ALL_RANKS_UNTIMED ->
          lines.add(
              "# Blocking Enabled: wait for completion and barrier after each collective, barrier"
                  + " not timed");
    }
    lines.add("#");
    lines.add("# Using network " + network);
    addDevices(plan, ranks, lines);
    lines.add("#");
    if (plan.mode() instanceof PerfMode.Table || plan.mode().hasRate()) {
      addColumns(plan, lines);
    }
    if (plan.mode() instanceof PerfMode.Intervals) {
      lines.addAll(IntervalTable.titles());
    }
    return lines;
  }

  private static void addDevices(PerfPlan plan, List<RankInfo> ranks, List<String> lines) {
    String reach = ranks.getFirst().device().reach();
    if (!reach.isEmpty()) {
      lines.add("# Using device " + reach);
    }
    lines.add("# Using devices");
    Set<List<Object>> different = new HashSet<>();
    for (RankInfo rank : ranks) {
      PerfDevice device = rank.device();
      lines.add(
          String.format(
              Locale.ROOT,
              "#  Rank %2d Group %2d Pid %6d on %10s device %2d [%s] %s",
              rank.rank(),
              0,
              rank.pid(),
              rank.host(),
              device.index(),
              device.place(),
              device.name()));
      different.add(List.of(rank.host(), device.place(), device.index()));
    }
    if (plan.device() != null && different.size() < ranks.size()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "# Note: %d ranks share %d %s, and the time of one is that of all on it",
              ranks.size(),
              different.size(),
              different.size() == 1 ? "device" : "devices"));
    }
  }

  private static void addColumns(PerfPlan plan, List<String> lines) {
    PerfPlan.Reporting reporting = plan.reporting();
    boolean rate = plan.mode().hasRate();
    String time = reporting.cpuTime() ? "cputime" : "time";
    lines.add(
        columns("", "", "", "", "")
            + "           out-of-place                       in-place          ");
    lines.add(
        columns("size", "count", "type", "redop", "root")
            + figures(time, "algbw", "busbw", "#wrong")
            + figures(time, "algbw", "busbw", "#wrong")
            + (rate ? String.format(Locale.ROOT, "  %9s", "msg/s") : "")
            + (reporting.timestamps() ? String.format(Locale.ROOT, " %19s", "timestamp") : ""));
    lines.add(
        columns("(B)", "(elements)", "", "", "")
            + figures("(us)", "(GB/s)", "(GB/s)", "")
            + figures("(us)", "(GB/s)", "(GB/s)", "")
            + (rate ? " ".repeat(11) : "")
            + (reporting.timestamps() ? " YYYY-MM-DD HH:MM:SS" : ""));
  }

  private static String columns(String size, String count, String type, String op, String root) {
    return String.format(Locale.ROOT, "# %10s  %12s  %8s  %6s  %6s", size, count, type, op, root);
  }

  private static String figures(String time, String algbw, String busbw, String wrong) {
    return String.format(Locale.ROOT, "  %7s  %6s  %6s  %6s", time, algbw, busbw, wrong);
  }

  /**
   * Returns one line of the table.
   *
   * @param now when it was measured
   */
  static String row(PerfPlan.Reporting reporting, PerfRow row, LocalDateTime now) {
    PerfJob job = row.job();
    return String.format(
            Locale.ROOT,
            "%12d  %12d  %8s  %6s  %6d",
            row.bytes(),
            job.count(),
            job.type().label(),
            job.op().label(),
            job.root())
        + figures(reporting, row, row.outOfPlace())
        + figures(reporting, row, row.inPlace())
        + (row.messages() > 0
            ? "  " + String.format(Locale.ROOT, "%9s", Figures.general(row.messageRate()))
            : "")
        + (reporting.timestamps() ? " " + TIME.format(now) : "");
  }

  private static String figures(
      PerfPlan.Reporting reporting, PerfRow row, @Nullable Measurement measurement) {
    if (measurement == null) {
      return figures("N/A", "N/A", "N/A", "N/A");
    }
    double seconds = reporting.cpuTime() ? measurement.startSeconds() : measurement.seconds();
    return figures(
        Figures.fitted(seconds * 1e6, 7),
        Figures.fitted(measurement.algorithmBandwidth(row.bytes()), 6),
        Figures.fitted(row.busBandwidth(measurement), 6),
        measurement.wrong() == Measurement.UNCHECKED
            ? "N/A"
            : Figures.general((double) measurement.wrong()));
  }

  /** Returns the comments below a row that say how the times of its iterations are spread. */
  static List<String> percentiles(PerfRow row) {
    List<String> lines = new ArrayList<>();
    addPercentiles("out-of-place", row.bytes(), row.outOfPlace(), lines);
    addPercentiles("in-place", row.bytes(), row.inPlace(), lines);
    return lines;
  }

  private static void addPercentiles(
      String where, long bytes, @Nullable Measurement measurement, List<String> lines) {
    Percentiles spread = measurement == null ? null : measurement.percentiles();
    if (spread != null) {
      lines.add(
          ErrorText.of(
              "# %d bytes, %-12s us:  min %s  p50 %s  p90 %s%s%s  max %s",
              bytes,
              where,
              micros(spread.least()),
              micros(spread.p50()),
              micros(spread.p90()),
              spread.hasP99() ? "  p99 " + micros(spread.p99()) : "",
              spread.hasP999() ? "  p99.9 " + micros(spread.p999()) : "",
              micros(spread.most())));
    }
  }

  private static String micros(double seconds) {
    return Figures.fitted(seconds * 1e6, 7);
  }

  /** Returns the comment below a row whose operations were still getting faster. */
  static String unsteady(long bytes) {
    return ErrorText.of(
        "# %d bytes: not steady after the longest warm-up, so this row is not to be believed",
        bytes);
  }

  /** Returns the lines below the table. */
  static List<String> footer(PerfPlan plan, Totals totals) {
    double least = plan.reporting().leastBandwidth();
    String verdict = least == 0 ? "" : totals.isFastEnough(least) ? " OK" : " FAILED";
    return List.of(
        String.format(
            Locale.ROOT,
            "# %-20s : %d %s",
            "Out of bounds values",
            totals.wrong(),
            totals.wrong() == 0 ? "OK" : "FAILED"),
        String.format(
            Locale.ROOT,
            "# %-20s : %s%s",
            "Avg bus bandwidth",
            Figures.general(totals.averageBusBandwidth()),
            verdict),
        "#",
        "# Collective test concluded: " + plan.collective().label() + "_perf");
  }
}
