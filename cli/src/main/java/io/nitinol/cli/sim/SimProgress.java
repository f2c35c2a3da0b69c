// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.sim;

import io.nitinol.toolkit.ErrorText;
import java.io.PrintWriter;
import java.util.function.LongSupplier;

/** A bar on a terminal, and a line now and then elsewhere, with the time that is left. */
final class SimProgress {
  private static final long TERMINAL_NANOS = 200_000_000L;
  private static final long LINE_NANOS = 10_000_000_000L;
  private static final int WIDTH = 30;

  private final PrintWriter out;
  private final boolean terminal;
  private final long all;
  private final LongSupplier clock;
  private final long start;
  private long last;
  private boolean shown;

  /**
   * Creates a bar that is empty.
   *
   * @param all how much there is to do; 0 where that is not known
   * @param clock nanoseconds from any beginning
   */
  SimProgress(PrintWriter out, boolean terminal, long all, LongSupplier clock) {
    this.out = out;
    this.terminal = terminal;
    this.all = all;
    this.clock = clock;
    this.start = clock.getAsLong();
    this.last = start;
  }

  void done(long part, String what) {
    long now = clock.getAsLong();
    if (now - last < (terminal ? TERMINAL_NANOS : LINE_NANOS)) {
      return;
    }
    last = now;
    double seconds = (now - start) / 1e9;
    String text = ErrorText.of("%d %s, %.1f million a second", part, what, part / seconds / 1e6);
    if (all > 0 && part <= all) {
      double share = (double) part / all;
      int full = (int) (share * WIDTH);
      text =
          ErrorText.of(
              "[%s%s] %3.0f %%  %s, %.0f s left",
              "#".repeat(full),
              " ".repeat(WIDTH - full),
              share * 100,
              text,
              seconds * (1 - share) / share);
    }
    if (terminal) {
      out.print("\r\u001b[K" + text);
      shown = true;
    } else {
      out.println("nitinol sim: " + text);
    }
    out.flush();
  }

  void end() {
    if (shown) {
      out.print("\r\u001b[K");
      out.flush();
    }
  }
}
