// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PairwiseSends;
import io.nitinol.cli.perf.collective.PerfCollective;
import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.cli.perf.collective.PerfSession;
import io.nitinol.spi.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One rank's run through every row of the plan, timed and checked. */
final class RankRun {
  private final PerfPlan plan;
  private final PerfCollective collective;
  private final PerfSession session;
  private final Stopwatch stopwatch;
  private final ResultCheck check;
  private final MemorySegment word;

  /**
   * Creates a run.
   *
   * @param complaints gets a line for each result of this rank that is wrong
   */
  RankRun(PerfPlan plan, PerfSession session, Consumer<String> complaints) {
    this.plan = plan;
    this.collective = plan.collective();
    this.session = session;
    this.stopwatch =
        new Stopwatch(plan.timing(), session, plan.graphLaunches(), plan.mode().hasRate());
    this.word = Arena.ofAuto().allocate(Long.BYTES);
    this.check = new ResultCheck(collective, session, complaints);
  }

  /**
   * Measures all rows. The same rows come out on every rank.
   *
   * @param sink gets each row as soon as it is there
   */
  void run(Consumer<PerfRow> sink) {
    run(sink, _ -> {});
  }

  /**
   * As the other one.
   *
   * @param intervals gets each interval as soon as it is over, where the plan has intervals
   */
  void run(Consumer<PerfRow> sink, Consumer<IntervalFigures> intervals) {
    try (Arena arena = Arena.ofShared()) {
      Buffers buffers = new Buffers(arena, plan, session);
      boolean first = true;
      for (DataType type : plan.types()) {
        for (PerfOperator op : plan.ops()) {
          if (op == PerfOperator.MULSUM) {
            session.scalar(type, TestValues.scalar(type, session.rank()));
          }
          for (int root : plan.roots(session.size())) {
            touch(buffers, type, op, root, first);
            first = false;
            for (int cycle = 0; plan.timing().cycles() == 0 || cycle < plan.timing().cycles(); ) {
              rows(buffers, type, op, root, sink, intervals);
              cycle = plan.timing().cycles() == 0 ? 0 : cycle + 1;
            }
          }
        }
      }
    }
  }

  /** The largest size touches all memory, the smallest one sets up what is set up late. */
  private void touch(Buffers buffers, DataType type, PerfOperator op, int root, boolean first) {
    List<Long> sizes = plan.range().sizes();
    PerfJob largest = plan.job(type, op, root, session.size(), sizes.getLast());
    PerfJob smallest = plan.job(type, op, root, session.size(), sizes.getFirst());
    if (first) {
      stopwatch.compile(operations(buffers, smallest, false));
    }
    stopwatch.warmUp(operations(buffers, largest, false));
  }

  /** Returns the operations of an iteration. */
  private List<Runnable> operations(Buffers buffers, PerfJob job, boolean inPlace) {
    List<Runnable> operations = new ArrayList<>();
    for (int i = 0; i < plan.timing().aggregate(); i++) {
      Buffers.Slices slices = buffers.slices(job, session.rank(), inPlace, i);
      operations.add(collective.operation(session, job, slices.send(), slices.recv()));
    }
    if (plan.mode().hasRate() && collective instanceof PairwiseSends sends) {
      return List.of(sends.window(session, job, operations, word));
    }
    return operations;
  }

  private void rows(
      Buffers buffers,
      DataType type,
      PerfOperator op,
      int root,
      Consumer<PerfRow> sink,
      Consumer<IntervalFigures> intervals) {
    for (long size : plan.range().sizes()) {
      PerfJob job = plan.job(type, op, root, session.size(), size);
      if (plan.mode() instanceof PerfMode.Intervals limits) {
        sink.accept(row(job, measure(buffers, job, limits, intervals), null));
        continue;
      }
      Measurement outOfPlace = measure(buffers, job, false);
      @Nullable Measurement inPlace = collective.hasInPlace() ? measure(buffers, job, true) : null;
      sink.accept(row(job, outOfPlace, inPlace));
    }
  }

  private PerfRow row(PerfJob job, Measurement outOfPlace, @Nullable Measurement inPlace) {
    return new PerfRow(
        plan.bytes(job),
        job,
        collective.busFactor(session.size()),
        collective.messages(session.size()),
        outOfPlace,
        inPlace);
  }

  private Measurement measure(
      Buffers buffers,
      PerfJob job,
      PerfMode.Intervals limits,
      Consumer<IntervalFigures> intervals) {
    List<Runnable> operations = operations(buffers, job, false);
    Buffers.Slices slices = buffers.slices(job, session.rank(), false, 0);
    if (plan.checks() > 0) {
      check.fill(job, slices);
    }
    boolean steady = stopwatch.warmUp(operations);
    IntervalClock clock = new IntervalClock(limits, plan.reporting().average(), session);
    Measurement all = clock.run(operations.getFirst(), each -> row(job, each, null), intervals);
    long wrong = 0;
    byte[] mine = ByteBuffer.allocate(Long.BYTES).putLong(check(job, slices, operations)).array();
    for (byte[] theirs : session.exchange(mine)) {
      wrong += ByteBuffer.wrap(theirs).getLong();
    }
    return all.with(plan.checks() > 0 ? wrong : Measurement.UNCHECKED, steady);
  }

  private long check(PerfJob job, Buffers.Slices slices, List<Runnable> operations) {
    long wrong = 0;
    for (int i = 0; i < plan.checks(); i++) {
      wrong += check.run(job, slices, () -> stopwatch.once(operations.getFirst()));
    }
    return wrong;
  }

  private Measurement measure(Buffers buffers, PerfJob job, boolean inPlace) {
    List<Runnable> operations = operations(buffers, job, inPlace);
    Buffers.Slices first = buffers.slices(job, session.rank(), inPlace, 0);
    if (plan.checks() > 0) {
      check.fill(job, first);
    }
    boolean steady = stopwatch.warmUp(operations);
    Stopwatch.Time time = stopwatch.measure(operations);
    long wrong = check(job, first, operations);
    byte[][] all = session.exchange(Measurement.encode(time, wrong));
    return Measurement.combine(all, plan.reporting().average(), plan.checks() > 0, steady);
  }
}
