// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.ib;

import io.nitinol.bench.BenchMachine;
import io.nitinol.bench.BenchOptions;
import io.nitinol.bench.Median;
import io.nitinol.bench.socket.EndPair;
import io.nitinol.bench.socket.Manner;
import io.nitinol.bench.socket.Place;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The measurement itself, where the devices are: between the first two of them, or of one. */
public final class IbComparison {
  private static final Path DEVICES = Path.of("/sys/class/infiniband");
  private static final int[] SIZES = {64 << 10, 1 << 20};
  private static final int[] PAIRS = {1, 4};
  private static final long MOST = 1 << 16;

  /** How many messages are on their way: what a connection takes, Net.MAX_REQUESTS. */
  private static final int DEPTH = 32;

  /** Both ends let others run while they wait, as core does where processors are few. */
  private static final Manner STREAM =
      new Manner(DEPTH, DEPTH, true, Manner.FEW_BYTES, Manner.FEW_BYTES);

  /** As many receives posted ahead as core has steps. */
  private static final Manner PING = new Manner(8, 8, false, Manner.FEW_BYTES, Manner.FEW_BYTES);

  private final String only;
  private final int rounds;
  private final double sampleNanos;
  private final List<IbRow> rows = new ArrayList<>();
  private final Place near;
  private final Place far;

  private IbComparison(boolean quick, String only, List<String> devices) {
    this.only = only;
    rounds = quick ? 3 : 5;
    sampleNanos = quick ? 0.5e9 : 1e9;
    // On any processor, as perftest is: where devices are software, they need some, too.
    near = new Place(null, "", devices.getFirst(), "");
    far = new Place(null, "", devices.getLast(), "");
  }

  /** Returns the names of the first two RDMA devices here; empty where there is none. */
  static List<String> devices() throws IOException {
    if (!Files.isDirectory(DEVICES)) {
      return List.of();
    }
    try (Stream<Path> names = Files.list(DEVICES)) {
      return names.map(each -> each.getFileName().toString()).sorted().limit(2).toList();
    }
  }

  /** Takes {@code --only WORD} out of a command line; empty where there is none. */
  static String only(List<String> arguments) {
    String word = BenchOptions.take(arguments, "--only");
    return word == null ? "" : word;
  }

  /**
   * Measures; exit status 0 where the goal holds, 1 where it is missed or a side has failed, 2
   * where the command line is not understood.
   *
   * @param arguments {@code --quick}, {@code --json FILE}, {@code --only} with a part of the names
   *     of rows
   */
  public static void main(String[] arguments) throws Exception {
    List<String> others = new ArrayList<>(List.of(arguments));
    String only = only(others);
    BenchOptions options = BenchOptions.parse("ib-vs-perftest", others.toArray(String[]::new));
    IbComparison comparison = new IbComparison(options.quick(), only, devices());
    try {
      comparison.measure();
    } catch (EndPair.Failure | IOException e) {
      System.out.println("FAILED " + e.getMessage());
      System.out.println("bench ib-vs-perftest: failed");
      System.exit(1);
    }
    System.exit(comparison.conclude(options.json()));
  }

  private void measure() throws IOException, InterruptedException, EndPair.Failure {
    System.out.printf(
        "# between %s and %s, %d messages on their way; load %s%n",
        near.device(), far.device(), DEPTH, BenchMachine.load());
    System.out.printf(
        "%-14s %10s   %-36s %10s %8s %6s%n", "us or MB/s", "ours", "others", "", "ratio", "goal");
    if (IbRow.name(8, 1).contains(only)) {
      ping();
    }
    for (int pairs : PAIRS) {
      for (int size : SIZES) {
        if (IbRow.name(size, pairs).contains(only)) {
          stream(pairs, size);
        }
      }
    }
  }

