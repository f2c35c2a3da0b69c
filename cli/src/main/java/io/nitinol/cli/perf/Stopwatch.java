// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfRecording;
import io.nitinol.cli.perf.collective.PerfSession;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Runs operations again and again, in step with the other ranks, and takes the time. Several at a
 * time are one group.
 */
final class Stopwatch {
  /** So many operations are warmed up in one go, to keep ranks from running far ahead. */
  private static final long MAX_BATCH = 10_000;

  /** With so many a warm-up begins, which is told how many they are. */
  private static final long FIRST_BATCH = 5;

  /** How long a piece of a warm-up takes that goes on until it is steady. */
  private static final long PIECE_NANOS = 10_000_000;

  /**
   * How long the ranks go on between two meetings, where an operation is short enough. A rank that
   * has no part in the operations waits at the meeting, and waits no longer than the bootstrap's
   * time limit.
   */
  private static final long MEETING_NANOS = 100_000_000;

  private final PerfPlan.Timing timing;
  private final PerfSession session;
  private final int launches;
  private final boolean leadIn;

  /**
   * What one rank measured, for one operation.
   *
   * @param seconds until it was done
   * @param startSeconds until it was started
   * @param each the seconds until it was done in each iteration, where the plan asks for those
   */
  record Time(double seconds, double startSeconds, List<Double> each) {
    Time {
      each = List.copyOf(each);
    }

    Time(double seconds, double startSeconds) {
      this(seconds, startSeconds, List.of());
    }
  }

  Stopwatch(PerfPlan.Timing timing, PerfSession session) {
    this(timing, session, 0);
  }

  /**
   * Creates a stopwatch.
   *
   * @param launches how often to start a recording of all iterations; 0 for starting the operations
   *     themselves
   */
  Stopwatch(PerfPlan.Timing timing, PerfSession session, int launches) {
    this(timing, session, launches, false);
  }

  /**
   * Creates a stopwatch.
   *
   * @param leadIn whether an iteration goes before those that are timed. Ranks leave a meeting some
   *     microseconds apart; where they wait for each other in an iteration, they are in step then
   */
  Stopwatch(PerfPlan.Timing timing, PerfSession session, int launches, boolean leadIn) {
    this.timing = timing;
    this.session = session;
    this.launches = launches;
    this.leadIn = leadIn;
  }

  /** Runs operations until the JVM has compiled what they need. */
  void compile(List<Runnable> operations) {
    compile(operations, 0);
  }

  /** As the other one; {@code leader} says how many, as in {@link #warmUp(List, int)}. */
  void compile(List<Runnable> operations, int leader) {
    warmUp(operations, leader, timing.compileNanos());
  }

  /**
   * Runs operations as the plan says: for so long, or until they are steady.
   *
   * @return whether they are, as far as anything was to find that out
   */
  boolean warmUp(List<Runnable> operations) {
    return warmUp(operations, 0);
  }

  /**
   * As the other one, where ranks may have no part in the operations.
   *
   * @param operations none on a rank without a part
   * @param leader a rank with a part, whose clock says how many operations there are
   */
  boolean warmUp(List<Runnable> operations, int leader) {
    if (timing.steadyNanos() > 0) {
      return warmUpUntilSteady(operations, leader);
    }
    warmUp(operations, leader, timing.warmupNanos());
    return true;
  }

  /**
   * Runs pieces of some milliseconds each, until several in a row are no faster than one before, on
   * all ranks, whose JVMs compile side by side.
   */
  private boolean warmUpUntilSteady(List<Runnable> operations, int leader) {
    long begin = System.nanoTime();
    SteadyState state = new SteadyState();
    long batch = 1;
    while (true) {
      long before = System.nanoTime();
      run(operations, batch);
      long took = Math.max(1, System.nanoTime() - before);
      boolean steady = operations.isEmpty() || state.add((double) took / batch);
      boolean over = System.nanoTime() - begin >= timing.steadyNanos();
      long next = (long) ((double) PIECE_NANOS * batch / took);
      ByteBuffer mine = ByteBuffer.allocate(Long.BYTES + 2);
      mine.putLong(Math.clamp(next, 1, Math.min(4 * batch, MAX_BATCH)));
      mine.put((byte) (steady ? 1 : 0)).put((byte) (over ? 1 : 0));
      byte[][] all = session.exchange(mine.array());
      boolean allSteady = true;
      for (byte[] each : all) {
        allSteady &= each[Long.BYTES] == 1;
      }
      batch = ByteBuffer.wrap(all[leader]).getLong();
      if (allSteady || all[leader][Long.BYTES + 1] == 1) {
        return allSteady;
      }
    }
  }

