// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import io.nitinol.bench.BenchDirectory;
import io.nitinol.bench.BenchMachine;
import io.nitinol.bench.allreduce.AllReduceJob;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Compares collectives on GPUs with NCCL's, both in one run and in turns: float32, sum, out of
 * place, by events on the ranks' streams. A ratio is NCCL's time divided by ours, so more is
 * better.
 */
public final class GpuBench {
  private static final String NAME = "bench gpu-vs-nccl: ";

  private final GpuOptions options;
  private final PrintStream out;
  private final int gpus;
  private final @Nullable NcclPeer peer;
  private final Path directory;
  private final List<GpuRow> rows = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final long begin = System.nanoTime();
  private int attempts;

  private GpuBench(
      GpuOptions options, PrintStream out, int gpus, @Nullable NcclPeer peer, Path directory) {
    this.options = options;
    this.out = out;
    this.gpus = gpus;
    this.peer = peer;
    this.directory = directory;
  }

  /**
   * Runs the comparison; exit status 0 where all goals hold, 1 where one is missed, a result is
   * wrong or a side has failed, 2 where the comparison cannot be made.
   *
   * @param arguments as in {@link GpuOptions#USAGE}
   */
  public static void main(String[] arguments) throws InterruptedException {
    if (List.of(arguments).contains("--help")) {
      System.out.print(GpuOptions.USAGE);
      System.exit(0);
    }
    try {
      GpuOptions options = GpuOptions.parse(arguments);
      if (options.local) {
        System.exit(LocalBench.run(options, System.out));
      }
      int gpus = GpuRankProcess.provider(options.device).devices().size();
      Path root = Path.of(System.getProperty("nitinol.root", "."));
      NcclPeer peer = options.onlyOurs ? null : NcclPeer.find(root);
      Path directory = BenchDirectory.make("gpu-vs-nccl");
      System.exit(new GpuBench(options, System.out, gpus, peer, directory).run());
    } catch (IllegalArgumentException e) {
      System.err.println(NAME + e.getMessage());
      System.err.print(GpuOptions.USAGE);
    } catch (IllegalStateException | IOException e) {
      System.err.println(NAME + e.getMessage());
    }
    System.exit(2);
  }

  private int run() throws IOException, InterruptedException {
    List<GpuCase> cases = cases();
    out.printf(
        Locale.ROOT,
        "# float32 sum, out of place; microseconds for an operation on the slowest rank, medians of"
            + " %d samples of each side in turns; busbw in GB/s as nccl-tests has it%n",
        options.rounds);
    out.printf("# %d GPUs, load %s at start%n", gpus, BenchMachine.load());
    if (peer != null) {
      out.printf("# %s%n", peer.library());
    }
    if (options.lagMicros > 0) {
      out.printf(
          "# the last rank begins each sample %d us later, a share of which is in each figure%n",
          options.lagMicros);
    }
    for (GpuCase where : cases) {
      if (!isOver()) {
        measure(where);
      }
    }
    if (isOver()) {
      out.printf("# rows are left out: %d s are over%n", options.seconds);
    }
    Path json = options.json;
    if (json != null) {
      OutputFile.write(
          json,
          "{\"bench\": \"gpu-vs-nccl\", \"lag_us\": %d, \"rows\": [\n  %s\n]}\n"
              .formatted(
                  options.lagMicros,
                  String.join(",\n  ", rows.stream().map(GpuRow::json).toList())));
    }
    return conclude();
  }

  private boolean isOver() {
    return System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(options.seconds);
  }

  /** Returns the cases that fit the machine. */
  private List<GpuCase> cases() {
    List<Integer> counts = new ArrayList<>();
    List<Integer> given = options.gpus;
    for (int n = 1; given == null && n <= gpus; n *= 2) {
      counts.add(n);
    }
    for (int n : given == null ? List.<Integer>of() : given) {
      if (n > gpus && !options.share) {
        out.printf("# --gpus %d: left out, there are %d%n", n, gpus);
      } else {
        counts.add(n);
      }
    }
    if (options.quick && given == null && counts.size() > 1) {
      counts.subList(0, counts.size() - 1).clear();
    }
    List<GpuCase> cases = new ArrayList<>();
    for (int n : counts) {
      for (GpuCase.Mode mode : options.modes) {
        if (n > 1 || mode == options.modes.getFirst()) {
          cases.add(new GpuCase(n, mode, n > gpus));
        }
      }
    }
    if (cases.isEmpty()) {
      throw new IllegalArgumentException("nothing to measure: expected --gpus of 1 to " + gpus);
    }
    return cases;
  }

  private void measure(GpuCase where) throws IOException, InterruptedException {
    out.printf("%n# %s%n", where);
    if (where.shared()) {
      out.println("# ranks of one process run at once, processes take turns of some ms: no goals");
    }
    boolean first = true;
    List<GpuOperation> left = new ArrayList<>(options.operations);
    if (options.quick && where.mode() == GpuCase.Mode.PROCESSES && left.size() > 1) {
      left.subList(1, left.size()).clear();
    }
    while (!left.isEmpty() && !isOver()) {
      try (GpuSides sides = GpuSides.start(where, options, peer, gpus, directory, attempts++)) {
        if (first) {
          for (String line : sides.describe()) {
            out.println("# " + line);
          }
          out.println(GpuRow.HEAD);
          first = false;
        }
        GpuSampler sampler =
            new GpuSampler(where, sides, options.rounds, options.sampleNanos, options.lagMicros);
        while (!left.isEmpty() && !isOver()) {
          rows(sampler, left.removeFirst());
        }
      } catch (AllReduceJob.JobFailure e) {
        failures.add(where.toString());
        out.println("FAILED " + e.getMessage());
        if (first) {
          return; // it does not even start
        }
      }
    }
  }

  private void rows(GpuSampler sampler, GpuOperation operation)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    sampler.warmUp(operation);
    for (boolean graph : new boolean[] {true, false}) {
      // Between hosts our calls are not for graphs: a graph would repeat what the host is told
      // once.
      if (graph ? options.graph && !options.hosts : options.plain) {
        for (long size : options.sizes(operation, graph)) {
          if (isOver()) {
            return;
          }
          GpuRow row = sampler.measure(operation, size, graph);
          rows.add(row);
          out.println(row.text());
          out.flush(); // the command that runs this may be ended
        }
      }
    }
  }

  private int conclude() {
    long wrong = rows.stream().filter(row -> !row.wrong().isEmpty()).count();
    Optional<GpuRow> worst =
        rows.stream().filter(row -> row.goal() > 0).min(Comparator.comparingDouble(GpuRow::margin));
    out.println();
    if (wrong > 0) {
      out.printf("%sWRONG results in %d rows%n", NAME, wrong);
    }
    if (!failures.isEmpty()) {
      out.printf("%sFAILED in %s%n", NAME, String.join("; ", failures));
    }
    String line =
        worst
            .map(row ->
                String.format(
                    Locale.ROOT,
                    "worst ratio %.2f at %s, goal %.2f",
                    row.ratio(),
                    row.name(),
                    row.goal()))
            .orElse("no row with a goal was measured");
    out.println(NAME + line);
    boolean held = worst.map(row -> row.margin() >= 1).orElse(true);
    return wrong == 0 && failures.isEmpty() && held ? 0 : 1;
  }
}