  private void ping() throws IOException, InterruptedException, EndPair.Failure {
    // The C programs send 8 bytes inline, too.
    Map<String, String> inline = Map.of("NCCL_IB_USE_INLINE", "1");
    try (EndPair ours = start(IbEnds.Side.OURS, 1, 8, PING, inline);
        EndPair plain = start(IbEnds.Side.OURS, 1, 8, PING, Map.of());
        EndPair immediate = start(IbEnds.Side.C_IMMEDIATE, 1, 8, PING, Map.of());
        EndPair clear = start(IbEnds.Side.C_CLEAR, 1, 8, PING, Map.of())) {
      row(
          8,
          1,
          List.of(
              new Subject("ours", ours::ping),
              new Subject("C, write with immediate", immediate::ping),
              new Subject("C, clear to send one by one", clear::ping),
              new Subject("ours, NCCL_IB_USE_INLINE=0", plain::ping)));
    }
  }

  private void stream(int pairs, int size)
      throws IOException, InterruptedException, EndPair.Failure {
    String here = near.device();
    String there = far.device();
    try (EndPair ours = start(IbEnds.Side.OURS, pairs, size, STREAM, Map.of());
        EndPair clear = start(IbEnds.Side.C_CLEAR, pairs, size, STREAM, Map.of())) {
      ours.stream(size, 2L * DEPTH, true); // says what is wrong
      row(
          size,
          pairs,
          List.of(
              new Subject("ours", count -> ours.stream(size, count, false)),
              new Subject(
                  "ib_write_bw",
                  count -> Perftest.write(here, there, pairs, 0, size, count / pairs)),
              new Subject(
                  "ib_write_bw, as many on their way",
                  count -> Perftest.write(here, there, pairs, DEPTH / pairs, size, count / pairs)),
              new Subject(
                  "C, clear to send one by one", count -> clear.stream(size, count, false))));
      ours.stream(size, 2L * DEPTH, true);
    }
  }

  private EndPair start(
      IbEnds.Side side, int pairs, int largest, Manner manner, Map<String, String> environment)
      throws IOException, InterruptedException, EndPair.Failure {
    return EndPair.start(new IbEnds(side, pairs, manner), near, far, 1, largest, environment);
  }

  /** Something that takes a number of repetitions and says how many nanoseconds each took. */
  private interface Sample {
    double run(long count) throws IOException, InterruptedException, EndPair.Failure;
  }

  private record Subject(String name, Sample sample) {}

  /** Takes samples by turns, each of as many repetitions; we are the first. */
  private void row(int size, int pairs, List<Subject> subjects)
      throws IOException, InterruptedException, EndPair.Failure {
    Sample ours = subjects.getFirst().sample();
    // The JVM compiles what runs often: not before that is it measured.
    long end = System.nanoTime() + (long) (2 * sampleNanos);
    do {
      ours.run(16);
    } while (System.nanoTime() < end);
    long count = Math.clamp((long) (sampleNanos / ours.run(DEPTH)), 2 * DEPTH, MOST);
    double[][] nanos = new double[subjects.size()][rounds];
    for (int i = 0; i < rounds; i++) {
      for (int side = 0; side < nanos.length; side++) {
        nanos[side][i] = subjects.get(side).sample().run(count);
      }
    }
    List<IbRow.Peer> peers = new ArrayList<>();
    for (int side = 1; side < nanos.length; side++) {
      peers.add(new IbRow.Peer(subjects.get(side).name(), Median.of(nanos[side])));
    }
    IbRow row = new IbRow(size, pairs, Median.of(nanos[0]), peers);
    rows.add(row);
    System.out.println(row.text());
  }

  private int conclude(@Nullable Path json) throws IOException {
    if (json != null) {
      OutputFile.write(
          json,
          "{\"bench\": \"ib-vs-perftest\", \"cases\": [\n  %s\n]}\n"
              .formatted(String.join(",\n  ", rows.stream().map(IbRow::json).toList())));
    }
    IbRow worst = rows.stream().min((a, b) -> Double.compare(a.part(), b.part())).orElse(null);
    if (worst == null) {
      System.err.println("bench ib-vs-perftest: no row has \"" + only + "\" in its name");
      return 2;
    }
    System.out.printf(
        Locale.ROOT,
        "bench ib-vs-perftest: worst ratio %.2f at %s, goal %.2f%n",
        worst.ratio(),
        worst.name(),
        worst.goal());
    return worst.part() >= 1 ? 0 : 1;
  }
}
