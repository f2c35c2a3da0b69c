// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import io.nitinol.bench.BenchMachine;
import io.nitinol.bench.BenchOptions;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Compares the TCP plugin as NCCL sees it, through {@code libnccl-net-nitinol.so} from a C program,
 * with the same plugin called from Java, over loopback and by turns. A ratio says how fast the
 * former is compared with the latter.
 */
public final class CrossingBench {
  private static final int[] SIZES = {64 << 10, 1 << 20, 16 << 20};
  private static final int LARGEST = SIZES[SIZES.length - 1];
  private static final double BANDWIDTH_GOAL = 0.95;
  private static final double MOST_NANOS_MORE = 1000;

  /** The two sides. */
  private enum Mode implements Ends {
    EXPORTED("through C"),
    PLAIN("plain Java");

    private final String label;

    Mode(String label) {
      this.label = label;
    }

    @Override
    public String label() {
      return label;
    }

    @Override
    public List<String> command(boolean near, int connections, int largest, Place place) {
      return this == PLAIN
          ? Side.OURS.command(near, connections, largest, place)
          : List.of(
              program().toString(),
              near ? "near" : "far",
              library().toString(),
              "0",
              Integer.toString(largest));
    }

    @Override
    public Map<String, String> environment(Place place) {
      return this == PLAIN
          ? Side.OURS.environment(place)
          : Map.of(
              "NCCL_SOCKET_IFNAME",
              "=" + place.device(),
              "NITINOL_NET",
              "Socket",
              "NITINOL_JAVA_HOME",
              System.getProperty("java.home"));
    }
  }

  /** What a message or half a round trip took, medians of nanoseconds. */
  private record Row(String name, int bytes, double exported, double plain) {
    boolean isPing() {
      return bytes == 8;
    }

    double ratio() {
      return plain / exported;
    }

    /** Returns the least ratio. */
    double goal() {
      return isPing() ? plain / (plain + MOST_NANOS_MORE) : bytes < 1 << 20 ? 0 : BANDWIDTH_GOAL;
    }

    String text(double nanos) {
      return isPing()
          ? String.format(Locale.ROOT, "%.2f us", nanos / 1e3)
          : String.format(Locale.ROOT, "%.3f GB/s", bytes / nanos);
    }

    String json() {
      return String.format(
          Locale.ROOT,
          "{\"case\": \"%s\", \"bytes\": %d, \"exported_ns\": %.1f, \"plain_ns\": %.1f,"
              + " \"ratio\": %.4f, \"goal\": %.4f}",
          name,
          bytes,
          exported,
          plain,
          ratio(),
          goal());
    }
  }

  private CrossingBench() {}

  private static Path root() {
    return Path.of(System.getProperty("nitinol.root", "."));
  }

  private static Path program() {
    return root().resolve("bench/target/export_peer");
  }

  private static Path library() {
    return root().resolve("net-native/target/nccl/libnccl-net-nitinol.so");
  }

  /**
   * Runs the comparison; exit status 0 where the goals hold, 1 where one is missed or a side has
   * failed, 2 where the command line is not understood or there is no C compiler.
   *
   * @param arguments {@code --quick}, {@code --json FILE}
   */
  public static void main(String[] arguments) throws Exception {
    BenchOptions options = BenchOptions.parse("native-crossing", arguments);
    String why = compile();
    if (!why.isEmpty()) {
      System.err.println("bench native-crossing: " + why);
      System.exit(2);
    }
    List<Row> rows = new ArrayList<>();
    try {
      measure(options.quick(), BenchMachine.read().cpus(), rows);
    } catch (EndPair.Failure e) {
      System.out.println("FAILED " + e.getMessage());
      System.out.println("bench native-crossing: failed");
      System.exit(1);
    }
    Path json = options.json();
    if (json != null) {
      OutputFile.write(
          json,
          "{\"bench\": \"native-crossing\", \"cases\": [\n  %s\n]}\n"
              .formatted(String.join(",\n  ", rows.stream().map(Row::json).toList())));
    }
    Row worst =
        rows.stream()
            .filter(row -> row.goal() > 0)
            .min((a, b) -> Double.compare(a.ratio() / a.goal(), b.ratio() / b.goal()))
            .orElseThrow();
    System.out.printf(
        Locale.ROOT,
        "bench native-crossing: worst ratio %.2f at %s, goal %.2f%n",
        worst.ratio(),
        worst.name(),
        worst.goal());
    System.exit(worst.ratio() >= worst.goal() ? 0 : 1);
  }

  private static String compile() throws IOException, InterruptedException {
    if (!Files.exists(library())) {
      return "there is no " + library() + ": it is built where there is a C compiler";
    }
    Files.createDirectories(program().getParent());
    return Side.run(
        "cc",
        "-O2",
        "-std=gnu17",
        "-Wall",
        "-I" + root().resolve("net-native/src/main/c"),
        "-I" + root().resolve("net-native/src/test/c"),
        "-o",
        program().toString(),
        root().resolve("bench/src/main/c/export_peer.c").toString(),
        "-ldl");
  }

  private static void measure(boolean quick, List<Integer> cpus, List<Row> rows)
      throws IOException, InterruptedException, EndPair.Failure {
    Sampler sampler =
        quick
            ? new Sampler(11, 30_000_000L, 1_000_000_000L)
            : new Sampler(41, 50_000_000L, 2_000_000_000L);
    Place near = Place.near(cpus);
    Place far = Place.far(cpus);
    System.out.printf(
        Locale.ROOT,
        "# TCP over loopback, near on processor %s, far on %s; load %s%n",
        near.cpus(),
        far.cpus(),
        BenchMachine.load());
    System.out.printf(
        "%-14s %14s %14s %8s %6s%n", "case", "through C", "plain Java", "ratio", "goal");
    Map<Mode, EndPair> pairs = new EnumMap<>(Mode.class);
    try {
      for (Mode mode : Mode.values()) {
        pairs.put(mode, EndPair.start(mode, near, far, 1, LARGEST, Map.of()));
      }
      BenchMachine.Usage before = BenchMachine.usage();
      add(
          rows,
          "8 B half RTT",
          8,
          sampler.measure(pairs, (pair, count, check) -> pair.ping(count)));
      for (int size : SIZES) {
        String name = size < 1 << 20 ? (size >> 10) + " KiB" : (size >> 20) + " MiB";
        add(
            rows,
            name,
            size,
            sampler.measure(pairs, (pair, count, check) -> pair.stream(size, count, check)));
      }
      System.out.println("# " + BenchMachine.note(BenchMachine.usage().othersSince(before)));
    } finally {
      for (EndPair pair : pairs.values()) {
        pair.close();
      }
    }
  }

  private static void add(List<Row> rows, String name, int bytes, Map<Mode, Double> nanos) {
    Row row =
        new Row(
            name,
            bytes,
            nanos.getOrDefault(Mode.EXPORTED, Double.NaN),
            nanos.getOrDefault(Mode.PLAIN, Double.NaN));
    rows.add(row);
    System.out.printf(
        Locale.ROOT,
        "%-14s %14s %14s %8.2f %6.2f%n",
        row.name(),
        row.text(row.exported()),
        row.text(row.plain()),
        row.ratio(),
        row.goal());
  }
}
