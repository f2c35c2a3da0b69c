// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import io.nitinol.bench.ByteSizes;
import io.nitinol.bench.Median;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.KernelStep;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What one GPU does alone. Local kernels are compared with the driver's copy in device memory, by
 * bytes read and written. Two streams are compared with one: a reduction and a copy to the host at
 * once are to take as long as the longer of the two, and two reductions no longer than one after
 * the other.
 */
final class LocalBench {
  private static final double GOAL = 0.9;
  private static final long STANDARD_SIZE = 256L << 20;
  private static final int BUFFERS = 6;
  private static final int REPEATS = 10;

  /** Some work, and its samples. */
  private static final class Row {
    private final String name;
    private final long moved;
    private final Runnable work;
    private final List<Double> nanos = new ArrayList<>();

    /**
     * Creates a row.
     *
     * @param moved bytes read and written
     */
    Row(String name, long moved, Runnable work) {
      this.name = name;
      this.moved = moved;
      this.work = work;
    }

    double median() {
      return Median.of(nanos);
    }

    /** Returns GB/s. */
    double rate() {
      return moved / median();
    }
  }

  private final Device device;
  private final PrintStream out;
  private final long size;
  private final List<DeviceMemory> memory = new ArrayList<>();
  private final DeviceMemory host;
  private final DeviceStream stream;
  private final DeviceStream second;
  private final DeviceEvent start;
  private final DeviceEvent end;
  private final DeviceEvent joined;
  private final List<Row> rows = new ArrayList<>();
  private double worst = Double.MAX_VALUE;
  private String worstName = "";

  private LocalBench(Device device, PrintStream out, long size) {
    this.device = device;
    this.out = out;
    this.size = size;
    for (int i = 0; i < BUFFERS; i++) {
      memory.add(device.allocate(size));
    }
    host = device.allocateHost(size);
    stream = device.createStream(false);
    second = device.createStream(false);
    start = device.createEvent(true);
    end = device.createEvent(true);
    joined = device.createEvent(false);
    for (DeviceMemory each : memory) {
      stream.fill(each.address(), (byte) 0, size);
    }
    finish();
  }

  /** Runs it; returns the exit status, 0 where all goals hold. */
  static int run(GpuOptions options, PrintStream out) {
    Device device = GpuRankProcess.provider(options.device).devices().getFirst();
    List<Long> sizes = options.sizes;
    long size = sizes == null ? STANDARD_SIZE : sizes.getFirst();
    return new LocalBench(device, out, size).measure(options.rounds);
  }

  private void finish() {
    if (!stream.synchronize(GpuRank.PATIENCE)) {
      throw new IllegalStateException("a stream is not done after 50 s");
    }
  }

  /** Returns nanoseconds for one run of some work. */
  private double time(Runnable work) {
    work.run();
    stream.record(start);
    for (int i = 0; i < REPEATS; i++) {
      work.run();
    }
    stream.record(end);
    finish();
    return (double) end.elapsedNanos(start) / REPEATS;
  }

  private long at(int index) {
    return memory.get(index).address();
  }

  private Row add(String name, int times, Runnable work) {
    Row row = new Row(name, times * size, work);
    rows.add(row);
    return row;
  }

  private Runnable reduction(DeviceStream where, ReductionOp op, int from) {
    DeviceReduction reduction = DeviceReduction.of(DataType.FLOAT32, op, 2);
    return () ->
        device
            .kernels()
            .apply(
                where,
                reduction,
                KernelStep.REDUCE_FINAL,
                at(from),
                at(from + 1),
                at(from + 2),
                size / Float.BYTES);
  }

  /** Returns work on both streams at once; the first one goes on when both are done. */
  private Runnable both(Runnable one, Runnable other) {
    return () -> {
      stream.record(joined);
      second.await(joined);
      one.run();
      other.run();
      second.record(joined);
      stream.await(joined);
    };
  }

  private int measure(int rounds) {
    Row copy = add("driver's copy", 2, () -> stream.copy(at(0), at(1), size));
    List<Row> kernels = new ArrayList<>();
    kernels.add(add("kernel's copy", 2, () -> device.kernels().copy(stream, at(0), at(1), size)));
    for (ReductionOp op : ReductionOp.values()) {
      kernels.add(add("reduce " + op.label(), 3, reduction(stream, op, 0)));
    }
    Runnable sum = reduction(stream, ReductionOp.SUM, 0);
    Runnable secondSum = reduction(second, ReductionOp.SUM, 3);
    Row one = add("sum", 3, sum);
    Row two = add("two sums on two streams", 6, both(sum, secondSum));
    Row down = add("copy to the host", 1, () -> stream.copy(host.address(), at(3), size));
    Row beside =
        add(
            "copy to the host beside a sum",
            4,
            both(sum, () -> second.copy(host.address(), at(3), size)));
    rows.forEach(row -> time(row.work));
    for (int round = 0; round < rounds; round++) {
      rows.forEach(row -> row.nanos.add(time(row.work)));
    }
    out.printf(
        "# %s, %s of float32, bytes read and written; medians of %d rounds%n",
        device.name(), ByteSizes.text(size), rounds);
    out.printf("%30s %10s %10s %7s%n", "work", "us", "GB/s", "ratio");
    print(copy, "", 1);
    for (Row row : kernels) {
      print(row, " of the driver's copy", row.rate() / copy.rate());
    }
    print(one, "", 1);
    print(two, " of one after the other", 2 * one.median() / two.median());
    print(down, "", 1);
    print(
        beside,
        " of the longer one alone",
        Math.max(one.median(), down.median()) / beside.median());
    out.printf(
        Locale.ROOT,
        "bench gpu-vs-nccl: worst ratio %.2f at %s on one GPU, goal %.2f%n",
        worst,
        worstName,
        GOAL);
    return worst >= GOAL ? 0 : 1;
  }

  private void print(Row row, String of, double ratio) {
    out.printf(
        Locale.ROOT,
        "%30s %10.1f %10.1f %7s%s%n",
        row.name,
        row.median() / 1e3,
        row.rate(),
        of.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f", ratio),
        of);
    if (!of.isEmpty() && ratio < worst) {
      worst = ratio;
      worstName = row.name;
    }
  }
}
