// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static io.nitinol.samples.cuda.CheckBench.require;

import io.nitinol.samples.cuda.ffi.Descriptors;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.KernelStep;
import io.nitinol.spi.device.v1.MemoryKind;
import io.nitinol.spi.device.v1.MemoryRange;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Goes through all that the provider does, on the GPUs of this machine, and compares every element.
 * The exit status is 0 if all was right, 1 if not, 2 where there is no device, 3 where it took too
 * long.
 */
final class CudaCheck {
  private static final PrintStream OUT = System.out;
  private static final long MOST_SECONDS = 230;
  private static final int SMALL = 64 << 10;

  private static volatile String running = "the beginning";
  private static int failed;

  private CudaCheck() {}

  /** A part of the check. */
  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  /**
   * Runs the check.
   *
   * @param arguments nothing; the check itself starts a second process with some
   * @throws Exception when the second process cannot go on
   */
  public static void main(String[] arguments) throws Exception {
    CudaDeviceProvider provider = new CudaDeviceProvider();
    String reason = provider.unavailable();
    if (reason != null) {
      OUT.println("cuda is unavailable: " + reason);
      System.exit(2);
    }
    watch();
    List<CudaDevice> devices = CudaDriver.found().own();
    if (arguments.length == 0) {
      step("load the kernels within a device", () -> load(devices, List.of(KernelFamily.LOCAL)));
      step("load those of teams", () -> load(devices, List.of(KernelFamily.values())));
    }
    try (CheckBench bench = new CheckBench(devices.getFirst())) {
      if (arguments.length == 2 && arguments[0].equals(CheckProcess.ROLE)) {
        CheckProcess.child(bench, Integer.parseInt(arguments[1]));
        return;
      }
      all(provider, devices, bench);
      OUT.printf("%d elements compared%n", bench.elements());
    }
    OUT.println(failed == 0 ? "check: all right" : "check: " + failed + " parts WRONG");
    System.exit(failed == 0 ? 0 : 1);
  }

  private static void watch() {
    Thread.ofPlatform()
        .daemon()
        .name("cuda-check-watch")
        .start(() -> {
          try {
            TimeUnit.SECONDS.sleep(MOST_SECONDS);
          } catch (InterruptedException e) {
            return;
          }
          OUT.println("check: TOO LONG in " + running);
          Thread.getAllStackTraces()
              .forEach((thread, stack) -> {
                OUT.println(thread.getName());
                for (int i = 0; i < Math.min(12, stack.length); i++) {
                  OUT.println("    " + stack[i]);
                }
              });
          OUT.flush();
          Runtime.getRuntime().halt(3);
        });
  }

  private static void step(String name, Step step) {
    running = name;
    long start = System.nanoTime();
    try {
      step.run();
      OUT.printf("ok    %-40s %6.2f s%n", name, (System.nanoTime() - start) / 1e9);
    } catch (Exception | LinkageError | AssertionError e) {
      failed++;
      OUT.printf("WRONG %-40s %6.2f s%n", name, (System.nanoTime() - start) / 1e9);
      e.printStackTrace(OUT);
    }
    OUT.flush();
  }

  private static void all(CudaDeviceProvider provider, List<CudaDevice> devices, CheckBench bench) {
    List<DataType> types = List.of(DataType.values());
    List<DataType> few = List.of(DataType.FLOAT32, DataType.INT32, DataType.BFLOAT16);
    step("devices", () -> devices(devices));
    step("memory", () -> memory(provider, bench));
    step("streams and events", () -> streams(bench));
    step("numbers in memory", () -> numbers(bench));
    step("graphs", () -> graphs(bench));
    step("errors", () -> errors(bench));
    step("team of 2, three types", () -> team(bench, devices, 2, 300, few));
    step("team of 4, three types", () -> team(bench, devices, 4, 200, few));
    step("team of 1", () -> team(bench, devices, 1, 40, few));
    step("team of 3, default sizes", () -> large(bench, devices));
    step("transfers of two ranks", () -> transfers(bench, devices));
    step("graphs of a team", () -> teamGraphs(bench, devices));
    step("aborts", () -> aborts(bench, devices));
    step("two processes", () -> CheckProcess.run(bench));
    step("launches", () -> launches(bench, devices));
    step("speed of transfers", () -> transferSpeed(bench, devices));
    step("speed of local kernels", () -> speed(bench));
    step("local kernels", () -> kernels(bench, types));
    step("team of 4, all types", () -> team(bench, devices, 4, 600, types));
    step("team of 8, all types", () -> team(bench, devices, 8, 150, types));
    step("100 teams", () -> manyTeams(bench, devices));
  }

