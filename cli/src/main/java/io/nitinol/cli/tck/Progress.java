// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.Outcome;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Tells how a run gets on: on a terminal in one line that is written over, elsewhere in a line now
 * and then, also while one test takes long.
 */
@AnyThread
final class Progress implements KitListener, AutoCloseable {
  private static final long LINE_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long TICK_NANOS = Duration.ofSeconds(1).toNanos();
  private static final String ERASE = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean terminal;
  private final int columns;
  private final LongSupplier clock;
  private final long start;
  private long lastLine;
  private int failed;
  private String place = "";
  private String test = "";
  private volatile boolean closed;

  /**
   * Creates the progress of a run that begins now.
   *
   * @param terminal whether {@code out} is one, and knows how to erase a line
   * @param columns the width of the terminal in characters
   * @param clock nanoseconds from any beginning
   */
  Progress(PrintWriter out, boolean terminal, int columns, LongSupplier clock) {
    this.out = out;
    this.terminal = terminal;
    this.columns = columns;
    this.clock = clock;
    this.start = clock.getAsLong();
    this.lastLine = start;
  }

  /** Goes on telling while a test takes long, until {@link #close}. */
  void keepTelling() {
    Thread.ofPlatform()
        .daemon()
        .name("tck-progress")
        .start(() -> {
          while (!closed) {
            LockSupport.parkNanos(TICK_NANOS);
            tell();
          }
        });
  }

  @Override
  public void starting(KitTest test, int index, int total) {
    show(index, total, test.rule() + " " + test.name() + ", " + test.lane().label());
  }

  @Override
  public synchronized void finished(CaseResult result, int index, int total) {
    if (result.outcome() == Outcome.FAILED) {
      failed++;
    }
  }

  /** Tells that the test {@code what} begins, of which {@code index} are before it. */
  synchronized void show(int index, int total, String what) {
    place = (index + 1) + "/" + total;
    test = what;
    tell();
  }

  /** Leaves no line on a terminal. */
  @Override
  public synchronized void close() {
    if (terminal && !closed) {
      out.print(ERASE);
      out.flush();
    }
    closed = true;
  }

  /** Tells how far the run is, if it is time to. */
  synchronized void tell() {
    if (closed || test.isEmpty()) {
      return;
    }
    long now = clock.getAsLong();
    long seconds = Duration.ofNanos(now - start).toSeconds();
    String text =
        "%d:%02d  %s  %s%s"
            .formatted(
                seconds / 60, seconds % 60, place, failed == 0 ? "" : failed + " failed  ", test);
    if (terminal) {
      out.print(ERASE + text.substring(0, Math.min(text.length(), columns - 1)));
      out.flush();
    } else if (now - lastLine >= LINE_NANOS) {
      lastLine = now;
      out.println(text);
      out.flush();
    }
  }
}
