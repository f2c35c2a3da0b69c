// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.BenchDirectory;
import io.nitinol.bench.BenchMachine;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Compares all-reduce between processes of this host with MPI's, both in one run and in turn:
 * float32 sum, out of place, each call waited for. A figure is the mean over the calls of a sample,
 * of the slowest rank; a ratio says which part of the peer's time ours is, so less is better.
 */
public final class AllReduceBench {
  private final AllReduceOptions options;
  private final BenchMachine machine;
  private final PrintStream out;
  private final List<AllReduceRow> rows = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  private AllReduceBench(AllReduceOptions options, BenchMachine machine, PrintStream out) {
    this.options = options;
    this.machine = machine;
    this.out = out;
  }

  /**
   * Runs the comparison; exit status 0 where all goals hold, 1 where one is missed or a side has
   * failed, 2 where the comparison cannot be made.
   *
   * @param arguments as in {@link AllReduceOptions#USAGE}
   */
  public static void main(String[] arguments) throws Exception {
    if (List.of(arguments).contains("--help")) {
      System.out.print(AllReduceOptions.USAGE);
      System.exit(0);
    }
    try {
      AllReduceOptions options = AllReduceOptions.parse(arguments);
      System.exit(new AllReduceBench(options, BenchMachine.read(), System.out).run());
    } catch (IllegalArgumentException e) {
      System.err.println("bench allreduce-vs-mpi: " + e.getMessage());
      System.err.print(AllReduceOptions.USAGE);
      System.exit(2);
    }
  }

  private int run() throws IOException, InterruptedException {
    List<Scenario> scenarios = new ArrayList<>();
    for (String name : options.cases) {
      scenarios.add(Scenario.parse(name, machine));
    }
    Path directory = BenchDirectory.make("allreduce-vs-mpi");
    Map<Mpi, Path> programs = programs(scenarios);
    if (programs.isEmpty() && !options.onlyOurs) {
      System.err.println(
          "bench allreduce-vs-mpi: nothing to compare with (--only-ours runs ours alone)");
      return 2;
    }
    out.printf(
        Locale.ROOT,
        "# float32 sum, out of place, processes of one host; microseconds: median (least) of up to"
            + " %d samples%n",
        options.rounds);
    out.printf("# %d processors, load %s at start%n", machine.cpus().size(), BenchMachine.load());
    for (Scenario scenario : scenarios) {
      Map<Mpi, Path> here = new EnumMap<>(Mpi.class);
      here.putAll(programs);
      here.keySet().retainAll(options.peers == null ? scenario.peers() : options.peers);
      measure(scenario, here, directory);
    }
    out.printf("# load %s at end%n", BenchMachine.load());
    Path json = options.json;
    if (json != null) {
      OutputFile.write(
          json,
          "{\"bench\": \"allreduce-vs-mpi\", \"rows\": [\n  %s\n]}\n"
              .formatted(String.join(",\n  ", rows.stream().map(AllReduceRow::json).toList())));
    }
    return conclude();
  }

  /** Builds the ranks of those MPIs that are wanted and installed. */
  private Map<Mpi, Path> programs(List<Scenario> scenarios) throws InterruptedException {
    List<Mpi> chosen = options.peers;
    return Mpi.programs(
        "allreduce-vs-mpi",
        mpi ->
            !options.onlyOurs
                && (chosen == null
                    ? scenarios.stream().anyMatch(each -> each.peers().contains(mpi))
                    : chosen.contains(mpi)));
  }

  private void measure(Scenario scenario, Map<Mpi, Path> programs, Path directory)
      throws IOException, InterruptedException {
    out.println(scenario.describe());
    BenchMachine.Usage before = BenchMachine.usage();
    BenchMachine.Usage after = before;
    List<Long> sizes = options.sizes == null ? scenario.sizes(options.quick) : options.sizes;
    List<Integer> cpus = scenario.places(options.cpus, machine);
    try (Sides sides =
        Sides.start(scenario, machine, programs, options.javaOptions, cpus, directory)) {
      if (!cpus.isEmpty()) {
        out.println("# ranks' calling threads on processors " + cpus);
      }
      out.printf("# ours: %s%n", sides.ours().description());
      if (options.onlyOurs) {
        out.printf("# process ids by rank: %s%n", sides.ours().pids());
      }
      head(scenario, sides);
      // The compilers of all JVMs share the processors with the ranks.
      long perProcessor = scenario.ranksPerProcessor(machine);
      long warmupNanos = options.quick || options.onlyOurs ? 80_000_000L : 200_000_000L;
      Sampler sampler =
          new Sampler(
              scenario,
              sides,
              options.rounds,
              options.sampleNanos,
              warmupNanos * perProcessor,
              options.quick ? 800_000_000L : 20_000_000_000L);
      sampler.warmUp(sizes);
      for (long bytes : sizes) {
        AllReduceRow row = sampler.measure(bytes);
        rows.add(row);
        out.println(row.text());
      }
      after = BenchMachine.usage();
    } catch (AllReduceJob.JobFailure e) {
      failures.add(scenario.name());
      out.println("FAILED " + e.getMessage());
    }
    if (!after.equals(before)) {
      out.println("# " + BenchMachine.note(after.othersSince(before)));
    }
  }

  private void head(Scenario scenario, Sides sides) {
    StringBuilder head =
        new StringBuilder(
            String.format(Locale.ROOT, "%10s %8s  %24s", "size", "calls", "Nitinol us (least)"));
    for (Mpi mpi : sides.theirs().keySet()) {
      head.append(
          String.format(
              Locale.ROOT,
              "  %24s %14s %7s",
              mpi.describe(scenario, machine),
              "ratio (least)",
              "goal"));
    }
    out.println(head);
  }

  private int conclude() {
    if (!failures.isEmpty()) {
      out.println("bench allreduce-vs-mpi: failed in " + String.join(", ", failures));
      return 1;
    }
    double worst = 0;
    String line = "no ratio, ours alone";
    List<AllReduceRow> steady = rows.stream().filter(AllReduceRow::isSteady).toList();
    if (steady.size() < rows.size()) {
      out.printf(
          Locale.ROOT,
          "# %d of %d rows were not steady and do not count: a JVM was compiling, or the machine"
              + " busy%n",
          rows.size() - steady.size(),
          rows.size());
    }
    if (steady.isEmpty() && !rows.isEmpty()) {
      out.println("bench allreduce-vs-mpi: no row was steady, so nothing is to be believed");
      return 2;
    }
    for (AllReduceRow row : steady) {
      for (Mpi mpi : row.theirs().keySet()) {
        double part = row.ratio(mpi) / row.goal(mpi);
        if (part > worst) {
          worst = part;
          line =
              String.format(
                  Locale.ROOT,
                  "worst ratio %.2f at %s %s against %s, goal %.2f",
                  row.ratio(mpi),
                  row.scenario().name(),
                  row.size(),
                  mpi.label(),
                  row.goal(mpi));
        }
      }
    }
    out.println("bench allreduce-vs-mpi: " + line);
    return worst <= 1 ? 0 : 1;
  }
}