  private static void devices(List<CudaDevice> devices) {
    for (CudaDevice device : devices) {
      OUT.printf(
          "  %d %s, PCI %s, %s, %d MiB, %d processors, %d NVLinks%n",
          device.index(),
          device.name(),
          device.pciId(),
          device.uuid(),
          device.memorySize() >> 20,
          device.processors(),
          Nvml.activeLinks(device.pciId()));
      StringBuilder features = new StringBuilder(" ");
      for (DeviceFeature feature : DeviceFeature.values()) {
        features.append(' ').append(device.supports(feature) ? "" : "no ").append(feature);
      }
      OUT.println(features);
      String pci = device.pciId();
      require(
          pci == null || pci.matches("[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-9a-f]"),
          "PCI id %s",
          pci);
      for (CudaDevice peer : devices) {
        OUT.printf("  to %d: %s%n", peer.index(), device.link(peer));
        require(peer != device || device.canAccess(peer), "a device cannot access itself");
        if (device.canAccess(peer)) {
          device.enablePeerAccess(peer);
          device.enablePeerAccess(peer);
        }
      }
    }
  }

  private static void fails(DeviceFailure wanted, String what, Step step) throws Exception {
    try {
      step.run();
    } catch (DeviceException e) {
      require(e.failure() == wanted, "%s: %s, wanted %s: %s", what, e.failure(), wanted, e);
      return;
    }
    throw new IllegalStateException(what + " did not fail with " + wanted);
  }

  private static void memory(CudaDeviceProvider provider, CheckBench bench) throws Exception {
    CudaDevice device = bench.device();
    Random random = new Random(1);
    require(provider.find(0) == null, "memory at 0");
    long address;
    try (DeviceMemory memory = device.allocate(1_000_003);
        DeviceMemory other = device.allocate(1);
        DeviceMemory host = device.allocateHost(5000)) {
      address = memory.address();
      require(address % 256 == 0 && other.address() % 256 == 0, "alignment");
      byte[] data = CheckBench.bytes(random, 1_000_003);
      bench.put(address, data);
      require(Arrays.equals(data, bench.get(address, data.length)), "WRONG there and back");
      for (long at : new long[] {0, 1, 500_000, 1_000_002}) {
        MemoryRange range = provider.find(address + at);
        require(
            range != null
                && range.kind() == MemoryKind.DEVICE
                && range.device() == device.index()
                && range.contains(address, 1_000_003),
            "find of byte %d: %s",
            at,
            range);
      }
      for (long at : new long[] {0, 4999}) {
        MemoryRange range = provider.find(host.address() + at);
        require(
            range != null
                && range.kind() == MemoryKind.HOST
                && range.contains(host.address(), 5000),
            "find of pinned byte %d: %s",
            at,
            range);
      }
      byte[] handle = device.exportMemory(address + 100, 1000);
      require(handle.length == provider.memoryHandleSize(), "size of a handle");
      fails(DeviceFailure.IPC_REFUSED, "own handle", () -> device.importMemory(handle));
      fails(
          DeviceFailure.INVALID_ARGUMENT,
          "zeroes as a handle",
          () -> device.importMemory(new byte[handle.length]));
      fails(
          DeviceFailure.INVALID_ARGUMENT,
          "export beyond the end",
          () -> device.exportMemory(address, 1L << 40));
      fails(
          DeviceFailure.INVALID_ARGUMENT,
          "export of host memory",
          () -> device.exportMemory(host.address(), 1));
      if (device.supports(DeviceFeature.DMABUF)) {
        try (DeviceMemory large = device.allocate(4L << 20)) {
          int descriptor = device.exportDmaBuf(large.address() + 4096, 8192);
          require(descriptor > 2, "descriptor %d", descriptor);
          require(Descriptors.close(descriptor) == 0, "the descriptor was not open");
          fails(
              DeviceFailure.INVALID_ARGUMENT,
              "half a page",
              () -> device.exportDmaBuf(large.address() + 8, 4096));
        }
      }
    }
    require(provider.find(address) == null, "memory that is closed is found");
    fails(
        DeviceFailure.OUT_OF_MEMORY,
        "too much memory",
        () -> device.allocate(2 * device.memorySize()));
    fails(DeviceFailure.INVALID_ARGUMENT, "no memory", () -> device.allocate(0));
    fails(DeviceFailure.INVALID_ARGUMENT, "no host memory", () -> device.allocateHost(-1));
    if (device.supports(DeviceFeature.HOST_REGISTRATION)) {
      registration(provider, bench, random);
    }
  }

