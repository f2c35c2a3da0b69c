// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfOperator;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/**
 * The times of single operations in HdrHistogram's log format, which its tools plot: a line for
 * each row or interval, with a tag that says of which operation and size. Values are nanoseconds.
 */
final class HistogramLog {
  /** The tools show the longest time of a line in milliseconds. */
  private static final double NANOS_PER_SHOWN_UNIT = 1e6;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final HistogramLogWriter writer = new HistogramLogWriter(bytes);
  private final PerfPlan plan;
  private final Instant start;

  /**
   * Begins a log.
   *
   * @param start when the run began
   */
  HistogramLog(PerfPlan plan, String version, Instant start) {
    this.plan = plan;
    this.start = start;
    writer.outputComment("[nitinol perf " + version + ", times in nanoseconds]");
    writer.outputLogFormatVersion();
    writer.outputStartTime(start.toEpochMilli());
    writer.outputLegend();
  }

  /**
   * Adds a row of the table.
   *
   * @param begin when its measurement began
   * @param end when it was over
   */
  void add(PerfRow row, Instant begin, Instant end) {
    double from = seconds(begin);
    add(row, row.outOfPlace(), "", from, seconds(end));
    add(row, row.inPlace(), "-in-place", from, seconds(end));
  }

  /** Adds an interval. */
  void add(IntervalFigures interval) {
    add(interval.row(), interval.row().outOfPlace(), "", interval.begin(), interval.end());
  }

  private void add(
      PerfRow row, @Nullable Measurement measurement, String where, double begin, double end) {
    TimeHistogram times = measurement == null ? null : measurement.times();
    if (times != null) {
      Histogram histogram = times.histogram();
      histogram.setTag(tag(row) + where);
      writer.outputIntervalHistogram(begin, end, histogram, NANOS_PER_SHOWN_UNIT);
    }
  }

  /** Returns operation and size, and what else tells the rows of this run apart. */
  private String tag(PerfRow row) {
    PerfJob job = row.job();
    StringBuilder tag =
        new StringBuilder(plan.collective().label()).append('-').append(row.bytes());
    if (plan.types().size() > 1) {
      tag.append('-').append(job.type().label());
    }
    if (plan.ops().size() > 1 && job.op() != PerfOperator.NONE) {
      tag.append('-').append(job.op().label());
    }
    if (plan.root() == PerfPlan.ALL_ROOTS) {
      tag.append("-root").append(job.root());
    }
    return tag.toString();
  }

  private double seconds(Instant time) {
    return Duration.between(start, time).toNanos() / 1e9;
  }

  /** Returns all lines so far. */
  String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
