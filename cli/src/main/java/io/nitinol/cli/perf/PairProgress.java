// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.command.TimeText;
import io.nitinol.toolkit.ErrorText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Tells now and then how many pairs of ranks are measured, and how long the others may take. A rank
 * has no terminal: its lines go through the process that started it.
 */
final class PairProgress {
  private static final long LINE_NANOS = Duration.ofSeconds(10).toNanos();

  private final PrintWriter out;
  private final int all;
  private final LongSupplier clock;
  private final long start;
  private long last;
  private int done;

  /**
   * Creates the progress of a run that begins now.
   *
   * @param all how many pairs there are
   * @param clock nanoseconds from any beginning
   */
  PairProgress(PrintWriter out, int all, LongSupplier clock) {
    this.out = out;
    this.all = all;
    this.clock = clock;
    this.start = clock.getAsLong();
    this.last = start;
  }

  /** Counts a pair, and tells of it if ten seconds are over since the last line. */
  void done(PairFigures pair) {
    done++;
    long now = clock.getAsLong();
    if (now - last < LINE_NANOS || done == all) {
      return;
    }
    last = now;
    out.println(
        ErrorText.of(
            "nitinol perf: %s  %d/%d pairs, the last one %s; %s",
            TimeText.of(now - start),
            done,
            all,
            pair.name(),
            TimeText.left(now - start, done, all)));
    out.flush();
  }
}