  private void warmUp(List<Runnable> operations, int leader, long nanos) {
    long begin = System.nanoTime();
    long done = 0;
    long batch = Math.min(timing.warmup(), FIRST_BATCH);
    while (batch > 0) {
      long before = System.nanoTime();
      run(operations, batch);
      done += batch;
      long now = System.nanoTime();
      long left = (long) ((double) (nanos - (now - begin)) * done / Math.max(1, now - begin));
      // No more than was done before: the first ones are much slower than those to come.
      long most = Math.min(Math.min(2 * done, MAX_BATCH), untilMeeting(batch, now - before));
      batch = fromRank(leader, Math.min(Math.max(left, timing.warmup() - done), most));
    }
  }

  /**
   * Takes the time of operations of some ranks, while the others wait. The ranks meet after each
   * piece of the iterations; no time contains a meeting.
   *
   * @param operations none on a rank without a part
   * @param leader a rank with a part, whose clock says how many iterations a piece has
   * @return the seconds of an iteration; 0 on a rank without a part
   */
  double measureInPieces(List<Runnable> operations, int leader) {
    long left = timing.iterations();
    long piece = 1;
    long nanos = 0;
    barrier();
    while (left > 0) {
      iterate(operations); // the ranks leave a meeting some microseconds apart, not an iteration
      long begin = System.nanoTime();
      for (long i = 0; i < piece; i++) {
        iterate(operations);
      }
      long took = System.nanoTime() - begin;
      nanos += operations.isEmpty() ? 0 : took;
      left -= piece;
      piece = fromRank(leader, Math.min(Math.min(left, 4 * piece), untilMeeting(piece, took)));
    }
    return nanos / 1e9 / timing.iterations();
  }

  /** Returns how many of the operations of which {@code times} took so long fit into a piece. */
  private static long untilMeeting(long times, long nanos) {
    return Math.max(1, (long) ((double) MEETING_NANOS * times / Math.max(1, nanos)));
  }

  private void run(List<Runnable> operations, long times) {
    for (long i = 0; i < times; i++) {
      iterate(operations);
      if (timing.blocking() != PerfPlan.Blocking.NONE) {
        session.finish();
      }
    }
    session.finish();
  }

  /** Runs one operation to its end, started as those are that are timed. */
  void once(Runnable operation) {
    if (launches == 0) {
      operation.run();
      session.finish();
      return;
    }
    try (PerfRecording recording = session.record(operation)) {
      recording.start();
      session.finish();
    }
  }

  /** Takes the time of operations. */
  Time measure(List<Runnable> operations) {
    return launches == 0 ? started(operations) : recorded(operations);
  }

  /** As nccl-tests with a CUDA graph: recording is not timed, and the first start of it is. */
  private Time recorded(List<Runnable> operations) {
    Runnable all =
        () -> {
          for (int i = 0; i < timing.iterations(); i++) {
            iterate(operations);
          }
        };
    try (PerfRecording recording = session.record(all)) {
      barrier();
      long begin = System.nanoTime();
      for (int i = 0; i < launches; i++) {
        recording.start();
      }
      long started = System.nanoTime();
      session.finish();
      long end = System.nanoTime();
      return new Time(
          perOperation(end - begin) / launches, perOperation(started - begin) / launches);
    }
  }

  private Time started(List<Runnable> operations) {
    long[] each = new long[timing.percentiles() ? timing.iterations() : 0];
    barrier();
    if (leadIn) {
      iterate(operations);
    }
    long untimed = 0;
    long begin = System.nanoTime();
    for (int i = 0; i < timing.iterations(); i++) {
      long before = each.length > 0 ? System.nanoTime() : 0;
      iterate(operations);
      long waited = block();
      untimed += waited;
      if (each.length > 0) {
        each[i] = System.nanoTime() - before - waited;
      }
    }
    long started = System.nanoTime();
    session.finish();
    long end = System.nanoTime();
    return new Time(
        perOperation(end - begin - untimed),
        perOperation(started - begin - untimed),
        Arrays.stream(each).mapToObj(nanos -> nanos / 1e9 / timing.aggregate()).toList());
  }

  private double perOperation(long nanos) {
    return nanos / 1e9 / timing.operations();
  }

  private void iterate(List<Runnable> operations) {
    if (operations.isEmpty()) {
      return;
    }
    if (operations.size() == 1) {
      operations.getFirst().run();
      return;
    }
    session.groupStart();
    for (int i = 0; i < operations.size(); i++) {
      operations.get(i).run();
    }
    session.groupEnd();
  }

  /** Waits after an iteration; returns for how long the time is not to count. */
  private long block() {
    switch (timing.blocking()) {
      case NONE -> {}
      case OWN -> session.finish();
      case ALL_RANKS -> {
        session.finish();
        barrier();
      }
      case ALL_RANKS_UNTIMED -> {
        session.finish();
        long begin = System.nanoTime();
        barrier();
        return System.nanoTime() - begin;
      }
    }
    return 0;
  }

  private void barrier() {
    session.exchange(new byte[0]);
  }

  private long fromRank(int rank, long number) {
    byte[] mine = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    return ByteBuffer.wrap(session.exchange(mine)[rank]).getLong();
  }
}