  private static void registration(CudaDeviceProvider provider, CheckBench bench, Random random)
      throws Exception {
    CudaDevice device = bench.device();
    try (Arena arena = Arena.ofConfined();
        DeviceMemory memory = device.allocate(100_000);
        DeviceStream stream = device.createStream(false)) {
      for (int offset : new int[] {0, 1, 4095, 77}) {
        MemorySegment all = arena.allocate(300_000);
        int size = 1 + random.nextInt(90_000);
        MemorySegment segment = all.asSlice(8192 + offset, size);
        byte[] data = CheckBench.bytes(random, size);
        MemorySegment.copy(data, 0, segment, ValueLayout.JAVA_BYTE, 0, size);
        require(provider.find(segment.address()) == null, "host memory is found");
        try (DeviceMemory pinned = device.registerHost(segment)) {
          require(pinned.address() == segment.address(), "address of registered memory");
          MemoryRange range = provider.find(segment.address() + size - 1);
          require(range != null && range.kind() == MemoryKind.HOST, "find: %s", range);
          fails(DeviceFailure.INVALID_STATE, "pinned twice", () -> device.registerHost(segment));
          device.kernels().copy(stream, memory.address(), pinned.address(), size);
          CheckBench.finish(stream, "a kernel on registered memory");
          require(
              Arrays.equals(data, bench.get(memory.address(), size)),
              "WRONG from registered memory");
        }
        require(provider.find(segment.address()) == null, "unpinned memory is found");
      }
      fails(
          DeviceFailure.INVALID_ARGUMENT,
          "heap memory",
          () -> device.registerHost(MemorySegment.ofArray(new byte[10])));
    }
  }

