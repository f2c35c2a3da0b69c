// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.ib;

import io.nitinol.bench.Machine;
import io.nitinol.bench.Options;
import io.nitinol.bench.socket.Pair;
import io.nitinol.bench.socket.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The measurement itself, where the devices are: between the first two of them, or of one. */
public final class Comparison {
  private static final Path DEVICES = Path.of("/sys/class/infiniband");
  private static final int[] SIZES = {64 << 10, 1 << 20};
  private static final int[] PAIRS = {1, 4};
  private static final long MOST = 1 << 16;

  private final int rounds;
  private final double sampleNanos;
  private final List<Row> rows = new ArrayList<>();
  private final Place near;
  private final Place far;

  private Comparison(boolean quick, List<String> devices) {
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

  /**
   * Measures; exit status 0 where the goal holds, 1 where it is missed or a side has failed, 2
   * where the command line is not understood.
   *
   * @param arguments {@code --quick}, {@code --json FILE}
   */
  public static void main(String[] arguments) throws Exception {
    Options options = Options.parse("ib-vs-perftest", arguments);
    Comparison comparison = new Comparison(options.quick(), devices());
    try {
      comparison.measure();
    } catch (Pair.Failure | IOException e) {
      System.out.println("FAILED " + e.getMessage());
      System.out.println("bench ib-vs-perftest: failed");
      System.exit(1);
    }
    System.exit(comparison.conclude(options.json()));
  }

  private void measure() throws IOException, InterruptedException, Pair.Failure {
    System.out.printf(
        "# between %s and %s; load %s%n", near.device(), far.device(), Machine.load());
    System.out.printf(
        "%-14s %15s %15s %8s %6s%n", "message", "ours", "perftest or C", "ratio", "goal");
    ping();
    for (int pairs : PAIRS) {
      stream(pairs);
    }
  }

  private void ping() throws IOException, InterruptedException, Pair.Failure {
    try (Pair ours = Pair.start(IbEnds.OURS, near, far, 1, 8, Map.of());
        Pair peer = Pair.start(IbEnds.C_IMM, near, far, 1, 8, Map.of())) {
      // The JVM compiles what runs often: not before that is it measured.
      warm(count -> ours.ping(count));
      warm(count -> peer.ping(count));
      row(8, 1, count -> ours.ping(count), count -> peer.ping(count));
    }
  }

  private void stream(int pairs) throws IOException, InterruptedException, Pair.Failure {
    Map<String, String> several = Map.of("NCCL_IB_QPS_PER_CONNECTION", Integer.toString(pairs));
    int largest = SIZES[SIZES.length - 1];
    try (Pair ours = Pair.start(IbEnds.OURS, near, far, 1, largest, several)) {
      for (int size : SIZES) {
        ours.stream(size, 2L * pairs, true); // says what is wrong
        warm(count -> ours.stream(size, count, false));
        row(
            size,
            pairs,
            count -> ours.stream(size, count, false),
            count -> Perftest.write(near.device(), far.device(), pairs, size, count / pairs));
        ours.stream(size, 2L * pairs, true);
      }
    }
  }

  /** Something that takes a number of repetitions and says how many nanoseconds each took. */
  private interface Sample {
    double run(long count) throws IOException, InterruptedException, Pair.Failure;
  }

  private void warm(Sample sample) throws IOException, InterruptedException, Pair.Failure {
    long end = System.nanoTime() + (long) (2 * sampleNanos);
    do {
      sample.run(16);
    } while (System.nanoTime() < end);
  }

  /** Takes samples by turns, as long as ours take. */
  private void row(int size, int pairs, Sample ours, Sample peer)
      throws IOException, InterruptedException, Pair.Failure {
    long count = Math.clamp((long) (sampleNanos / ours.run(16)), 16, MOST);
    double[] left = new double[rounds];
    double[] right = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      left[i] = ours.run(count);
      right[i] = peer.run(count);
    }
    Arrays.sort(left);
    Arrays.sort(right);
    Row row = new Row(size, pairs, left[rounds / 2], right[rounds / 2]);
    rows.add(row);
    System.out.println(row.text());
  }

  private int conclude(@Nullable Path json) throws IOException {
    if (json != null) {
      Files.writeString(
          json,
          "{\"bench\": \"ib-vs-perftest\", \"cases\": [\n  "
              + String.join(",\n  ", rows.stream().map(Row::json).toList())
              + "\n]}\n");
    }
    Row worst = rows.stream().min((a, b) -> Double.compare(a.part(), b.part())).orElseThrow();
    System.out.printf(
        Locale.ROOT,
        "bench ib-vs-perftest: worst ratio %.2f at %s, goal %.2f%n",
        worst.ratio(),
        worst.name(),
        worst.goal());
    return worst.part() >= 1 ? 0 : 1;
  }
}
