// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.Job;
import io.nitinol.cli.perf.collective.Operator;
import io.nitinol.cli.perf.collective.PerfCollective;
import io.nitinol.cli.perf.collective.Session;
import io.nitinol.spi.DataType;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What one rank does: every row of the plan, timed and checked. */
final class RankRun {
  private final PerfPlan plan;
  private final PerfCollective collective;
  private final Session session;
  private final Stopwatch stopwatch;
  private final ResultCheck check;

  /**
   * Creates a run.
   *
   * @param complaints gets a line for each result of this rank that is wrong
   */
  RankRun(PerfPlan plan, Session session, Consumer<String> complaints) {
    this.plan = plan;
    this.collective = plan.collective();
    this.session = session;
    this.stopwatch = new Stopwatch(plan.timing(), session);
    this.check = new ResultCheck(collective, session, complaints);
  }

  /**
   * Measures all rows. The same rows come out on every rank.
   *
   * @param sink gets each row as soon as it is there
   */
  void run(Consumer<Row> sink) {
    try (Arena arena = Arena.ofShared()) {
      Buffers buffers = new Buffers(arena, plan, session.rank(), session.size());
      boolean first = true;
      for (DataType type : plan.types()) {
        for (Operator op : plan.ops()) {
          if (op == Operator.MULSUM) {
            session.scalar(type, TestValues.scalar(type, session.rank()));
          }
          for (int root : plan.roots(session.size())) {
            touch(buffers, type, op, root, first);
            first = false;
            for (int cycle = 0; plan.timing().cycles() == 0 || cycle < plan.timing().cycles(); ) {
              rows(buffers, type, op, root, sink);
              cycle = plan.timing().cycles() == 0 ? 0 : cycle + 1;
            }
          }
        }
      }
    }
  }

  /** The largest size touches all memory, the smallest one sets up what is set up late. */
  private void touch(Buffers buffers, DataType type, Operator op, int root, boolean first) {
    List<Long> sizes = plan.range().sizes();
    Job largest = plan.job(type, op, root, session.size(), sizes.getLast());
    Job smallest = plan.job(type, op, root, session.size(), sizes.getFirst());
    if (first) {
      stopwatch.compile(operations(buffers, smallest, false));
    }
    stopwatch.warmUp(operations(buffers, largest, false));
  }

  /** Returns the operations of an iteration. */
  private List<Runnable> operations(Buffers buffers, Job job, boolean inPlace) {
    List<Runnable> operations = new ArrayList<>();
    for (int i = 0; i < plan.timing().aggregate(); i++) {
      Buffers.Slices slices = buffers.slices(job, session.rank(), inPlace, i);
      operations.add(collective.operation(session, job, slices.send(), slices.recv()));
    }
    return operations;
  }

  private void rows(Buffers buffers, DataType type, Operator op, int root, Consumer<Row> sink) {
    for (long size : plan.range().sizes()) {
      Job job = plan.job(type, op, root, session.size(), size);
      Measurement outOfPlace = measure(buffers, job, false);
      @Nullable Measurement inPlace = collective.hasInPlace() ? measure(buffers, job, true) : null;
      long length = Math.max(collective.sendLength(job), collective.recvLength(job));
      sink.accept(
          new Row(
              length * type.size(),
              job,
              collective.busFactor(session.size()),
              outOfPlace,
              inPlace));
    }
  }

  private Measurement measure(Buffers buffers, Job job, boolean inPlace) {
    List<Runnable> operations = operations(buffers, job, inPlace);
    Buffers.Slices first = buffers.slices(job, session.rank(), inPlace, 0);
    if (plan.checks() > 0) {
      check.fill(job, first);
    }
    stopwatch.warmUp(operations);
    Stopwatch.Time time = stopwatch.measure(operations);
    long wrong = 0;
    for (int i = 0; i < plan.checks(); i++) {
      wrong += check.run(job, first, operations.getFirst());
    }
    byte[][] all = session.exchange(Measurement.encode(time, wrong));
    return Measurement.combine(all, plan.reporting().average(), plan.checks() > 0);
  }
}
