// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.BenchDirectory;
import io.nitinol.bench.BenchMachine;
import io.nitinol.bench.BenchOptions;
import io.nitinol.bench.Median;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures what a short job pays: the time from the start of its processes to the first result, and
 * to the moment from which on an all-reduce of 8 bytes is as fast as it stays. A JVM compiles in
 * between. The clock is that of this process, and begins before it starts the first rank.
 */
public final class ColdStartBench {
  private static final String NAME = "cold-start";
  private static final List<String> CASES = List.of("shm2", "shm4", "tcp4");
  private static final int BYTES = 8;

  /** All-reduces of one look, which takes a millisecond or less where ranks are warm. */
  private static final int BATCH = 100;

  /** How long it looks after the first result. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Of how many looks the median counts: one disturbed one is not a slow job. */
  private static final int WINDOW = 5;

  /** Times the last latency, up to which a latency is as good. */
  private static final double AS_GOOD = 1.5;

  /**
   * What one start gave.
   *
   * @param ready seconds until all ranks have a communicator
   * @param first seconds until all have a result and have looked at it
   * @param steady seconds until latencies stay as they are
   * @param early microseconds of an all-reduce in the first batch
   * @param last microseconds of one at the end
   */
  private record Start(
      String scenario,
      String side,
      double ready,
      double first,
      double steady,
      double early,
      double last) {
    String text() {
      return String.format(
          Locale.ROOT,
          "%-6s %-9s %9.3f %9.3f %9.3f %12.1f %12.1f",
          scenario,
          side,
          ready,
          first,
          steady,
          early,
          last);
    }

    String json() {
      return String.format(
          Locale.ROOT,
          "{\"case\": \"%s\", \"side\": \"%s\", \"readySeconds\": %.4f, \"firstSeconds\": %.4f,"
              + " \"steadySeconds\": %.4f, \"earlyMicros\": %.2f, \"lastMicros\": %.2f}",
          scenario,
          side,
          ready,
          first,
          steady,
          early,
          last);
    }
  }

  /** One look: when it ended, and what an all-reduce took. */
  private record Look(double seconds, double micros) {}

  private final BenchMachine machine;
  private final Map<Mpi, Path> programs;
  private final Path directory;
  private final List<Start> starts = new ArrayList<>();
  private int count;

  private ColdStartBench(BenchMachine machine, Map<Mpi, Path> programs, Path directory) {
    this.machine = machine;
    this.programs = programs;
    this.directory = directory;
  }

  /**
   * Starts each case some times, ours and the peers in turns; exit status 0, or 1 where a side
   * fails, or 2 for a mistake in the arguments.
   *
   * @param arguments {@code --quick}: once instead of five times; {@code --json FILE}; {@code
   *     --only CASE,...}
   */
  public static void main(String[] arguments) throws Exception {
    BenchOptions options = BenchOptions.parse(NAME, arguments, CASES);
    BenchMachine machine = BenchMachine.read();
    ColdStartBench bench =
        new ColdStartBench(machine, Mpi.programs(NAME, mpi -> true), BenchDirectory.make(NAME));
    System.out.printf(
        "# %d processors, load %s; all-reduce of %d bytes%n",
        machine.cpus().size(), BenchMachine.load(), BYTES);
    System.out.println(
        "# seconds from the start of the processes; steady: from then on within "
            + AS_GOOD
            + " times the last latency");
    System.out.printf(
        "%-6s %-9s %9s %9s %9s %12s %12s%n",
        "case", "side", "ready s", "first s", "steady s", "early us", "last us");
    List<String> cases = options.only().isEmpty() ? CASES : options.only();
    try {
      for (String name : cases) {
        Scenario scenario = Scenario.parse(name, machine);
        for (int round = 0; round < (options.quick() ? 1 : 5); round++) {
          bench.start(scenario);
        }
      }
    } catch (AllReduceJob.JobFailure e) {
      System.out.println("bench cold-start: FAILED " + e.getMessage());
      System.exit(1);
    }
    System.out.println("# load " + BenchMachine.load() + " at end");
    Path json = options.json();
    if (json != null) {
      OutputFile.write(
          json,
          "{\"bench\": \"cold-start\", \"rows\": [\n  %s\n]}\n"
              .formatted(String.join(",\n  ", bench.starts.stream().map(Start::json).toList())));
    }
    System.out.println("bench cold-start: " + bench.conclusion(cases) + ", no goal");
    System.exit(0);
  }

  private void start(Scenario scenario)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    long begin = System.nanoTime();
    Path socket = directory.resolve("ours-" + count++);
    try (AllReduceJob job = Sides.startOurs(scenario, List.of(), Map.of(), false, socket)) {
      add(follow(scenario, "ours", begin, job));
    }
    for (Map.Entry<Mpi, Path> each : programs.entrySet()) {
      Mpi mpi = each.getKey();
      if (!scenario.peers().contains(mpi)) {
        continue;
      }
      Path their = directory.resolve(mpi.key() + "-" + count++);
      long start = System.nanoTime();
      List<String> command = mpi.command(scenario, machine, each.getValue(), their);
      try (AllReduceJob job =
          AllReduceJob.start(mpi.label(), scenario.ranks(), List.of(command), Map.of(), their)) {
        add(follow(scenario, mpi.key(), start, job));
      }
    }
  }

  private void add(Start start) {
    starts.add(start);
    System.out.println(start.text());
  }

  private static Start follow(Scenario scenario, String side, long begin, AllReduceJob job)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    double ready = seconds(begin);
    job.run(BYTES, 0, 1, true);
    double first = seconds(begin);
    List<Look> looks = new ArrayList<>();
    long end = System.nanoTime() + LOOK_NANOS;
    do {
      double nanos = job.run(BYTES, 0, BATCH, false);
      looks.add(new Look(seconds(begin), nanos / 1e3));
    } while (System.nanoTime() - end < 0);
    double last = median(looks.subList(looks.size() - Math.ceilDiv(looks.size(), 4), looks.size()));
    return new Start(
        scenario.name(),
        side,
        ready,
        first,
        Math.max(first, steadyFrom(looks, last)),
        looks.getFirst().micros(),
        last);
  }

  /** Returns the end of the last window that is slower than the end of the run; 0 for none. */
  private static double steadyFrom(List<Look> looks, double last) {
    for (int to = looks.size(); to >= WINDOW; to--) {
      if (median(looks.subList(to - WINDOW, to)) > AS_GOOD * last) {
        return looks.get(to - 1).seconds();
      }
    }
    return 0;
  }

  private static double median(List<Look> looks) {
    return Median.of(looks.stream().mapToDouble(Look::micros).toArray());
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }

  private String conclusion(List<String> cases) {
    double worst = 0;
    String at = "no ratio, ours alone";
    for (String name : cases) {
      for (Mpi mpi : programs.keySet()) {
        Double theirs = first(name, mpi.key());
        Double ours = first(name, "ours");
        if (theirs != null && ours != null && ours / theirs > worst) {
          worst = ours / theirs;
          at =
              String.format(
                  Locale.ROOT,
                  "worst ratio %.2f at %s (first result after %.3f s, %s %.3f s)",
                  worst,
                  name,
                  ours,
                  mpi.label(),
                  theirs);
        }
      }
    }
    return at;
  }

  /** Returns the median time to the first result; null where it was not measured. */
  private @Nullable Double first(String scenario, String side) {
    double[] all =
        starts.stream()
            .filter(each -> each.scenario().equals(scenario) && each.side().equals(side))
            .mapToDouble(Start::first)
            .toArray();
    return all.length == 0 ? null : Median.of(all);
  }
}
