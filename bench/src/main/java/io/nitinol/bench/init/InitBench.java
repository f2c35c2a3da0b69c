// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.init;

import io.nitinol.bench.BenchOptions;
import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.launch.JvmCommand;
import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.file.OutputFile;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long the making of a communicator takes the slowest rank: 64 threads of one process,
 * and 32 processes that all run before any begins; other numbers of them with {@code --only}. The
 * first all-reduce, which connects, is measured beside, and the processor time of the making, which
 * a busy machine changes less. After that all-reduce each process says what it holds; the table has
 * the most that a process holds, and the memory of a rank.
 */
public final class InitBench {
  private static final double GOAL_SECONDS = 3;

  /** Of a job, and more for each rank. */
  private static final int SECONDS = 60;

  private static final int RANK_SECONDS = 2;

  private static final List<String> CASES =
      List.of("64-threads", "128-threads", "32-processes", "64-processes", "128-processes");
  private static final List<String> STANDARD = List.of("64-threads", "32-processes");

  private record Measured(
      String name, double init, double first, double used, int ranks, List<Holding> held) {
    /** Returns MiB of a rank: of all processes together, shared pages counted once. */
    double memory() {
      return held.stream().mapToLong(Holding::kibibytes).sum() / 1024.0 / ranks;
    }

    int threads() {
      return held.stream().mapToInt(Holding::threads).max().orElseThrow();
    }

    int descriptors() {
      return held.stream().mapToInt(Holding::descriptors).max().orElseThrow();
    }

    String text() {
      return String.format(
          Locale.ROOT,
          "%-14s %8.3f %15.3f %12.3f %11.1f %10d %12d",
          name,
          init,
          first,
          used,
          memory(),
          threads(),
          descriptors());
    }

    String json() {
      return String.format(
          Locale.ROOT,
          "{\"case\": \"%s\", \"initSeconds\": %.4f, \"firstSeconds\": %.4f, \"cpuSeconds\": %.4f,"
              + " \"rankMebibytes\": %.2f, \"processThreads\": %d, \"processDescriptors\": %d}",
          name,
          init,
          first,
          used,
          memory(),
          threads(),
          descriptors());
    }
  }

  private InitBench() {}

  /**
   * Runs all cases; exit status 0 where the goal holds, 1 where not, 2 for a mistake in the
   * arguments.
   *
   * @param arguments {@code --quick}: one round instead of three; {@code --json FILE}; {@code
   *     --only CASE,...}
   */
  public static void main(String[] arguments) throws Exception {
    BenchOptions options = BenchOptions.parse("init", arguments, CASES);
    int rounds = options.quick() ? 1 : 3;
    Path json = options.json();
    List<Measured> all = new ArrayList<>();
    System.out.printf(
        "# %d processors, load %s%n",
        Runtime.getRuntime().availableProcessors(),
        Files.readString(Path.of("/proc/loadavg")).strip());
    System.out.println("# threads and descriptors: the most that one process has");
    System.out.printf(
        "%-14s %8s %15s %12s %11s %10s %12s%n",
        "case", "init s", "first reduce s", "processor s", "MiB a rank", "threads", "descriptors");
    for (int round = 0; round < rounds; round++) {
      for (String name : options.only().isEmpty() ? STANDARD : options.only()) {
        int ranks = Integer.parseInt(name.substring(0, name.indexOf('-')));
        Measured each = name.endsWith("threads") ? threads(name, ranks) : processes(name, ranks);
        all.add(each);
        System.out.println(each.text());
      }
    }
    if (json != null) {
      OutputFile.write(
          json,
          "{\"bench\": \"init\", \"rows\": [\n  %s\n]}\n"
              .formatted(String.join(",\n  ", all.stream().map(Measured::json).toList())));
    }
    Measured worst = all.stream().max((a, b) -> Double.compare(a.init(), b.init())).orElseThrow();
    System.out.printf(
        Locale.ROOT,
        "bench init: worst ratio %.2f at %s (%.2f s of %.0f s), goal 1.00%n",
        worst.init() / GOAL_SECONDS,
        worst.name(),
        worst.init(),
        GOAL_SECONDS);
    System.exit(worst.init() <= GOAL_SECONDS ? 0 : 1);
  }

  /**
   * All ranks together: a rank that is there waits for the others, so the slowest takes as long.
   */
  private static Measured threads(String name, int ranks) throws Exception {
    long used = InitRank.cpuNanos();
    long start = System.nanoTime();
    List<Communicator> group = Communicator.initAll(ranks);
    long there = System.nanoTime();
    double cpu = (InitRank.cpuNanos() - used) / 1e9;
    try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
      List<Callable<Void>> calls = new ArrayList<>();
      for (Communicator communicator : group) {
        calls.add(() -> {
          InitRank.reduce(communicator);
          return null;
        });
      }
      for (Future<Void> each : threads.invokeAll(calls)) {
        each.get();
      }
    }
    long done = System.nanoTime();
    Holding held = Holding.ofThisProcess();
    group.forEach(Communicator::close);
    return new Measured(
        name, (there - start) / 1e9, (done - there) / 1e9, cpu, ranks, List.of(held));
  }

  private static Measured processes(String name, int ranks) throws Exception {
    List<Process> processes = new ArrayList<>();
    try (UniqueId id = UniqueId.create(Settings.process(), Log.process())) {
      for (int rank = 0; rank < ranks; rank++) {
        List<String> rest = List.of(id.toString(), Integer.toString(rank), Integer.toString(ranks));
        processes.add(
            new ProcessBuilder(JvmCommand.ofThisProcess().run(InitRank.class, rest))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
      }
      // A process that is stuck is ended, so that reading from it ends too.
      Thread.ofPlatform().daemon().name("init-limit").start(() -> limit(processes));
      List<BufferedReader> lines = new ArrayList<>();
      for (Process process : processes) {
        BufferedReader said = process.inputReader();
        lines.add(said);
        expect(said, "ready");
      }
      for (Process process : processes) {
        BufferedWriter go = process.outputWriter();
        go.write("go\n");
        go.flush();
      }
      double init = 0;
      double first = 0;
      double used = 0;
      for (BufferedReader said : lines) {
        String[] words = expect(said, "init").split(" ", -1);
        init = Math.max(init, Long.parseLong(words[1]) / 1e9);
        first = Math.max(first, Long.parseLong(words[2]) / 1e9);
        used += Long.parseLong(words[3]) / 1e9;
      }
      List<Holding> held = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) { // all are there, and none has closed
        BufferedWriter look = processes.get(rank).outputWriter();
        look.write("look\n");
        look.flush();
        held.add(Holding.parse(expect(lines.get(rank), "holds")));
      }
      for (Process process : processes) {
        process.outputWriter().close();
      }
      for (Process process : processes) {
        process.waitFor();
      }
      return new Measured(name, init, first, used, ranks, held);
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  private static String expect(BufferedReader said, String start) throws IOException {
    String line = said.readLine();
    if (line == null) {
      throw new IOException("a rank has ended, or was ended for want of time, before " + start);
    }
    if (!line.startsWith(start)) {
      throw new IOException("a rank says " + line + ", expected " + start);
    }
    return line;
  }

  private static void limit(List<Process> processes) {
    long deadline =
        System.nanoTime()
            + TimeUnit.SECONDS.toNanos(SECONDS + (long) RANK_SECONDS * processes.size());
    for (Process process : processes) {
      try {
        if (!process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
