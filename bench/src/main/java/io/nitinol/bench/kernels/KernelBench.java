// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.kernels;

import io.nitinol.bench.Median;
import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SplittableRandom;

/**
 * Measures the kernels of every type and operator, one thread, operands and destination apart: the
 * scalar ones and the vector ones by turns with {@link MemorySegment#copy(MemorySegment, long,
 * MemorySegment, long, long)} of as many bytes. A rate counts the bytes of one operand per second
 * of the thread's processor time, so that other load on the machine disturbs little; average is the
 * step that does the most, the last. Then the time of a call on a few elements.
 */
public final class KernelBench {

  private static final long[] SIZES = {256 << 10, 16 << 20};

  /** What is chosen by itself must not lose, but what memory limits comes out either way. */
  private static final double GOAL = 0.85;

  private static final int[] FEW = {1, 2, 8, 16, 63, 256};

  private static final long WARMUP_NANOS = 30_000_000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final int N_RANKS = 3; // not a power of two, so that averages round

  private final KernelProvider scalar = ScalarKernels.instance();
  private final KernelProvider vector;
  private final PrintStream out;
  private final int rounds;
  private final long roundNanos;
  private final List<Case> cases = new ArrayList<>();

  private KernelBench(PrintStream out, boolean quick, KernelProvider vector) {
    this.out = out;
    this.vector = vector;
    this.rounds = quick ? 5 : 15;
    this.roundNanos = quick ? 5_000_000 : 10_000_000;
  }

  /** One row's rate at one size, in bytes per nanosecond, which is GB/s. */
  private record Case(
      DataType type, ReductionOp op, long size, double scalar, double vector, double copy) {
    double ratio() {
      return vector / scalar;
    }
  }

  /** Runs the benchmark; the exit status is 1 where the goal is missed, 2 for wrong options. */
  public static void main(String[] args) throws IOException {
    boolean quick = false;
    Path json = null;
    List<DataType> types = List.of(DataType.values());
    for (int i = 0; i < args.length; i++) {
      String value = i + 1 < args.length ? args[i + 1] : null;
      if (args[i].equals("--quick")) {
        quick = true;
      } else if (args[i].equals("--json") && value != null) {
        json = Path.of(value);
        i++;
      } else if (args[i].equals("--type") && value != null) {
        types = Arrays.stream(DataType.values()).filter(t -> t.label().equals(value)).toList();
        i++;
      } else {
        System.err.println("usage: bench/kernels [--quick] [--json FILE] [--type LABEL]");
        System.exit(args[i].equals("--help") ? 0 : 2);
      }
    }
    if (types.isEmpty()) {
      System.err.println("no such type; types are those of nccl-tests: int8, half, float ...");
      System.exit(2);
    }
    KernelProvider vector =
        ServiceLoader.load(KernelProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.name().equals("vector"))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no vector kernels on the class path"));
    if (vector.unavailable() != null) {
      throw new IllegalStateException("no vector kernels: " + vector.unavailable());
    }
    KernelBench bench = new KernelBench(System.out, quick, vector);
    bench.run(types);
    if (json != null) {
      OutputFile.write(json, bench.json());
    }
    System.exit(bench.conclude() ? 0 : 1);
  }

  private void run(List<DataType> types) {
    out.println("# one thread, GB/s of one operand; ratio of vector to scalar");
    out.printf("%-9s %-5s", "type", "op");
    for (long size : SIZES) {
      out.printf(" %6d KiB scalar %8s %8s %6s", size >> 10, "vector", "copy", "ratio");
    }
    out.println();
    try (Arena arena = Arena.ofConfined()) {
      Buffers buffers = new Buffers(arena, SIZES[SIZES.length - 1]);
      warmUp(types, buffers);
      for (DataType type : types) {
        buffers.fill(type);
        for (ReductionOp op : ReductionOp.values()) {
          out.printf("%-9s %-5s", type.label(), op.label());
          for (long size : SIZES) {
            Case measured = measure(type, op, size, buffers);
            cases.add(measured);
            out.printf(
                " %17.2f %8.2f %8.1f %6.2f",
                measured.scalar, measured.vector, measured.copy, measured.ratio());
          }
          out.println();
          buffers.check(scalar.function(type, op, N_RANKS), type, op);
          buffers.check(vector.function(type, op, N_RANKS), type, op);
        }
      }
      few(types, buffers);
    }
  }