  private static void streams(CheckBench bench) throws Exception {
    CudaDevice device = bench.device();
    Random random = new Random(2);
    try (DeviceMemory memory = device.allocate(4 * SMALL);
        DeviceStream stream = device.createStream(true);
        DeviceStream second = device.createStream(false);
        DeviceEvent begin = device.createEvent(true);
        DeviceEvent end = device.createEvent(true);
        DeviceEvent untimed = device.createEvent(false)) {
      long from = memory.address() + 256;
      long to = from + 2 * SMALL;
      for (int i = 0; i < 60; i++) {
        int size = i == 0 ? 0 : random.nextInt(SMALL / 2);
        int a = random.nextInt(64);
        int b = random.nextInt(64);
        byte[] data = CheckBench.bytes(random, size);
        bench.putGuarded(from + a, size, data);
        bench.putGuarded(to + b, size, null);
        if (i % 3 == 0) {
          stream.copy(to + b, from + a, size);
        } else if (i % 3 == 1) {
          device.kernels().copy(stream, to + b, from + a, size);
        } else {
          stream.fill(to + b, (byte) i, size);
          Arrays.fill(data, (byte) i);
        }
        CheckBench.finish(stream, "a copy");
        bench.compareGuarded("copy of " + size + " from " + a + " to " + b, to + b, data, 1);
      }
      require(untimed.query() && untimed.synchronize(0), "an event that was never recorded");
      long start = System.nanoTime();
      stream.record(begin);
      for (int i = 0; i < 20; i++) {
        stream.fill(to, (byte) i, SMALL);
      }
      stream.record(end);
      second.await(end);
      second.copy(from, to, SMALL);
      require(second.synchronize(CheckBench.PATIENCE), "stuck behind an event");
      require(end.query() && begin.query(), "an event is not complete");
      long elapsed = end.elapsedNanos(begin);
      require(elapsed >= 0 && elapsed <= System.nanoTime() - start, "elapsed %d ns", elapsed);
      require(
          bench.get(from + SMALL - 1, 1)[0] == 19 && bench.get(from, 1)[0] == 19,
          "WRONG order of streams");
      stream.record(untimed);
      CheckBench.finish(stream, "a record");
      fails(DeviceFailure.INVALID_STATE, "not timed", () -> untimed.elapsedNanos(begin));
      try (DeviceStream wrapped = device.wrapStream(stream.nativeHandle());
          DeviceStream legacy = device.wrapStream(0)) {
        wrapped.fill(to, (byte) 7, 100);
        stream.copy(from, to, 100);
        CheckBench.finish(stream, "a wrapped stream");
        require(bench.get(from, 1)[0] == 7, "WRONG order of a wrapped stream");
        legacy.fill(to, (byte) 8, 100);
        CheckBench.finish(legacy, "the default stream");
        require(bench.get(to + 99, 1)[0] == 8, "WRONG default stream");
      }
      stream.fill(to, (byte) 1, 10);
      CheckBench.finish(stream, "a stream whose wrapper was closed");
      Thread.currentThread().interrupt();
      stream.synchronize(1_000_000);
      require(Thread.interrupted(), "the interrupt status is lost");
    }
  }

  private static void numbers(CheckBench bench) throws Exception {
    CudaDevice device = bench.device();
    if (!device.supports(DeviceFeature.STREAM_VALUES)) {
      return;
    }
    try (DeviceMemory host = device.allocateHost(4096);
        DeviceMemory memory = device.allocate(4096);
        DeviceStream stream = device.createStream(false);
        DeviceStream second = device.createStream(false);
        DeviceEvent event = device.createEvent(false)) {
      MemorySegment segment = Objects.requireNonNull(host.segment());
      segment.fill((byte) 0);
      stream.waitValue(host.address(), 5);
      stream.fill(memory.address(), (byte) 3, 100);
      stream.writeValue(host.address() + 8, 77);
      stream.record(event);
      require(!stream.query() && !event.query(), "a wait that did not wait");
      CheckBench.prompt(
          "synchronize of 20 ms",
          CheckBench.CALL + 20_000_000,
          () -> require(!stream.synchronize(20_000_000), "a wait that did not wait"));
      second.fill(memory.address() + 200, (byte) 4, 100);
      CheckBench.finish(second, "a stream beside one that waits");
      for (int i = 0; i < 500; i++) {
        byte value = (byte) i;
        CheckBench.prompt(
            "operation " + i + " of a stream that waits",
            CheckBench.CALL,
            () -> stream.fill(memory.address() + 400, value, 8));
      }
      segment.set(ValueLayout.JAVA_LONG, 0, 6);
      CheckBench.finish(stream, "a wait whose number has come");
      require(segment.get(ValueLayout.JAVA_LONG, 8) == 77, "WRONG number");
      require(bench.get(memory.address(), 1)[0] == 3, "WRONG after a wait");
      fails(
          DeviceFailure.INVALID_ARGUMENT,
          "a number at an odd address",
          () -> stream.writeValue(host.address() + 4, 1));
    }
  }

