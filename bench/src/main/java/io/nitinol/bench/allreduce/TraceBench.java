// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.BenchDirectory;
import io.nitinol.bench.BenchMachine;
import io.nitinol.bench.BenchOptions;
import io.nitinol.bench.Median;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;

/**
 * Compares an all-reduce of 1 MiB that is traced with the same one that is not. All sides run by
 * turns, and a ratio is that of two samples of one round, so that a slow minute of the machine is
 * on both. All ranks are started several times, since equal JVMs differ by more than rounds do: by
 * what they compile and where their memory lies. A figure is the median of the medians of the
 * starts; 1 costs nothing, and more is slower.
 *
 * <p>What equal JVMs differ by is more than events cost. So there are cases whose ranks switch the
 * events of a profiler on and off, {@link #EACH} operations with them and as many without, and a
 * ratio is that of such a pair.
 */
public final class TraceBench {
  private static final String NAME = "bench trace-overhead";

  /** The end of the names of cases in which ranks switch events on and off. */
  private static final String EVENTS = "-events";

  private static final List<String> CASES =
      List.of("shm2", "tcp2", "shm2" + EVENTS, "tcp2" + EVENTS);
  private static final long BYTES = 1 << 20;

  /** With as many, the interval of a median leaves out the two most extreme on either side. */
  private static final int STARTS = 12;

  private static final int ROUNDS = 21;
  private static final int QUICK_ROUNDS = 11;
  private static final long WARMUP_NANOS = 500_000_000L;

  /** How many operations have events before as many have none. */
  private static final int EACH = 20;

  private static final int PAIRS = 500;
  private static final int QUICK_PAIRS = 100;

  /** Flight recorders look for their trigger twice a second. */
  private static final int TRIGGER_MILLIS = 2000;

  /** Where equal ranks may differ by so much, a goal of three per cent cannot be judged. */
  private static final double QUIET = 1.02;

  /** One line of the table. */
  private record Row(
      String name,
      TraceSide side,
      double nanos,
      double ratio,
      Median.Interval interval,
      double goal) {
    boolean isMissed() {
      return ratio > goal;
    }

    String text() {
      return String.format(
          Locale.ROOT,
          "%-11s %-20s %10.1f %8.3f   %.3f to %.3f %8s%s",
          name,
          side.label(),
          nanos / 1000,
          ratio,
          interval.low(),
          interval.high(),
          Double.isInfinite(goal) ? "-" : String.format(Locale.ROOT, "%.3f", goal),
          isMissed() ? " !" : "");
    }

    String json() {
      return String.format(
          Locale.ROOT,
          "{\"case\": \"%s\", \"side\": \"%s\", \"us\": %.3f, \"ratio\": %.4f, \"low\": %.4f,"
              + " \"high\": %.4f}",
          name,
          side.label(),
          nanos / 1000,
          ratio,
          interval.low(),
          interval.high());
    }
  }

  /** What was found of one scenario. */
  private static final class Found {
    final Map<TraceSide, List<Double>> times = new EnumMap<>(TraceSide.class);

    /** Those of all rounds if there is one start, else a median for each start. */
    final Map<TraceSide, List<Double>> ratios = new EnumMap<>(TraceSide.class);

    boolean settled = true;

    /** The largest part of the machine that other programs have used during a start. */
    double others;

    Found() {
      for (TraceSide side : TraceSide.values()) {
        times.put(side, new ArrayList<>());
        ratios.put(side, new ArrayList<>());
      }
    }
  }

  private final BenchOptions options;
  private final BenchMachine machine;
  private final PrintStream out;
  private final List<Row> rows = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final List<String> noisy = new ArrayList<>();

  private TraceBench(BenchOptions options, BenchMachine machine, PrintStream out) {
    this.options = options;
    this.machine = machine;
    this.out = out;
  }

  /**
   * Runs the comparison; exit status 0 where all goals hold, 1 where one is missed or a side has
   * failed, 2 where nothing was steady.
   *
   * @param arguments as {@link BenchOptions} knows them
   */
  public static void main(String[] arguments) throws Exception {
    BenchOptions options = BenchOptions.parse("trace-overhead", arguments, CASES);
    System.exit(new TraceBench(options, BenchMachine.read(), System.out).run());
  }

