// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.collnet;

import io.nitinol.bench.BenchDirectory;
import io.nitinol.bench.BenchMachine;
import io.nitinol.bench.BenchOptions;
import io.nitinol.bench.allreduce.AllReduceJob;
import io.nitinol.netns.Unavailable;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * An all-reduce of 64 MiB between hosts made of network namespaces, by a ring and by switches that
 * reduce, in turns: what each host sends, as the kernel counts, and how long it takes. Each end of
 * each cable is bounded to 1 Gbit/s, the ports of switches too.
 */
public final class CollnetBench {
  private static final long BYTES = 64 << 20;
  private static final int MEGABITS = 1000;

  // A frame of 1514 bytes carries 1448: 14 are Ethernet's, 20 IP's, 32 TCP's with timestamps.
  private static final double CONTENT = 1448.0 / 1514;

  /** A case: its name, and how many leaf switches with how many hosts each. */
  private record Shape(String name, int leaves, int hostsPerLeaf) {}

  private static final List<Shape> SHAPES =
      List.of(new Shape("4-hosts", 1, 4), new Shape("8-hosts-2-levels", 2, 4));

  private final int rounds;
  private final int iterations;
  private final Path directory;
  private final List<CollnetComparison> comparisons = new ArrayList<>();

  private CollnetBench(boolean quick, Path directory) {
    this.rounds = quick ? 2 : 5;
    this.iterations = quick ? 2 : 4;
    this.directory = directory;
  }

  /**
   * Runs the cases; exit status 0 where the goals hold, 1 where one is missed or a side has failed,
   * 2 where namespaces are not permitted, or the command line is not understood.
   *
   * @param arguments {@code --quick}, {@code --json FILE}, {@code --only CASE,...}
   */
  public static void main(String[] arguments) throws Exception {
    List<String> names = SHAPES.stream().map(Shape::name).toList();
    BenchOptions options = BenchOptions.parse("collnet-vs-ring", arguments, names);
    Path directory = BenchDirectory.make("collnet-vs-ring");
    CollnetBench bench = new CollnetBench(options.quick(), directory);
    try {
      bench.head();
      for (Shape shape : SHAPES) {
        if (options.only().isEmpty() || options.only().contains(shape.name())) {
          bench.measure(shape);
        }
      }
    } catch (Unavailable e) {
      System.err.println("bench collnet-vs-ring: not here: " + e.getMessage());
      System.err.println(
          "bench collnet-vs-ring: it needs root, or user namespaces that the system permits, and ip"
              + " and tc (Debian: apt-get install iproute2)");
      System.exit(2);
    } catch (AllReduceJob.JobFailure | IOException e) {
      System.out.println("FAILED " + e.getMessage());
      System.out.println("bench collnet-vs-ring: failed");
      System.exit(1);
    }
    Path json = options.json();
    if (json != null) {
      OutputFile.write(
          json,
          "{\"bench\": \"collnet-vs-ring\", \"cases\": [\n  %s\n]}\n"
              .formatted(
                  String.join(
                      ",\n  ", bench.comparisons.stream().map(CollnetComparison::json).toList())));
    }
    System.exit(bench.conclude());
  }

  private void head() throws IOException {
    double once = BYTES / (MEGABITS * 1e6 / 8 * CONTENT) * 1e3;
    System.out.printf(
        Locale.ROOT,
        "# all-reduce of N = 64 MiB (float32 sum), a rank on each host; %d processors, load %s%n"
            + "# each end of each cable: tbf of 1 Gbit/s, frames of 1514 bytes (1448 of content):"
            + " N takes %.1f ms, a ring of 4 at least %.1f ms, of 8 %.1f ms%n"
            + "# sent: bytes that a host's interface has sent / N, the most of all hosts; frames:"
            + " with the headers of every frame; time: median of %d rounds%n"
            + "%-20s%-9s%9s%9s%12s%10s%7s%n",
        Runtime.getRuntime().availableProcessors(),
        BenchMachine.load(),
        once,
        1.5 * once,
        1.75 * once,
        rounds,
        "case",
        "way",
        "sent",
        "frames",
        "time",
        "of ring",
        "goal");
  }

  private void measure(Shape shape)
      throws IOException, InterruptedException, Unavailable, AllReduceJob.JobFailure {
    try (Cluster cluster =
        Cluster.open(shape.leaves(), shape.hostsPerLeaf(), 1, MEGABITS, directory)) {
      try {
        BenchMachine.Usage before = BenchMachine.usage();
        List<Sample> samples =
            List.of(
                new Sample(cluster, cluster.start("ring")),
                new Sample(cluster, cluster.startCollnet("collnetchain")));
        for (Sample each : samples) {
          each.job().run(BYTES, 1, 1, true);
        }
        for (int round = 0; round < rounds; round++) {
          for (int i = 0; i < samples.size(); i++) {
            samples.get(round % 2 == 0 ? i : samples.size() - 1 - i).take(BYTES, iterations);
          }
        }
        for (Sample each : samples) {
          each.job().run(BYTES, 0, 1, true);
        }
        CollnetComparison comparison =
            new CollnetComparison(
                shape.name(), BYTES, samples.getFirst().side(), samples.getLast().side());
        comparisons.add(comparison);
        comparison.lines().forEach(System.out::println);
        System.out.println("# " + BenchMachine.note(BenchMachine.usage().othersSince(before)));
      } catch (IOException | AllReduceJob.JobFailure e) {
        System.out.print(cluster.words());
        throw e;
      }
    }
  }

  private int conclude() {
    CollnetComparison.Figure worst =
        comparisons.stream()
            .flatMap(each -> each.figures().stream())
            .max(Comparator.comparingDouble(CollnetComparison.Figure::strain))
            .orElseThrow();
    System.out.printf(
        Locale.ROOT,
        "bench collnet-vs-ring: worst ratio %.3f at %s, goal %.2f%n",
        worst.value(),
        worst.name(),
        worst.goal());
    return worst.strain() <= 1 ? 0 : 1;
  }
}