  /** Times calls on a few elements, in which a communicator's small messages spend their time. */
  private void few(List<DataType> types, Buffers buffers) {
    out.println("# ns per call of sum on a few elements, scalar / vector");
    out.printf("%-9s", "type");
    for (int count : FEW) {
      out.printf(" %15d", count);
    }
    out.println();
    for (DataType type : types) {
      buffers.fill(type);
      ReduceFunction plain = scalar.function(type, ReductionOp.SUM, N_RANKS);
      ReduceFunction fast = vector.function(type, ReductionOp.SUM, N_RANKS);
      out.printf("%-9s", type.label());
      for (int count : FEW) {
        out.printf(" %7.1f/%7.1f", nanos(plain, count, buffers), nanos(fast, count, buffers));
      }
      out.println();
    }
  }

  private double nanos(ReduceFunction function, int count, Buffers buffers) {
    int calls = 1000;
    double[] nanos = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      // As if each call were on one byte: the rate is in calls per nanosecond.
      nanos[round] =
          1
              / rate(
                  calls,
                  roundNanos,
                  () -> {
                    for (int i = 0; i < calls; i++) {
                      buffers.combine(function, count);
                    }
                  });
    }
    return Median.of(nanos);
  }

  /**
   * Compiles everything before anything is timed, with all types in the profile as in real life.
   */
  private void warmUp(List<DataType> types, Buffers buffers) {
    for (int i = 0; i < 3; i++) {
      for (DataType type : types) {
        buffers.fill(type);
        for (ReductionOp op : ReductionOp.values()) {
          for (KernelProvider provider : List.of(scalar, vector)) {
            ReduceFunction function = provider.function(type, op, N_RANKS);
            rate(SIZES[0], WARMUP_NANOS, () -> buffers.reduce(function, SIZES[0] / type.size()));
            buffers.check(function, type, op);
          }
          rate(SIZES[0], WARMUP_NANOS / 10, () -> buffers.copy(SIZES[0]));
        }
      }
    }
  }

  private Case measure(DataType type, ReductionOp op, long size, Buffers buffers) {
    ReduceFunction plain = scalar.function(type, op, N_RANKS);
    ReduceFunction fast = vector.function(type, op, N_RANKS);
    long count = size / type.size();
    double[] scalarRates = new double[rounds];
    double[] vectorRates = new double[rounds];
    double[] copyRates = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      scalarRates[round] = rate(size, roundNanos, () -> buffers.reduce(plain, count));
      vectorRates[round] = rate(size, roundNanos, () -> buffers.reduce(fast, count));
      copyRates[round] = rate(size, roundNanos, () -> buffers.copy(size));
    }
    return new Case(
        type, op, size, Median.of(scalarRates), Median.of(vectorRates), Median.of(copyRates));
  }

  private static double rate(long size, long leastNanos, Runnable action) {
    long start = THREADS.getCurrentThreadCpuTime();
    long times = 0;
    long elapsed;
    do {
      action.run();
      times++;
      elapsed = THREADS.getCurrentThreadCpuTime() - start;
    } while (elapsed < leastNanos);
    return (double) size * times / elapsed;
  }

  private boolean conclude() {
    Case worst = cases.getFirst();
    for (Case each : cases) {
      if (each.ratio() < worst.ratio()) {
        worst = each;
      }
    }
    out.printf(
        "bench kernels: worst ratio %.3f at %s %s %d KiB, goal %.3f%n",
        worst.ratio(), worst.type.label(), worst.op.label(), worst.size >> 10, GOAL);
    return worst.ratio() >= GOAL;
  }

  private String json() {
    StringBuilder json = new StringBuilder("[");
    for (Case each : cases) {
      json.append(json.length() == 1 ? "\n" : ",\n")
          .append(
              "  {\"type\": \"%s\", \"op\": \"%s\", \"bytes\": %d, \"scalar_gbps\": %.3f,"
                  .concat(" \"vector_gbps\": %.3f, \"copy_gbps\": %.3f}")
                  .formatted(
                      each.type.label(),
                      each.op.label(),
                      each.size,
                      each.scalar,
                      each.vector,
                      each.copy));
    }
    return json.append("\n]\n").toString();
  }

  /** Operands, destination, and a destination for checking. */
  private static final class Buffers {

    private final MemorySegment left;
    private final MemorySegment right;
    private final MemorySegment result;
    private final MemorySegment single;

    Buffers(Arena arena, long size) {
      left = arena.allocate(size, 4096);
      right = arena.allocate(size, 4096);
      result = arena.allocate(size, 4096);
      single = arena.allocate(Long.BYTES);
    }

    /**
     * Fills the operands with numbers whose results stay in range: random bits, floats around 1.
     */
    void fill(DataType type) {
      SplittableRandom random = new SplittableRandom(type.code());
      Samples samples = Samples.of(type);
      for (long at = 0; at < left.byteSize(); at += Long.BYTES) {
        left.set(ValueLayout.JAVA_LONG, at, samples.word(random.nextLong()));
        right.set(ValueLayout.JAVA_LONG, at, samples.word(random.nextLong()));
      }
    }

    void reduce(ReduceFunction function, long count) {
      function.reduceFinal(left, 0, right, 0, result, 0, count);
    }

    void combine(ReduceFunction function, long count) {
      function.combine(left, 0, right, 0, result, 0, count);
    }

    void copy(long size) {
      MemorySegment.copy(left, 0, result, 0, size);
    }

    /** Compares some elements of the last block reduction with a reduction of each alone. */
    void check(ReduceFunction function, DataType type, ReductionOp op) {
      long count = result.byteSize() / type.size();
      reduce(function, count);
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < 1000; i++) {
        long at = random.nextLong(count) * type.size();
        function.reduceFinal(left, at, right, at, single, 0, 1);
        if (MemorySegment.mismatch(single, 0, type.size(), result, at, at + type.size()) != -1) {
          throw new IllegalStateException(
              "wrong result of %s %s at byte %d".formatted(type.label(), op.label(), at));
        }
      }
    }
  }

  /**
   * Which bits of a word of samples are random and which are set.
   *
   * @param random bits to take from a random word
   * @param fixed bits to set
   */
  private record Samples(long random, long fixed) {

    static Samples of(DataType type) {
      return switch (type) {
        case FLOAT64 -> new Samples(0x800f_ffff_ffff_ffffL, 0x3ff0_0000_0000_0000L);
        case FLOAT32 -> new Samples(0x807f_ffff_807f_ffffL, 0x3f80_0000_3f80_0000L);
        case FLOAT16 -> new Samples(0x83ff_83ff_83ff_83ffL, 0x3c00_3c00_3c00_3c00L);
        case BFLOAT16 -> new Samples(0x807f_807f_807f_807fL, 0x3f80_3f80_3f80_3f80L);
        case FLOAT8E4M3 -> new Samples(0x8787_8787_8787_8787L, 0x3838_3838_3838_3838L);
        case FLOAT8E5M2 -> new Samples(0x8383_8383_8383_8383L, 0x3c3c_3c3c_3c3c_3c3cL);
        default -> new Samples(-1, 0);
      };
    }

    long word(long bits) {
      return (bits & random) | fixed;
    }
  }
}