  private static void graphs(CheckBench bench) throws Exception {
    CudaDevice device = bench.device();
    try (DeviceMemory memory = device.allocate(4096);
        DeviceStream stream = device.createStream(false);
        DeviceStream second = device.createStream(false);
        DeviceEvent fork = device.createEvent(false);
        DeviceEvent join = device.createEvent(false)) {
      long a = memory.address();
      stream.fill(a, (byte) 1, 4096);
      CheckBench.finish(stream, "a fill");
      stream.beginCapture();
      require(stream.isCapturing(), "not capturing");
      stream.fill(a + 100, (byte) 2, 10);
      stream.record(fork);
      second.await(fork);
      require(second.isCapturing(), "not joined");
      second.copy(a + 200, a + 100, 10);
      second.record(join);
      fails(DeviceFailure.INVALID_STATE, "query", stream::query);
      fails(DeviceFailure.INVALID_STATE, "synchronize", () -> stream.synchronize(1));
      fails(DeviceFailure.INVALID_STATE, "begin twice", stream::beginCapture);
      fails(DeviceFailure.INVALID_STATE, "query of an event", join::query);
      stream.await(join);
      device.kernels().copy(stream, a + 300, a + 200, 10);
      DeviceGraph graph = stream.endCapture();
      require(!stream.isCapturing() && !second.isCapturing(), "still capturing");
      CheckBench.finish(stream, "the upload of a graph");
      require(bench.get(a + 100, 1)[0] == 1, "WRONG: a capture did its work");
      fails(DeviceFailure.INVALID_STATE, "await of a captured event", () -> stream.await(join));
      fails(DeviceFailure.INVALID_STATE, "end without begin", stream::endCapture);
      for (int i = 0; i < 3; i++) {
        stream.fill(a, (byte) 9, 1000);
        stream.launch(graph);
        stream.launch(graph);
        CheckBench.finish(stream, "a graph");
        require(
            bench.get(a + 109, 1)[0] == 2
                && bench.get(a + 209, 1)[0] == 2
                && bench.get(a + 309, 1)[0] == 2
                && bench.get(a + 310, 1)[0] == 9,
            "WRONG after a graph");
      }
      graph.close();
      fails(DeviceFailure.INVALID_STATE, "launch of a closed graph", () -> stream.launch(graph));
      // A stream that joined and does not come back.
      stream.beginCapture();
      stream.record(fork);
      second.await(fork);
      second.fill(a, (byte) 5, 10);
      fails(DeviceFailure.INVALID_STATE, "a branch that does not come back", stream::endCapture);
      require(!stream.isCapturing() && !second.isCapturing(), "capturing after a failed capture");
      second.fill(a, (byte) 6, 10);
      CheckBench.finish(second, "a stream after a failed capture");
      stream.fill(a + 1, (byte) 6, 10);
      CheckBench.finish(stream, "a stream after a failed capture");
    }
  }

  private static void errors(CheckBench bench) throws Exception {
    CudaDevice device = bench.device();
    DeviceStream closed = device.createStream(false);
    closed.close();
    closed.close();
    fails(DeviceFailure.INVALID_STATE, "a closed stream", closed::query);
    DeviceEvent event = device.createEvent(true);
    event.close();
    fails(DeviceFailure.INVALID_STATE, "a closed event", event::query);
    try (DeviceStream stream = device.createStream(false);
        DeviceMemory memory = device.allocate(64)) {
      fails(DeviceFailure.INVALID_STATE, "record of a closed event", () -> stream.record(event));
      fails(DeviceFailure.INVALID_ARGUMENT, "a size", () -> stream.copy(0, 0, -1));
      fails(
          DeviceFailure.INVALID_ARGUMENT,
          "a count",
          () ->
              device
                  .kernels()
                  .apply(
                      stream,
                      DeviceReduction.of(DataType.FLOAT32, ReductionOp.SUM, 2),
                      KernelStep.COMBINE,
                      memory.address(),
                      memory.address(),
                      memory.address(),
                      -1));
      DeviceMemory host = device.allocateHost(100);
      MemorySegment segment = Objects.requireNonNull(host.segment());
      host.close();
      host.close();
      try {
        segment.get(ValueLayout.JAVA_BYTE, 0);
        throw new IllegalArgumentException("closed host memory can be read");
      } catch (IllegalStateException e) {
        require(String.valueOf(e.getMessage()).contains("closed"), "%s", e);
      }
    }
  }

