// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfCollective;
import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.cli.perf.device.PerfDevicePlan;
import io.nitinol.spi.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The rows to measure; the same on every rank.
 *
 * @param ops the operators, {@link PerfOperator#NONE} alone where nothing is reduced
 * @param root the root, {@link #ALL_ROOTS}, or {@link PerfJob#NO_ROOT}
 * @param checks how often each row's result is checked, with other data each time; 0 for never
 * @param unalign by how many elements the buffers are off their alignment
 * @param threads whether the ranks are threads of one process
 * @param device on whose memory to measure; null for that of the host
 * @param mode what to find out
 */
record PerfPlan(
    PerfCollective collective,
    SizeRange range,
    List<DataType> types,
    List<PerfOperator> ops,
    int root,
    Timing timing,
    int checks,
    int unalign,
    Reporting reporting,
    boolean threads,
    @Nullable PerfDevicePlan device,
    PerfMode mode) {

  /** Stands for one rank after the other. */
  static final int ALL_ROOTS = -2;

  /**
   * How to measure.
   *
   * @param warmup operations before each measurement that are not timed; 0 for none
   * @param warmupNanos how long they go on at least, where there are any
   * @param compileNanos the same for the very first ones, with which the JVM compiles what all use
   * @param iterations how often to do what is timed
   * @param aggregate operations of one iteration, started together
   * @param cycles how often to go through all sizes; 0 for without an end
   * @param steadyNanos how long the operations before a measurement go on at most until they take
   *     no less time any more; 0 where {@code warmup} and {@code warmupNanos} alone say how long
   * @param percentiles whether the time of each iteration is kept
   */
  record Timing(
      int warmup,
      long warmupNanos,
      long compileNanos,
      int iterations,
      int aggregate,
      int cycles,
      Blocking blocking,
      long steadyNanos,
      boolean percentiles) {

    /** Warms up as long as it is told, steady or not. */
    Timing(
        int warmup,
        long warmupNanos,
        long compileNanos,
        int iterations,
        int aggregate,
        int cycles,
        Blocking blocking) {
      this(warmup, warmupNanos, compileNanos, iterations, aggregate, cycles, blocking, 0, false);
    }

    /** Returns the same with another number of operations in an iteration. */
    Timing withAggregate(int operations) {
      return new Timing(
          warmup,
          warmupNanos,
          compileNanos,
          iterations,
          operations,
          cycles,
          blocking,
          steadyNanos,
          percentiles);
    }

    /** Returns how many operations are timed. */
    long operations() {
      return (long) iterations * aggregate;
    }
  }

  /** When to wait; the numbers are nccl-tests'. */
  enum Blocking {
    /** At the end only. */
    NONE,
    /** After each iteration, for all ranks. */
    ALL_RANKS,
    /** After each iteration, for this rank. */
    OWN,
    /** After each iteration, for all ranks, and not count the time for which the others wait. */
    ALL_RANKS_UNTIMED
  }

  /** Which rank's time counts; the numbers are nccl-tests'. */
  enum Average {
    /** That of rank 0. */
    RANK0,
    /** The mean. */
    MEAN,
    /** The shortest. */
    MIN,
    /** The longest. */
    MAX
  }

  /**
   * What to say of it.
   *
   * @param cpuTime whether the time is that of starting the operations, without waiting
   * @param timestamps whether each row says when it was measured
   * @param leastBandwidth average bus bandwidth of which nine tenths are enough; 0 for any
   */
  record Reporting(Average average, boolean cpuTime, boolean timestamps, double leastBandwidth) {}

  /** Returns how often to launch a graph of the iterations; 0 for no graph. */
  int graphLaunches() {
    return device == null ? 0 : device.launches();
  }

  /** Returns how many ranks are threads of one process. */
  int ranksPerProcess() {
    return device == null ? 1 : device.ranksPerProcess();
  }

  /** Returns the roots to go through, of which there is always one. */
  List<Integer> roots(int ranks) {
    return root == ALL_ROOTS ? IntStream.range(0, ranks).boxed().toList() : List.of(root);
  }

  /** Returns the job of a row. */
  PerfJob job(DataType type, PerfOperator op, int root, int ranks, long size) {
    return new PerfJob(type, op, root, ranks, collective.count(size / type.size(), type, ranks));
  }

  /** Returns the bytes of a row's operation, by which its bandwidth is reckoned. */
  long bytes(PerfJob job) {
    return Math.max(collective.sendLength(job), collective.recvLength(job)) * job.type().size();
  }

  /**
   * Returns the bytes of the largest operation that is measured. That may be less than what was
   * asked for, since there are whole elements only, and as many for each rank.
   */
  long largestOperation(int ranks) {
    return largest(ranks).stream().mapToLong(this::bytes).max().orElse(0);
  }

  /** Returns the most bytes that any row's send buffer has. */
  long sendBytes(int ranks) {
    return largest(ranks).stream()
        .mapToLong(job -> collective.sendLength(job) * job.type().size())
        .max()
        .orElse(0);
  }

  /** Returns the most bytes of a receive buffer, which in place has the contribution as well. */
  long recvBytes(int ranks) {
    return largest(ranks).stream().mapToLong(this::recvBytes).max().orElse(0);
  }

  private long recvBytes(PerfJob job) {
    long length = collective.recvLength(job);
    if (collective.hasInPlace()) {
      length = Math.max(length, collective.sendLength(job));
    }
    return length * job.type().size();
  }

  private List<PerfJob> largest(int ranks) {
    List<PerfJob> jobs = new ArrayList<>();
    for (DataType type : types) {
      jobs.add(job(type, ops.getFirst(), roots(ranks).getFirst(), ranks, range.max()));
    }
    return jobs;
  }
}
