// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allocation;

import com.sun.management.ThreadMXBean;
import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.core.Group;
import io.nitinol.core.PersistentCall;
import io.nitinol.core.Work;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that each kind of thread allocates per all-reduce in steady state, over the memory that two
 * ranks of this process share, over a file in shared memory, and over real TCP. The goal is none at
 * all.
 */
public final class AllocationBench {
  private static final int RANKS = 2;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The ways in which ranks wait, and where reductions run. */
  private enum Mode {
    MEMORY("memory, await", 0, false, false),
    /** Groups keep the record of a call; calls outside of a group must not pay for that. */
    BESIDE_GROUPS("memory, await, beside groups", 0, false, false),
    PERSISTENT("memory, await, persistent", 0, false, false),
    MEMORY_BACKGROUND("memory, poll isDone", 0, false, false),
    FILE("shared file, await", 0, true, false),
    AWAIT("TCP, await", 0, true, true),
    KERNEL_THREAD("TCP, await, 1 kernel thread", 1, true, true),
    BACKGROUND("TCP, poll isDone", 0, true, true);

    final String label;
    final int kernelThreads;
    final boolean noP2p;
    final boolean noShm;

    Mode(String label, int kernelThreads, boolean noP2p, boolean noShm) {
      this.label = label;
      this.kernelThreads = kernelThreads;
      this.noP2p = noP2p;
      this.noShm = noShm;
    }

    /** Returns how many bytes a caller may allocate: one of a plain call gets a work. */
    int callerGoal() {
      return this == PERSISTENT ? 0 : 24;
    }

    boolean polls() {
      return this == BACKGROUND || this == MEMORY_BACKGROUND;
    }
  }

  private record Row(
      Mode mode, long bytes, int operations, List<Double> perOperation, double micros) {
    double beyondGoal(int kind) {
      return Math.max(0, perOperation.get(kind) - (kind == 0 ? mode.callerGoal() : 0));
    }
  }

  private static final String[] KINDS = {"caller", "progress", "kernel"};

  private final boolean quick;
  private final PrintStream out = System.out;
  private final List<Row> rows = new ArrayList<>();

  private AllocationBench(boolean quick) {
    this.quick = quick;
  }