  private int run() throws IOException, InterruptedException {
    Path directory = BenchDirectory.make("trace-overhead");
    int starts = options.quick() ? 1 : STARTS;
    out.printf(
        """
        # float32 sum of 1 MiB, out of place; time in microseconds and the ratio to ranks that trace
        # nothing: medians of %d start(s) of %d rounds, with the interval that has the true median in
        # 95 of 100 runs; *%s: the same ranks with events and without, %d pairs of %d operations
        # in each of %d round(s)
        """,
        starts, options.quick() ? QUICK_ROUNDS : ROUNDS, EVENTS, pairs(), EACH, switchedRounds());
    out.printf("# %d processors, load %s at start%n", machine.cpus().size(), BenchMachine.load());
    out.printf(
        "%-11s %-20s %10s %8s   %14s %8s%n", "case", "traces", "us", "ratio", "95 %", "goal");
    for (String name : options.only().isEmpty() ? CASES : options.only()) {
      Path files = Files.createDirectory(directory.resolve(name));
      boolean isSwitched = name.endsWith(EVENTS);
      String ranks = isSwitched ? name.substring(0, name.length() - EVENTS.length()) : name;
      measure(
          name,
          Scenario.parse(ranks, machine),
          isSwitched ? TraceSide.SWITCHED : TraceSide.PLAIN,
          files,
          starts);
    }
    out.printf("# load %s at end%n", BenchMachine.load());
    Path json = options.json();
    if (json != null) {
      OutputFile.write(
          json,
          "{\"bench\": \"trace-overhead\", \"rows\": [\n  %s\n]}\n"
              .formatted(String.join(",\n  ", rows.stream().map(Row::json).toList())));
    }
    return conclude();
  }

  private void measure(
      String name, Scenario scenario, List<TraceSide> sides, Path directory, int starts)
      throws IOException, InterruptedException {
    Found found = new Found();
    try {
      for (int i = 0; i < starts; i++) {
        Path files = Files.createDirectory(directory.resolve(Integer.toString(i)));
        start(scenario, sides, files, found);
        checkTraces(name, scenario.ranks(), sides, files);
      }
      if (!found.settled) {
        out.println("# " + name + ": some ranks still got faster after their warm-up");
      }
      judge(name, sides, found);
      out.println("# " + BenchMachine.note(found.others));
    } catch (AllReduceJob.JobFailure e) {
      failures.add(name);
      out.println("FAILED " + e.getMessage());
    }
  }

