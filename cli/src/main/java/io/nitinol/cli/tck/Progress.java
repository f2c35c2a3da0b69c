// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.cli.command.TimeText;
import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitTest;
import io.nitinol.tck.report.TableReport;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.Outcome;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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
  private final Set<String> told = new HashSet<>();
  private String place = "";
  private String test = "";
  private List<Duration> expected = List.of();
  private int before;
  private int at;
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

  /**
   * Lets the run tell how long the rest may take.
   *
   * @param times what each test of this process usually takes, in their order
   * @param index of the first of them
   * @return this
   */
  synchronized Progress expect(List<Duration> times, int index) {
    expected = List.copyOf(times);
    before = index;
    return this;
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
    String news = news(result);
    if (news != null && !closed) {
      out.println((terminal ? ERASE : "") + time() + "  " + news);
      out.flush();
      tell();
    }
  }

  /**
   * Counts in what earlier processes of the run have found, and told.
   *
   * @return this
   */
  synchronized Progress after(List<CaseResult> before) {
    for (CaseResult result : before) {
      news(result);
      failed += result.outcome() == Outcome.FAILED ? 1 : 0;
    }
    return this;
  }

  /** Returns what is new by a result: a rule that has not been told of; else null. */
  private @Nullable String news(CaseResult result) {
    boolean broken = result.broken() != null;
    String rule = broken ? result.broken() : result.rule();
    if (!(broken || result.outcome() == Outcome.INCONCLUSIVE) || !told.add(rule + broken)) {
      return null;
    }
    return TableReport.plain(
        ErrorText.of(
            "%s %s: %s (%s, %s)",
            rule,
            broken ? "is broken" : "is inconclusive",
            result.why(),
            result.test(),
            result.lane()));
  }

  /** Tells that the test {@code what} begins, of which {@code index} are before it. */
  synchronized void show(int index, int total, String what) {
    place = (index + 1) + "/" + total;
    at = index;
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

  private String time() {
    return TimeText.of(clock.getAsLong() - start);
  }

  /** Returns how long the rest takes where this machine goes on as slowly as until now. */
  private String left() {
    int over = Math.clamp(at - before, 0, expected.size());
    String left =
        TimeText.left(clock.getAsLong() - start, nanos(expected.subList(0, over)), nanos(expected));
    return left.isEmpty() ? "" : left + "  ";
  }

  private static double nanos(List<Duration> times) {
    return times.stream().mapToDouble(Duration::toNanos).sum();
  }

  /** Tells how far the run is, if it is time to. */
  synchronized void tell() {
    if (closed || test.isEmpty()) {
      return;
    }
    long now = clock.getAsLong();
    String text =
        time() + "  " + place + "  " + left() + (failed == 0 ? "" : failed + " failed  ") + test;
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
