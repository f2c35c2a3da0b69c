// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.command.TimeText;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.SizeText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Tells now and then how many rows of the table are measured, and how long the others may take. A
 * rank has no terminal: its lines go through the process that started it.
 *
 * <p>A row of a size that was measured before counts as long as it took then. A larger one counts
 * as long as the last one and what its further bytes take, by the difference of the last two rows.
 */
final class SweepProgress {
  private static final long LINE_NANOS = Duration.ofSeconds(10).toNanos();

  private final PrintWriter out;
  private final List<Long> sizes;
  private final int all;
  private final LongSupplier clock;
  private final long start;
  private final Map<Long, Long> known = new HashMap<>();
  private long lastRow;
  private long lastLine;
  private int done;
  private double nanosOfByte;

  /**
   * Creates the progress of a run that begins now.
   *
   * @param sizes the sizes in the order in which they are measured
   * @param times how often all of them are
   * @param clock nanoseconds from any beginning
   */
  SweepProgress(PrintWriter out, List<Long> sizes, int times, LongSupplier clock) {
    this.out = out;
    this.sizes = List.copyOf(sizes);
    this.all = sizes.size() * times;
    this.clock = clock;
    this.start = clock.getAsLong();
    this.lastRow = start;
    this.lastLine = start;
  }

  /** Returns how often a plan measures all sizes. */
  static int times(PerfPlan plan, int ranks) {
    return plan.types().size()
        * plan.ops().size()
        * plan.roots(ranks).size()
        * plan.timing().cycles();
  }

  /** Counts a row, and tells of it if ten seconds are over since the last line. */
  void done() {
    long now = clock.getAsLong();
    long size = sizes.get(done % sizes.size());
    long took = now - lastRow;
    lastRow = now;
    if (done % sizes.size() > 0) {
      long before = sizes.get(done % sizes.size() - 1);
      long slower = took - known.getOrDefault(before, took);
      nanosOfByte = Math.max(0, (double) slower / Math.max(1, size - before));
    }
    known.put(size, took);
    done++;
    if (now - lastLine < LINE_NANOS || done >= all) {
      return;
    }
    lastLine = now;
    out.println(
        ErrorText.of(
            "nitinol perf: %s  %d/%d rows, the last one of %s; %s",
            TimeText.of(now - start),
            done,
            all,
            SizeText.of(size),
            TimeText.left(left(size, took))));
    out.flush();
  }

  private long left(long size, long took) {
    double left = 0;
    for (int row = done; row < all; row++) {
      long next = sizes.get(row % sizes.size());
      left += known.getOrDefault(next, (long) (took + nanosOfByte * Math.max(0, next - size)));
    }
    return (long) left;
  }
}