  /** Starts the ranks of all sides, and takes the samples of these. */
  private void start(Scenario scenario, List<TraceSide> sides, Path directory, Found found)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    Map<TraceSide, AllReduceJob> jobs = new EnumMap<>(TraceSide.class);
    BenchMachine.Usage before = BenchMachine.usage();
    try {
      for (TraceSide side : sides) {
        jobs.put(
            side,
            Sides.startOurs(
                scenario,
                side.javaOptions(directory),
                side.environment(directory),
                false,
                directory.resolve(side.name())));
      }
      List<Integer> cpus = scenario.places(null, machine);
      for (AllReduceJob job : jobs.values()) {
        if (!cpus.isEmpty()) {
          job.pin(cpus);
        }
      }
      if (sides.equals(TraceSide.SWITCHED)) {
        switchEvents(jobs, found);
      } else {
        sample(jobs, found);
      }
      // While the ranks live: what they have used is theirs only as long as they can be asked.
      found.others = Math.max(found.others, BenchMachine.usage().othersSince(before));
      Files.createFile(TraceSide.trigger(directory));
      Thread.sleep(TRIGGER_MILLIS);
    } finally {
      for (AllReduceJob job : jobs.values()) {
        job.close();
      }
    }
  }

  private void sample(Map<TraceSide, AllReduceJob> jobs, Found found)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    double least = Double.MAX_VALUE;
    for (AllReduceJob job : jobs.values()) {
      Sampler.Warmth warmth = Sampler.warmUp(job, BYTES, WARMUP_NANOS);
      found.settled &= warmth.steady();
      least = Math.min(least, warmth.least());
    }
    long iterations = Math.max(20, (long) (30_000_000 / least));
    int rounds = options.quick() ? QUICK_ROUNDS : ROUNDS;
    List<TraceSide> sides = TraceSide.PLAIN;
    Map<TraceSide, List<Double>> samples = new EnumMap<>(TraceSide.class);
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < sides.size(); i++) {
        // Forwards and backwards, from another one each time: no side follows the same one always.
        int turn = round % 2 == 0 ? i : sides.size() - 1 - i;
        TraceSide side = sides.get((turn + round) % sides.size());
        boolean check = round == 0 || round == rounds - 1;
        double nanos = job(jobs, side).run(BYTES, 1 + iterations / 10, iterations, check);
        times(samples, side).add(nanos);
      }
    }
    for (TraceSide side : sides) {
      List<Double> ratios = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        ratios.add(times(samples, side).get(round) / times(samples, TraceSide.NOTHING).get(round));
      }
      times(found.times, side).addAll(times(samples, side));
      times(found.ratios, side).addAll(options.quick() ? ratios : List.of(Median.of(ratios)));
    }
  }

  private int pairs() {
    return options.quick() ? QUICK_PAIRS : PAIRS;
  }

  /** Returns in how many rounds ranks switch events; those of a quick run make an interval. */
  private int switchedRounds() {
    return options.quick() ? Median.FEWEST : 1;
  }

  /** Has the ranks of each side switch events on and off. */
  private void switchEvents(Map<TraceSide, AllReduceJob> jobs, Found found)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    String command = "pairs %d %d %d".formatted(BYTES, pairs(), EACH);
    for (TraceSide side : TraceSide.SWITCHED) {
      AllReduceJob job = job(jobs, side);
      found.settled &= Sampler.warmUp(job, BYTES, WARMUP_NANOS).steady();
      switched(job, side, command); // what has events is compiled in this time
    }
    for (int round = 0; round < switchedRounds(); round++) {
      for (TraceSide side : TraceSide.SWITCHED) {
        double[] means = switched(job(jobs, side), side, command);
        times(found.times, side).add(means[0]);
        times(found.ratios, side).add(means[1]);
      }
    }
  }

  /** Returns the time with events and the ratio to that without, means of the ranks. */
  private double[] switched(AllReduceJob job, TraceSide side, String command)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    String events =
        side == TraceSide.SWITCHED_NOTHING ? "0" : Integer.toString(pairs() * (EACH + 1));
    double[] means = new double[2];
    List<String> answers = job.ask(command);
    for (String answer : answers) {
      String[] words = answer.split(" ", -1);
      if (words.length != 6
          || !words[0].equals("ok")
          || !words[4].equals(events)
          || !words[5].equals("0")) {
        throw job.failure(
            command
                + ": a rank answers: "
                + answer
                + "; expected ok, two times, their ratio, "
                + events
                + " operations with events and 0 that had them when switched off");
      }
      means[0] += Double.parseDouble(words[2]) / answers.size();
      means[1] += Double.parseDouble(words[3]) / answers.size();
    }
    return means;
  }

  /** Makes the rows of a case. */
  private void judge(String name, List<TraceSide> sides, Found found) {
    double noise = 1;
    for (TraceSide side : sides) {
      if (side.isCompared()) {
        List<Double> ratios = times(found.ratios, side);
        Median.Interval interval = Median.interval(ratios);
        if (side.isNoise()) {
          noise = Math.max(1, Math.max(interval.high(), 1 / interval.low()));
          if (noise > QUIET) {
            noisy.add(name);
          }
        }
        Row row =
            new Row(
                name,
                side,
                new Samples(times(found.times, side)).median(),
                Median.of(ratios),
                interval,
                side.goal(noise));
        rows.add(row);
        out.println(row.text());
      }
    }
  }

  private static AllReduceJob job(Map<TraceSide, AllReduceJob> jobs, TraceSide side) {
    AllReduceJob job = jobs.get(side);
    if (job == null) {
      throw new IllegalStateException(side + " was not started");
    }
    return job;
  }

  private static List<Double> times(Map<TraceSide, List<Double>> samples, TraceSide side) {
    return samples.computeIfAbsent(side, each -> new ArrayList<>());
  }

  /** A side whose ranks have traced nothing, or not all, would be fast for no merit. */
  private void checkTraces(String name, int ranks, List<TraceSide> sides, Path directory)
      throws IOException {
    int recordings = 0;
    int traces = 0;
    int flights = 0;
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        String each = String.valueOf(file.getFileName());
        if (each.endsWith(".jfr") && hasCollective(file)) {
          recordings++;
        } else if (each.startsWith("trace-") && Files.readString(file).contains("\"full\":false")) {
          traces++;
        } else if (each.startsWith("flight-") && Files.readString(file).contains("all_reduce")) {
          flights++;
        }
      }
    }
    long recorded = ranks * sides.stream().filter(TraceSide::recordsCollectives).count();
    long written = ranks * sides.stream().filter(TraceSide::writesTraces).count();
    long flown = sides.contains(TraceSide.FLIGHT_RECORDER) ? ranks : 0;
    if (!failures.contains(name)
        && (recordings != recorded || traces != written || flights != flown)) {
      failures.add(name);
      out.printf(
          "FAILED %s: expected %d recordings with collectives, %d whole traces and %d files of"
              + " flight recorders; there are %d, %d and %d%n",
          name, recorded, written, flown, recordings, traces, flights);
    }
  }

  private static boolean hasCollective(Path recording) throws IOException {
    try (RecordingFile events = new RecordingFile(recording)) {
      while (events.hasMoreEvents()) {
        if (events.readEvent().getEventType().getName().equals("io.nitinol.Collective")) {
          return true;
        }
      }
    }
    return false;
  }

  private int conclude() {
    if (!failures.isEmpty()) {
      out.println(NAME + ": failed in " + String.join(", ", failures));
      return 1;
    }
    if (!noisy.isEmpty()) {
      out.printf(
          Locale.ROOT,
          "# %s: equal ranks may differ by more than %.0f %%, so these rows do not count%n",
          String.join(", ", noisy),
          100 * (QUIET - 1));
    }
    Row worst = null;
    for (Row row : rows) {
      if (!noisy.contains(row.name())
          && !Double.isInfinite(row.goal())
          && (worst == null || row.ratio() / row.goal() > worst.ratio() / worst.goal())) {
        worst = row;
      }
    }
    if (worst == null) {
      out.println(NAME + ": nothing is to be believed, for the machine is busy");
      return 2;
    }
    out.printf(
        Locale.ROOT,
        "%s: worst ratio %.3f at %s, %s, goal %.3f%n",
        NAME,
        worst.ratio(),
        worst.name(),
        worst.side().label(),
        worst.goal());
    return worst.isMissed() ? 1 : 0;
  }
}