  /** Runs the benchmark; exit status 0 where the goal holds. */
  public static void main(String[] args) throws Exception {
    boolean quick = false;
    Path json = null;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--quick" -> quick = true;
        case "--json" -> {
          if (++i == args.length) {
            usage("--json needs a file");
          }
          json = Path.of(args[i]);
        }
        default -> usage(args[i]);
      }
    }
    AllocationBench bench = new AllocationBench(quick);
    boolean good = bench.run();
    if (json != null) {
      bench.write(json);
    }
    System.exit(good ? 0 : 1);
  }

  private static void usage(String what) {
    System.err.println("bench allocation: " + what + "; usage: allocation [--quick] [--json FILE]");
    System.exit(2);
  }

  private boolean run() throws Exception {
    out.println(
        ("Bytes allocated per all-reduce in steady state, %s ranks in one process; a "
                + "caller's Work is 24, which a persistent call has once; and the time of each")
            .formatted(RANKS));
    out.printf(
        Locale.ROOT,
        "%-28s %10s %10s %12s %12s %12s %12s%n",
        "mode",
        "size",
        "ops",
        "caller",
        "progress",
        "kernel",
        "us, rank 0");
    for (Mode mode : Mode.values()) {
      measure(mode);
    }
    double worst = -1;
    String at = "";
    for (Row row : rows) {
      for (int k = 0; k < KINDS.length; k++) {
        double beyond = row.beyondGoal(k);
        if (beyond > worst) {
          worst = beyond;
          at = KINDS[k] + " thread, " + row.mode().label + ", " + row.bytes() + " B";
        }
      }
    }
    out.printf(Locale.ROOT, "bench allocation: worst ratio %.3f at %s, goal 0.000%n", worst, at);
    return worst == 0;
  }

  private void measure(Mode mode) throws Exception {
    Settings settings =
        Settings.of(
            Map.of(
                "NCCL_NET",
                "Socket",
                "NCCL_SOCKET_IFNAME",
                "lo",
                "NCCL_P2P_DISABLE",
                mode.noP2p ? "1" : "0",
                "NCCL_SHM_DISABLE",
                mode.noShm ? "1" : "0",
                "NITINOL_KERNEL_THREADS",
                Integer.toString(mode.kernelThreads)));
    List<Communicator> group =
        Communicator.initAll(RANKS, CommConfig.standard().withSettings(settings));
    try (Arena arena = Arena.ofShared()) {
      for (long bytes : new long[] {8, 64 << 10, 4 << 20}) {
        int operations = Math.clamp((quick ? 1L << 28 : 1L << 30) / bytes, 100, 20_000);
        rows.add(measure(mode, group, arena, bytes, operations));
      }
      group.forEach(Communicator::close);
    }
  }

  private Row measure(Mode mode, List<Communicator> group, Arena arena, long bytes, int operations)
      throws Exception {
    long[] caller = new long[1];
    long[] nanos = new long[1];
    long[][] background = new long[2][2];
    CyclicBarrier barrier = new CyclicBarrier(RANKS);
    List<Thread> callers = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (Communicator communicator : group) {
      MemorySegment send = arena.allocate(bytes, 64);
      MemorySegment recv = arena.allocate(bytes, 64);
      PersistentCall made =
          mode == Mode.PERSISTENT
              ? communicator
                  .persistent()
                  .allReduce(send, recv, bytes / 4, DataType.FLOAT32, ReductionOp.SUM)
              : null;
      callers.add(
          Thread.ofPlatform()
              .name("caller-" + communicator.rank())
              .start(() -> {
                try {
                  if (mode == Mode.BESIDE_GROUPS) {
                    repeatInGroups(communicator, send, recv, 30_000);
                  }
                  repeat(mode, made, communicator, send, recv, warmUp(operations));
                  barrier.await();
                  boolean first = communicator.rank() == 0;
                  if (first) {
                    background[0] = allocatedByOthers();
                  }
                  barrier.await();
                  long before = THREADS.getCurrentThreadAllocatedBytes();
                  long start = System.nanoTime();
                  repeat(mode, made, communicator, send, recv, operations);
                  if (first) {
                    nanos[0] = System.nanoTime() - start;
                  }
                  long mine = THREADS.getCurrentThreadAllocatedBytes() - before;
                  barrier.await();
                  synchronized (caller) {
                    caller[0] += mine;
                  }
                  if (first) {
                    background[1] = allocatedByOthers();
                  }
                  barrier.await();
                } catch (Throwable e) {
                  communicator.abort();
                  barrier.reset();
                  synchronized (failures) {
                    failures.add(e);
                  }
                }
              }));
    }
    for (Thread thread : callers) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException("a rank has failed", failures.getFirst());
    }
    double each = (double) operations * RANKS;
    Row row =
        new Row(
            mode,
            bytes,
            operations,
            List.of(
                caller[0] / each,
                (background[1][0] - background[0][0]) / each,
                (background[1][1] - background[0][1]) / each),
            nanos[0] / 1e3 / operations);
    out.printf(
        Locale.ROOT,
        "%-28s %10d %10d %12.3f %12.3f %12.3f %12.3f%n",
        mode.label,
        bytes,
        operations,
        row.perOperation().get(0),
        row.perOperation().get(1),
        row.perOperation().get(2),
        row.micros());
    return row;
  }

  private int warmUp(int operations) {
    // The first rows warm up for all: C2 compiles what was called some ten thousand times.
    return Math.max(operations, rows.isEmpty() ? 30_000 : 200);
  }

  private static void repeat(
      Mode mode,
      @Nullable PersistentCall made,
      Communicator communicator,
      MemorySegment send,
      MemorySegment recv,
      int times) {
    long count = send.byteSize() / 4;
    if (made != null) {
      for (int i = 0; i < times; i++) {
        made.start().await();
      }
      return;
    }
    for (int i = 0; i < times; i++) {
      once(mode, communicator, send, recv, count);
    }
  }

  /** Calls in a group and outside of one in turn, so that the JIT knows both. */
  private static void repeatInGroups(
      Communicator communicator, MemorySegment send, MemorySegment recv, int times) {
    long count = Math.min(16, send.byteSize() / 4);
    for (int i = 0; i < times; i++) {
      Group group = Group.start();
      Work work = communicator.allReduce(send, recv, count, DataType.FLOAT32, ReductionOp.SUM);
      group.close();
      work.await();
      once(Mode.BESIDE_GROUPS, communicator, send, recv, count);
    }
  }

  /** What an application's loop does; a method of its own, so that the JIT sees it called often. */
  private static void once(
      Mode mode, Communicator communicator, MemorySegment send, MemorySegment recv, long count) {
    Work work = communicator.allReduce(send, recv, count, DataType.FLOAT32, ReductionOp.SUM);
    if (mode.polls()) {
      while (!work.isDone()) {
        Thread.yield();
      }
    } else {
      work.await();
    }
  }

  /** Returns the bytes that progress threads and kernel threads have allocated so far. */
  private static long[] allocatedByOthers() {
    return new long[] {
      allocatedBy(name -> name.endsWith("-progress")),
      allocatedBy(name -> name.contains("-kernel-"))
    };
  }

  private static long allocatedBy(Predicate<String> name) {
    long sum = 0;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("nitinol-") && name.test(thread.getName())) {
        sum += THREADS.getThreadAllocatedBytes(thread.threadId());
      }
    }
    return sum;
  }

  private void write(Path file) throws IOException {
    StringBuilder json = new StringBuilder("{\"bench\":\"allocation\",\"goal\":0,\"rows\":[");
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      json.append(i == 0 ? "" : ",")
          .append(
              String.format(
                  Locale.ROOT,
                  "{\"mode\":\"%s\",\"bytes\":%d,\"operations\":%d,\"caller\":%.4f,"
                      + "\"progress\":%.4f,\"kernel\":%.4f,\"micros\":%.4f}",
                  row.mode().label,
                  row.bytes(),
                  row.operations(),
                  row.perOperation().get(0),
                  row.perOperation().get(1),
                  row.perOperation().get(2),
                  row.micros()));
    }
    OutputFile.write(file, json.append("]}\n").toString());
  }
}
