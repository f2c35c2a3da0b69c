// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.ExitStatus;
import io.nitinol.cli.Failure;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What one rank does: every row of the plan, timed and checked. */
final class RankRun {
  /** No result of a reduction looks like this over many elements. */
  private static final byte POISON = (byte) 0xA5;

  /** Behind the buffers, to see what is written where it must not be. */
  private static final long GUARD_BYTES = 64;

  private static final long ALIGNMENT = 4096;

  private static final int COMPILE_BATCH = 20;
  private static final long COMPILE_NANOS = 500_000_000;

  private final PerfPlan plan;
  private final Session session;
  private final Consumer<String> complaints;
  private long seed;

  /**
   * Creates a run.
   *
   * @param complaints gets a line for each result of this rank that is wrong
   */
  RankRun(PerfPlan plan, Session session, Consumer<String> complaints) {
    this.plan = plan;
    this.session = session;
    this.complaints = complaints;
  }

  /**
   * Measures all rows. The same rows come out on every rank.
   *
   * @param sink gets each row as soon as it is there
   */
  List<Row> run(Consumer<Row> sink) {
    List<Row> rows = new ArrayList<>();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment send = allocate(arena);
      MemorySegment recv = allocate(arena);
      compile(send, recv);
      for (DataType type : plan.types()) {
        for (ReductionOp op : plan.ops()) {
          warmUp(send, recv, type, op);
          for (long size : plan.range().sizes()) {
            Row row = measure(send, recv, size / type.size(), type, op);
            rows.add(row);
            sink.accept(row);
          }
        }
      }
    }
    return rows;
  }

  private MemorySegment allocate(Arena arena) {
    long bytes = plan.range().max() + GUARD_BYTES;
    try {
      return arena.allocate(bytes, ALIGNMENT);
    } catch (OutOfMemoryError e) {
      throw new Failure(
          ExitStatus.USAGE,
          "rank "
              + session.rank()
              + " cannot allocate a buffer of "
              + bytes
              + " bytes ("
              + e.getMessage()
              + "); lower -e, or allow more with NITINOL_JAVA_OPTS=-XX:MaxDirectMemorySize=...");
    }
  }

  /** Runs the smallest size until the JVM has compiled what all rows use; rank 0 keeps the time. */
  private void compile(MemorySegment send, MemorySegment recv) {
    if (plan.warmup() == 0) {
      return;
    }
    DataType type = plan.types().getFirst();
    long count = Math.max(1, plan.range().min() / type.size());
    count = Math.min(count, plan.range().max() / type.size());
    long start = System.nanoTime();
    boolean more = true;
    while (more) {
      repeat(COMPILE_BATCH, send, recv, count, type, plan.ops().getFirst());
      more = System.nanoTime() - start < COMPILE_NANOS;
      more = session.exchange(new byte[] {(byte) (more ? 1 : 0)})[0][0] != 0;
    }
  }

  /** The largest size touches all memory, the smallest one sets up what is set up late. */
  private void warmUp(MemorySegment send, MemorySegment recv, DataType type, ReductionOp op) {
    List<Long> sizes = plan.range().sizes();
    for (long size : List.of(sizes.getLast(), sizes.getFirst())) {
      repeat(plan.warmup(), send, recv, size / type.size(), type, op);
    }
  }

  private Row measure(
      MemorySegment send, MemorySegment recv, long count, DataType type, ReductionOp op) {
    Measurement outOfPlace = measurement(send, recv, count, type, op);
    Measurement inPlace = measurement(recv, recv, count, type, op);
    return new Row(
        count * type.size(),
        count,
        type,
        op,
        plan.collective().busFactor(session.size()),
        outOfPlace,
        inPlace);
  }

  private Measurement measurement(
      MemorySegment send, MemorySegment recv, long count, DataType type, ReductionOp op) {
    repeat(plan.warmup(), send, recv, count, type, op);
    barrier();
    long start = System.nanoTime();
    repeat(plan.iterations(), send, recv, count, type, op);
    double seconds = (System.nanoTime() - start) / 1e9 / plan.iterations();
    long wrong = plan.checks() == 0 ? Measurement.UNCHECKED : 0;
    for (int i = 0; i < plan.checks(); i++) {
      wrong += check(send, recv, count, type, op);
    }
    return combine(seconds, wrong);
  }

  private void repeat(
      int times,
      MemorySegment send,
      MemorySegment recv,
      long count,
      DataType type,
      ReductionOp op) {
    for (int i = 0; i < times; i++) {
      session.allReduce(send, recv, count, type, op);
      if (plan.blocking()) {
        session.finish();
        barrier();
      }
    }
    session.finish();
  }

  /** Runs the operation once with new data; returns what is wrong on this rank. */
  private long check(
      MemorySegment send, MemorySegment recv, long count, DataType type, ReductionOp op) {
    seed++; // in step on all ranks
    long bytes = count * type.size();
    recv.fill(POISON);
    TestData.fill(type, op, seed, session.rank(), session.size(), send, count);
    session.allReduce(send, recv, count, type, op);
    session.finish();
    TestData.Outcome outcome = TestData.check(type, op, seed, session.size(), recv, count);
    if (outcome.wrong() > 0) {
      complain(count, type, op, outcome.describe());
    }
    long stray = overwritten(recv, bytes);
    if (stray > 0) {
      complain(count, type, op, stray + " bytes behind the result were written");
    }
    long changed = 0;
    if (!send.equals(recv)) {
      TestData.fill(type, op, seed, session.rank(), session.size(), recv, count);
      changed = MemorySegment.mismatch(send, 0, bytes, recv, 0, bytes) < 0 ? 0 : 1;
      if (changed > 0) {
        complain(count, type, op, "the send buffer was written");
      }
    }
    return outcome.wrong() + stray + changed;
  }

  private void complain(long count, DataType type, ReductionOp op, String what) {
    complaints.accept(
        "rank "
            + session.rank()
            + ": "
            + plan.collective().label()
            + " of "
            + count
            + " "
            + type.label()
            + " "
            + op.label()
            + ": "
            + what);
  }

  /** Returns how many bytes from {@code end} on are no longer poison. */
  private static long overwritten(MemorySegment buffer, long end) {
    long overwritten = 0;
    for (long i = end; i < end + GUARD_BYTES; i++) {
      if (buffer.get(ValueLayout.JAVA_BYTE, i) != POISON) {
        overwritten++;
      }
    }
    return overwritten;
  }

  private void barrier() {
    session.exchange(new byte[0]);
  }

  private Measurement combine(double seconds, long wrong) {
    byte[] mine =
        ByteBuffer.allocate(Double.BYTES + Long.BYTES).putDouble(seconds).putLong(wrong).array();
    double sum = 0;
    double fastest = Double.MAX_VALUE;
    double slowest = 0;
    long allWrong = 0;
    for (byte[] theirs : session.exchange(mine)) {
      ByteBuffer in = ByteBuffer.wrap(theirs);
      double time = in.getDouble();
      sum += time;
      fastest = Math.min(fastest, time);
      slowest = Math.max(slowest, time);
      allWrong += in.getLong();
    }
    return new Measurement(
        sum / session.size(),
        fastest,
        slowest,
        plan.checks() == 0 ? Measurement.UNCHECKED : allWrong);
  }
}
