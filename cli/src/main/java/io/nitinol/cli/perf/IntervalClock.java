// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfSession;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs an operation again and again for some seconds, and tells what each interval was like. Every
 * operation is waited for and timed by itself. The ranks meet after each piece of an interval,
 * where rank 0 says how many operations the next piece has; that meeting is not timed.
 */
final class IntervalClock {
  /** So many pieces an interval has, where an operation is short enough. */
  private static final int PIECES = 20;

  private static final long MOST_OPERATIONS = 1_000_000;

  private final PerfMode.Intervals limits;
  private final PerfPlan.Average average;
  private final PerfSession session;
  private final TimeHistogram mine = new TimeHistogram();
  private final TimeHistogram total = new TimeHistogram();

  IntervalClock(PerfMode.Intervals limits, PerfPlan.Average average, PerfSession session) {
    this.limits = limits;
    this.average = average;
    this.session = session;
  }

  /** What rank 0 says at the end of a piece. */
  private record Word(long next, boolean intervalEnds, boolean runEnds, long elapsed) {
    byte[] encode() {
      return ByteBuffer.allocate(2 * Long.BYTES + 2)
          .putLong(next)
          .put((byte) (intervalEnds ? 1 : 0))
          .put((byte) (runEnds ? 1 : 0))
          .putLong(elapsed)
          .array();
    }

    static Word decode(byte[] encoded) {
      ByteBuffer in = ByteBuffer.wrap(encoded);
      return new Word(in.getLong(), in.get() == 1, in.get() == 1, in.getLong());
    }
  }

  /**
   * Runs the operation for the whole time.
   *
   * @param row makes a row of what was measured
   * @param sink gets each interval when it is over, and at last the whole run; the same on all
   *     ranks
   * @return the whole run
   */
  Measurement run(
      Runnable operation, Function<Measurement, PerfRow> row, Consumer<IntervalFigures> sink) {
    session.exchange(new byte[0]);
    long begin = System.nanoTime();
    long allOperations = 0;
    long allBusy = 0;
    long intervalBegin = 0;
    Word word = new Word(1, false, false, 0);
    while (!word.runEnds()) {
      long boundary =
          (intervalBegin / limits.nanos() + 1) * limits.nanos(); // a long operation may skip some
      mine.clear();
      long operations = 0;
      long busy = 0;
      do {
        long took = piece(operation, word.next());
        operations += word.next();
        busy += took;
        long elapsed = System.nanoTime() - begin;
        word = meet(word.next(), took, elapsed, boundary);
      } while (!word.intervalEnds());
      total.add(mine.encode());
      Measurement part = together(busy, operations, mine);
      sink.accept(
          new IntervalFigures(
              intervalBegin / 1e9, word.elapsed() / 1e9, operations, row.apply(part), false));
      intervalBegin = word.elapsed();
      allOperations += operations;
      allBusy += busy;
    }
    Measurement all = together(allBusy, allOperations, total);
    sink.accept(new IntervalFigures(0, intervalBegin / 1e9, allOperations, row.apply(all), true));
    return all;
  }

  private long piece(Runnable operation, long times) {
    long begin = System.nanoTime();
    long last = begin;
    for (long i = 0; i < times; i++) {
      operation.run();
      session.finish();
      long now = System.nanoTime();
      mine.add(now - last);
      last = now;
    }
    return last - begin;
  }

  private Word meet(long times, long took, long elapsed, long boundary) {
    double each = Math.max(1, took) / (double) times;
    boolean ends = elapsed >= boundary || elapsed >= limits.totalNanos();
    long end = Math.min(ends ? boundary + limits.nanos() : boundary, limits.totalNanos());
    double room = Math.min(limits.nanos() / (double) PIECES, (double) (end - elapsed));
    // No more than twice as many as before: the first ones may have waited for other ranks.
    long next = Math.clamp((long) (room / each), 1, Math.min(2 * times, MOST_OPERATIONS));
    Word word = new Word(next, ends, elapsed >= limits.totalNanos(), elapsed);
    return Word.decode(session.exchange(word.encode())[0]);
  }

  private Measurement together(long busy, long operations, TimeHistogram times) {
    double each = busy / 1e9 / operations;
    byte[][] all = session.exchange(Measurement.encode(new Stopwatch.Time(each, each), 0));
    TimeHistogram ofRanks = new TimeHistogram();
    for (byte[] theirs : session.exchange(times.encode())) {
      ofRanks.add(theirs);
    }
    return Measurement.combine(all, average, false, true).with(ofRanks);
  }
}
