// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.BenchDirectory;
import io.nitinol.bench.BenchMachine;
import io.nitinol.bench.ByteSizes;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All-reduce between the processes of one host of many cores, in turns and in one run: ours with
 * its defaults, ours with other settings, MPI, Gloo, and a program that needs one pass over memory.
 * The scheduler places all alike.
 */
public final class ManyCoresBench {
  private static final String NAME = "bench many-cores";
  private static final int ROUNDS = 5;
  private static final int FEWEST = 3;
  private static final double SAMPLE_NANOS = 20e6;

  private static final double LEAST_WARMUP = 4e6;
  private static final double MOST_WARMUP = 150e6;

  /** Results that are larger are checked in the first round only. */
  private static final long CHECK_ALWAYS = 1 << 20;

  private final ManyCoresOptions options;
  private final BenchMachine machine;
  private final PrintStream out;
  private final long deadline;
  private final List<ManyCoresRow> rows = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  private ManyCoresBench(ManyCoresOptions options, BenchMachine machine, PrintStream out) {
    this.options = options;
    this.machine = machine;
    this.out = out;
    this.deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.seconds);
  }

  /**
   * Runs the comparison; exit status 0 where all goals hold, 1 where one is missed or a side has
   * failed, 2 where the comparison cannot be made.
   *
   * @param arguments as in {@link ManyCoresOptions#USAGE}
   */
  public static void main(String[] arguments) throws Exception {
    if (List.of(arguments).contains("--help")) {
      System.out.print(ManyCoresOptions.USAGE);
      System.exit(0);
    }
    try {
      ManyCoresOptions options = ManyCoresOptions.parse(arguments);
      System.exit(new ManyCoresBench(options, BenchMachine.read(), System.out).run());
    } catch (IllegalArgumentException e) {
      System.err.println(NAME + ": " + e.getMessage());
      System.err.print(ManyCoresOptions.USAGE);
      System.exit(2);
    }
  }

  private int run() throws IOException, InterruptedException {
    List<Scenario> scenarios = options.scenarios(machine);
    Path directory = BenchDirectory.make("many-cores");
    Path root = Path.of(System.getProperty("nitinol.root", "."));
    Map<Mpi, Path> programs = Mpi.programs("many-cores", mpi -> options.peers.contains(mpi.key()));
    Path limit = options.peers.contains("limit") ? NativePrograms.limit(root) : null;
    out.printf(
        Locale.ROOT,
        "# float32 sum, out of place, processes of one host; median of up to %d samples; a ratio is"
            + " our time divided by theirs%n",
        ROUNDS);
    out.printf("# %d processors, load %s at start%n", machine.cpus().size(), BenchMachine.load());
    for (int i = 0; i < scenarios.size(); i++) {
      long left = deadline - System.nanoTime();
      measure(scenarios.get(i), programs, limit, directory, left / (scenarios.size() - i));
    }
    out.printf("# load %s at end%n", BenchMachine.load());
    Path json = options.json;
    if (json != null) {
      OutputFile.write(
          json,
          "{\"bench\": \"many-cores\", \"rows\": [\n  %s\n]}\n"
              .formatted(String.join(",\n  ", rows.stream().map(ManyCoresRow::json).toList())));
    }
    return conclude();
  }

  private void measure(
      Scenario scenario, Map<Mpi, Path> programs, @Nullable Path limit, Path directory, long nanos)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + nanos;
    out.println();
    out.println(scenario.describe());
    BenchMachine.Usage before = BenchMachine.usage();
    BenchMachine.Usage after = before;
    try (ManyCoresSides sides =
        ManyCoresSides.start(scenario, machine, options, programs, limit, directory)) {
      sides.absent().forEach(each -> out.println("# left out: " + each));
      out.printf("# ours: %s%n", sides.all().getFirst().job().description());
      warmUp(sides.all(), end);
      boolean headed = false;
      List<Long> sizes = new ArrayList<>(new TreeSet<>(options.sizes));
      for (int i = 0; i < sizes.size(); i++) {
        long left = end - System.nanoTime();
        ManyCoresRow row =
            left <= 0 ? null : row(sides, scenario, sizes.get(i), left / (sizes.size() - i));
        if (row == null) {
          out.println(
              "# left out, since there is not the time or memory: "
                  + String.join(
                      ", ", sizes.subList(i, sizes.size()).stream().map(ByteSizes::text).toList()));
          break;
        }
        if (!headed) {
          out.println(row.head());
          headed = true;
        }
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

  /** Lets the JVMs compile what small and large operations need, before any is timed. */
  private void warmUp(List<ManyCoresSides.Side> sides, long end)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    List<Long> small = options.sizes.stream().filter(each -> each <= 4L << 20).toList();
    long start = System.nanoTime();
    double each = 0.2 * (end - start) / sides.size() / Math.max(1, small.size());
    for (long bytes : small) {
      for (ManyCoresSides.Side side : sides) {
        if (System.nanoTime() - start > 0.4 * (end - start)) {
          out.println("# the warm-up was cut short: ours may still have been compiling");
          return;
        }
        Sampler.warmUp(side.job(), bytes, (long) Math.clamp(each, LEAST_WARMUP, MOST_WARMUP));
      }
    }
  }

  /** Measures one size; returns null where memory does not suffice. */
  private @Nullable ManyCoresRow row(
      ManyCoresSides sides, Scenario scenario, long bytes, long nanos)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    double job = 2.0 * bytes * scenario.ranks();
    double available = available();
    if (job > available / 2) {
      return null;
    }
    // Where not all have room at once, each gives its buffers back after its turn.
    boolean frugal = job * sides.all().size() > available / 2;
    long start = System.nanoTime();
    List<Long> iterations = new ArrayList<>();
    boolean settled = true;
    double warmup = Math.clamp(0.2 * nanos / sides.all().size(), LEAST_WARMUP, MOST_WARMUP);
    for (ManyCoresSides.Side side : sides.all()) {
      Sampler.Warmth found = Sampler.warmUp(side.job(), bytes, (long) warmup);
      // As long a sample for each: where few calls are timed, what counts is how ranks start.
      iterations.add(Math.max(FEWEST, (long) (SAMPLE_NANOS / found.least())));
      settled &= found.steady();
      release(side, frugal);
    }
    List<List<Double>> samples = new ArrayList<>();
    sides.all().forEach(each -> samples.add(new ArrayList<>()));
    int count = samples.size();
    for (int round = 0;
        round < ROUNDS && (round == 0 || System.nanoTime() - start < nanos);
        round++) {
      boolean check = bytes <= CHECK_ALWAYS || round == 0;
      for (int i = 0; i < count; i++) {
        int at = round % 2 == 0 ? i : count - 1 - i;
        ManyCoresSides.Side side = sides.all().get(at);
        samples.get(at).add(run(side, bytes, iterations.get(at), check));
        release(side, frugal);
      }
    }
    List<ManyCoresRow.Time> times = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      times.add(new ManyCoresRow.Time(sides.all().get(i), new Samples(samples.get(i))));
    }
    return new ManyCoresRow(
        scenario, machine.cpus().size(), bytes, iterations.getFirst(), times, settled);
  }

  private static double run(ManyCoresSides.Side side, long bytes, long iterations, boolean check)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    return side.job().run(bytes, 1 + iterations / 10, iterations, check);
  }

  private static void release(ManyCoresSides.Side side, boolean frugal)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    if (frugal) {
      side.job().run(8, 0, 1, false); // with other buffers, so those are given back
    }
  }

  /** Returns how many bytes of memory can be had. */
  private static double available() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
      if (line.startsWith("MemAvailable:")) {
        return Double.parseDouble(line.replaceAll("[^0-9]", "")) * 1024;
      }
    }
    throw new IOException("/proc/meminfo has no MemAvailable");
  }

  private int conclude() {
    if (!failures.isEmpty()) {
      out.println(NAME + ": failed in " + String.join(", ", failures));
      return 1;
    }
    double worst = 0;
    String line = "no ratio, ours alone";
    int missed = 0;
    int all = 0;
    List<ManyCoresRow> steady = rows.stream().filter(ManyCoresRow::isSteady).toList();
    if (steady.size() < rows.size()) {
      out.printf(
          Locale.ROOT,
          "# %d of %d rows were not steady and do not count: a JVM was compiling, or the machine"
              + " busy%n",
          rows.size() - steady.size(),
          rows.size());
    }
    if (steady.isEmpty() && !rows.isEmpty()) {
      out.println(NAME + ": no row was steady, so nothing is to be believed");
      return 2;
    }
    for (ManyCoresRow row : steady) {
      for (ManyCoresRow.Ratio each : row.ratios()) {
        all++;
        missed += each.part() > 1 ? 1 : 0;
        if (each.part() > worst) {
          worst = each.part();
          line =
              String.format(
                  Locale.ROOT,
                  "worst ratio %.2f at %s %s against %s, goal %.2f",
                  each.ratio(),
                  row.scenario().name(),
                  row.size(),
                  each.what(),
                  each.goal());
        }
      }
    }
    out.printf("# %d of %d ratios miss their goal (!)%n", missed, all);
    out.println(NAME + ": " + line);
    return worst <= 1 ? 0 : 1;
  }
}