  /** Loads modules, which the driver may have to compile, and so how long a first join takes. */
  private static void load(List<CudaDevice> devices, List<KernelFamily> families) {
    for (CudaDevice device : devices) {
      if (device.hasKernels()) {
        device.modules().load(families);
      }
    }
  }

  private static void kernels(CheckBench bench, List<DataType> types) {
    CudaDevice device = bench.device();
    Random random = new Random(3);
    int most = 5000;
    try (DeviceMemory memory = device.allocate(4L * SMALL);
        DeviceStream stream = device.createStream(false);
        Arena arena = Arena.ofConfined()) {
      MemorySegment left = arena.allocate(8L * most);
      MemorySegment right = arena.allocate(8L * most);
      MemorySegment wanted = arena.allocate(8L * most);
      for (DataType type : types) {
        for (int op = 0; op < 6; op++) {
          for (KernelStep step : KernelStep.values()) {
            int ranks = 1 + random.nextInt(9);
            long scalar = random.nextLong() & (-1L >>> (64 - 8 * type.size()));
            DeviceReduction reduction =
                op == 5
                    ? DeviceReduction.preMulSum(type, ranks, scalar)
                    : DeviceReduction.of(type, ReductionOp.values()[op], ranks);
            require(device.kernels().supports(reduction), "%s", reduction);
            ReduceFunction function = bench.function(reduction);
            int count = 1 + random.nextInt(random.nextInt(4) == 0 ? most : 60);
            int size = count * type.size();
            byte[] l = CheckBench.bytes(random, size);
            byte[] r = CheckBench.bytes(random, size);
            MemorySegment.copy(l, 0, left, ValueLayout.JAVA_BYTE, 0, size);
            MemorySegment.copy(r, 0, right, ValueLayout.JAVA_BYTE, 0, size);
            host(function, step, left, right, wanted, count);
            long a = memory.address() + 256 + (long) random.nextInt(20) * type.size();
            long b = memory.address() + SMALL + (long) random.nextInt(20) * type.size();
            long c = memory.address() + 2 * SMALL + (long) random.nextInt(20) * type.size();
            bench.putGuarded(a, size, l);
            bench.putGuarded(b, size, r);
            bench.putGuarded(c, size, null);
            long to =
                switch (random.nextInt(4)) {
                  case 0 -> a;
                  case 1 -> b;
                  default -> c;
                };
            boolean unary = step == KernelStep.COPY || step == KernelStep.COPY_FINAL;
            device.kernels().apply(stream, reduction, step, unary ? 1 : a, b, to, count);
            CheckBench.finish(stream, "a kernel");
            bench.compareGuarded(
                step
                    + " "
                    + reduction
                    + ", count "
                    + count
                    + ", to "
                    + (to == a ? "left" : to == b ? "right" : "elsewhere"),
                to,
                wanted.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE),
                type.size());
          }
        }
      }
    }
  }

  private static void host(
      ReduceFunction function,
      KernelStep step,
      MemorySegment left,
      MemorySegment right,
      MemorySegment to,
      int count) {
    switch (step) {
      case COPY -> function.copy(right, 0, to, 0, count);
      case COPY_FINAL -> function.copyFinal(right, 0, to, 0, count);
      case REDUCE -> function.reduce(left, 0, right, 0, to, 0, count);
      case REDUCE_FINAL -> function.reduceFinal(left, 0, right, 0, to, 0, count);
      case COMBINE -> function.combine(left, 0, right, 0, to, 0, count);
      case COMBINE_FINAL -> function.combineFinal(left, 0, right, 0, to, 0, count);
    }
  }

  private static TeamSizes small() {
    return new TeamSizes(32 << 10, 256 << 10, 16 << 10, 16 << 10, 4096, 4096);
  }

  private static void team(
      CheckBench bench, List<CudaDevice> devices, int ranks, int cases, List<DataType> types)
      throws Exception {
    // Small sizes, so that everything is cut into pieces; and few blocks at times.
    try (TeamCheck check = new TeamCheck(bench, devices, ranks, small(), ranks == 2 ? 3 : 0)) {
      check.collectives(cases, types);
      check.transfers(ranks == 1 ? 3 : 12);
    }
  }

  private static void large(CheckBench bench, List<CudaDevice> devices) throws Exception {
    try (TeamCheck check = new TeamCheck(bench, devices, 3, TeamSizes.DEFAULT, 0)) {
      OUT.printf("  %d blocks%n", check.teams.getFirst().blocks());
      check.collectives(60, List.of(DataType.FLOAT32));
      check.transfers(6);
    }
  }

  private static void transfers(CheckBench bench, List<CudaDevice> devices) throws Exception {
    for (TeamSizes sizes : new TeamSizes[] {TeamSizes.DEFAULT, small()}) {
      // A single block has both directions, an odd number not the same share for each.
      for (int blocks : new int[] {0, 1, 7}) {
        try (TeamCheck check = new TeamCheck(bench, devices, 2, sizes, blocks)) {
          TransferCheck transfers = new TransferCheck(bench);
          transfers.cases(check, blocks == 0 ? Integer.MAX_VALUE : 2_000_000);
          if (blocks == 0 && sizes == TeamSizes.DEFAULT) {
            transfers.huge(check);
          }
        }
      }
    }
  }

  private static void transferSpeed(CheckBench bench, List<CudaDevice> devices) throws Exception {
    try (TeamCheck check = new TeamCheck(bench, devices, 2, TeamSizes.DEFAULT, 0)) {
      TransferCheck.speed(check);
    }
  }

  private static void teamGraphs(CheckBench bench, List<CudaDevice> devices) throws Exception {
    for (int ranks : new int[] {2, 4}) {
      try (TeamCheck check = new TeamCheck(bench, devices, ranks, TeamSizes.DEFAULT, 0)) {
        check.graphs();
      }
    }
  }

  private static void aborts(CheckBench bench, List<CudaDevice> devices) throws Exception {
    for (KernelFamily family :
        new KernelFamily[] {KernelFamily.LL, KernelFamily.DIRECT, KernelFamily.RING}) {
      try (TeamCheck check = new TeamCheck(bench, devices, 3, small(), 0)) {
        check.abort(family);
      }
    }
    for (boolean staged : new boolean[] {false, true}) {
      try (TeamCheck check = new TeamCheck(bench, devices, 2, small(), 0)) {
        TransferCheck.abort(check, staged);
      }
    }
  }

  private static void manyTeams(CheckBench bench, List<CudaDevice> devices) throws Exception {
    int threads = 0;
    for (int i = 0; i < 100; i++) {
      new TeamCheck(bench, devices, 2, small(), 0).close();
      if (i == 10) {
        threads = ManagementFactory.getThreadMXBean().getThreadCount();
      }
    }
    int now = ManagementFactory.getThreadMXBean().getThreadCount();
    // Those of the check's own teams end a little later than the teams.
    require(now <= threads + 8, "%d threads after 10 teams, %d after 100", threads, now);
  }

  /** Measures what a launch costs this thread, in time and in Java objects. */
  private static void launches(CheckBench bench, List<CudaDevice> devices) throws Exception {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    DeviceReduction sum = DeviceReduction.of(DataType.FLOAT32, ReductionOp.SUM, 2);
    try (TeamCheck check = new TeamCheck(bench, devices, 2, TeamSizes.DEFAULT, 0);
        DeviceMemory first = check.teams.get(0).device().allocate(32 << 20);
        DeviceMemory second = check.teams.get(1).device().allocate(32 << 20)) {
      long[] addresses = {first.address(), second.address()};
      for (long bytes : new long[] {8, 1024, 65_536, 1 << 20, 16 << 20}) {
        long allocated = 0;
        long nanos = 0;
        int rounds = 4000;
        int counted = 0;
        for (int i = 0; i < rounds; i++) {
          long before = threads.getCurrentThreadAllocatedBytes();
          long start = System.nanoTime();
          for (int r = 0; r < 2; r++) {
            check
                .teams
                .get(r)
                .allReduce(
                    check.streams.get(r), sum, addresses[r], addresses[r] + (16 << 20), bytes / 4);
          }
          long took = System.nanoTime() - start;
          if (i >= rounds / 2) {
            nanos += took;
            allocated += threads.getCurrentThreadAllocatedBytes() - before;
            counted += 2;
          }
          if (i % 100 == 99) {
            check.finishAll("launches");
          }
          if (bytes > 65_536 && i == 999) {
            break;
          }
        }
        if (counted > 0) {
          OUT.printf(
              "  all_reduce of %d bytes, 2 virtual ranks: %.2f us a launch, %.3f bytes of heap%n",
              bytes, nanos / 1e3 / counted, (double) allocated / counted);
          require(allocated < counted, "a launch allocates %d bytes", allocated / counted);
        }
        graphTime(check, sum, addresses, bytes);
      }
    }
  }

  private static void graphTime(
      TeamCheck check, DeviceReduction sum, long[] addresses, long bytes) {
    int times = 50;
    List<DeviceGraph> graphs = new ArrayList<>();
    for (int r = 0; r < 2; r++) {
      DeviceStream stream = check.streams.get(r);
      stream.beginCapture();
      for (int i = 0; i < times; i++) {
        check
            .teams
            .get(r)
            .allReduce(stream, sum, addresses[r], addresses[r] + (16 << 20), bytes / 4);
      }
      graphs.add(stream.endCapture());
    }
    double best = Double.MAX_VALUE;
    for (int round = 0; round < 4; round++) {
      try (DeviceEvent begin = check.teams.get(0).device().createEvent(true);
          DeviceEvent end = check.teams.get(0).device().createEvent(true)) {
        check.streams.get(0).record(begin);
        for (int r = 0; r < 2; r++) {
          check.streams.get(r).launch(graphs.get(r));
        }
        check.streams.get(0).record(end);
        check.finishAll("a timed graph");
        best = Math.min(best, end.elapsedNanos(begin) / 1e3 / times);
      }
    }
    OUT.printf("  all_reduce of %d bytes in a graph: %.2f us%n", bytes, best);
    graphs.forEach(DeviceGraph::close);
  }

  private static void speed(CheckBench bench) {
    CudaDevice device = bench.device();
    long size = 256L << 20;
    DeviceReduction sum = DeviceReduction.of(DataType.FLOAT32, ReductionOp.SUM, 2);
    try (DeviceMemory a = device.allocate(size);
        DeviceMemory b = device.allocate(size);
        DeviceMemory c = device.allocate(size);
        DeviceStream stream = device.createStream(false);
        DeviceEvent begin = device.createEvent(true);
        DeviceEvent end = device.createEvent(true)) {
      stream.fill(a.address(), (byte) 1, size);
      stream.fill(b.address(), (byte) 1, size);
      double[] best = new double[3];
      for (int round = 0; round < 5; round++) {
        for (int what = 0; what < 3; what++) {
          stream.record(begin);
          for (int i = 0; i < 4; i++) {
            switch (what) {
              case 0 -> stream.copy(c.address(), a.address(), size);
              case 1 -> device.kernels().copy(stream, c.address(), a.address(), size);
              default ->
                  device
                      .kernels()
                      .apply(
                          stream,
                          sum,
                          KernelStep.COMBINE,
                          a.address(),
                          b.address(),
                          c.address(),
                          size / 4);
            }
          }
          stream.record(end);
          CheckBench.finish(stream, "a timed kernel");
          double rate = (what == 2 ? 3.0 : 2.0) * 4 * size / end.elapsedNanos(begin);
          best[what] = Math.max(best[what], rate);
        }
      }
      OUT.printf(
          "  driver's copy %.0f GB/s, kernel's copy %.0f (%.2f), sum of floats %.0f (%.2f)%n",
          best[0], best[1], best[1] / best[0], best[2], best[2] / best[0]);
    }
  }
}
