// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PairwiseSends;
import io.nitinol.cli.perf.collective.PerfCollectives;
import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfSession;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One rank's run through all ordered pairs of ranks, of which one is under way at a time. */
final class PairRun {
  private final PerfPlan plan;
  private final PerfSession session;
  private final Consumer<String> complaints;
  private final Stopwatch stopwatch;
  private final MemorySegment word = Arena.ofAuto().allocate(Long.BYTES);

  /**
   * Creates a run.
   *
   * @param complaints gets a line for each result of this rank that is wrong
   */
  PairRun(PerfPlan plan, PerfSession session, Consumer<String> complaints) {
    this.plan = plan;
    this.session = session;
    this.complaints = complaints;
    this.stopwatch = new Stopwatch(plan.timing(), session);
  }

  /**
   * Measures all pairs. The same figures come out on every rank.
   *
   * @param progress gets each pair as soon as it is measured
   */
  List<PairFigures> run(Consumer<PairFigures> progress) {
    int ranks = session.size();
    PerfJob job =
        plan.job(
            plan.types().getFirst(),
            plan.ops().getFirst(),
            PerfJob.NO_ROOT,
            ranks,
            plan.range().max());
    List<PairFigures> all = new ArrayList<>();
    try (Arena arena = Arena.ofShared()) {
      Buffers buffers = new Buffers(arena, plan, session);
      for (int from = 0; from < ranks; from++) {
        for (int to = 0; to < ranks; to++) {
          if (from != to) {
            PairFigures pair = measure(job, buffers, from, to);
            all.add(pair);
            progress.accept(pair);
          }
        }
      }
    }
    return all;
  }

  private PairFigures measure(PerfJob job, Buffers buffers, int from, int to) {
    boolean idle = session.rank() != from && session.rank() != to;
    PairwiseSends there = PerfCollectives.pair(from, to);
    Buffers.Slices first = buffers.slices(job, session.rank(), false, 0);
    Runnable one = there.operation(session, job, first.send(), first.recv());
    List<Runnable> round = idle ? List.of() : List.of(round(job, first, one, from, to));
    List<Runnable> window = idle ? List.of() : List.of(window(job, buffers, there));
    if (from == 0) { // every rank is in one of these pairs, and then in others begins a window
      stopwatch.compile(round, from);
      stopwatch.compile(window, from);
      PairwiseSends back = PerfCollectives.pair(to, from);
      stopwatch.compile(idle ? List.of() : List.of(window(job, buffers, back)), to);
    }
    boolean steady = stopwatch.warmUp(round, from);
    double roundSeconds = stopwatch.measureInPieces(round, from);
    steady &= stopwatch.warmUp(window, from);
    double windowSeconds = stopwatch.measureInPieces(window, from);
    ResultCheck check = new ResultCheck(there, session, complaints);
    long wrong = 0;
    for (int i = 0; i < plan.checks(); i++) {
      wrong +=
          check.run(
              job,
              first,
              () -> {
                one.run();
                session.finish();
              });
      session.exchange(new byte[0]); // the ranks without a part do not wait for all checks at once
    }
    ByteBuffer mine = ByteBuffer.allocate(2 * Double.BYTES + Long.BYTES);
    mine.putDouble(roundSeconds).putDouble(windowSeconds).putLong(wrong);
    return figures(job, from, to, steady, session.exchange(mine.array()));
  }

  /** A message each way, one after the other. */
  private Runnable round(PerfJob job, Buffers.Slices slices, Runnable there, int from, int to) {
    Runnable back =
        PerfCollectives.pair(to, from).operation(session, job, slices.send(), slices.recv());
    return () -> {
      there.run();
      session.finish();
      back.run();
      session.finish();
    };
  }

  private Runnable window(PerfJob job, Buffers buffers, PairwiseSends there) {
    List<Runnable> operations = new ArrayList<>();
    for (int i = 0; i < plan.timing().aggregate(); i++) {
      Buffers.Slices slices = buffers.slices(job, session.rank(), false, i);
      operations.add(there.operation(session, job, slices.send(), slices.recv()));
    }
    return there.window(session, job, operations, word);
  }

  /** The clock of the rank that begins counts. */
  private PairFigures figures(PerfJob job, int from, int to, boolean steady, byte[][] all) {
    double round = 0;
    double window = 0;
    long wrong = 0;
    for (int rank = 0; rank < all.length; rank++) {
      ByteBuffer in = ByteBuffer.wrap(all[rank]);
      double roundSeconds = in.getDouble();
      double windowSeconds = in.getDouble();
      wrong += in.getLong();
      if (rank == from) {
        round = roundSeconds;
        window = windowSeconds;
      }
    }
    double each = window / plan.timing().aggregate();
    Measurement measurement =
        new Measurement(
            each,
            each,
            each,
            each,
            plan.checks() > 0 ? wrong : Measurement.UNCHECKED,
            steady,
            null);
    PerfRow row = new PerfRow(plan.bytes(job), job, 1, measurement, null);
    return new PairFigures(from, to, round / 2, row);
  }
}
