// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import io.nitinol.bench.BenchMachine;
import io.nitinol.bench.BenchOptions;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Compares streams of messages that are encrypted with the same messages plain, over loopback and
 * by turns, both with the TCP plugin. A ratio says how fast the encrypted ones are compared with
 * the plain: 1 is as fast, less is slower.
 */
public final class TlsBench {
  private static final int[] SIZES = {8, 64 << 10, 1 << 20, 16 << 20};

  /** Below this something other than the ciphers costs: they alone leave about a third. */
  private static final double GOAL = 0.20;

  /** What a pair of ends does. */
  private enum Mode {
    ENCRYPTED("1"),
    PLAIN("0");

    private final String tls;

    Mode(String tls) {
      this.tls = tls;
    }

    Map<String, String> environment() {
      return Map.of("NITINOL_SOCKET_TLS", tls);
    }
  }

  /** What a message took, medians of nanoseconds. */
  private record Row(String name, int bytes, double encrypted, double plain) {
    double ratio() {
      return plain / encrypted;
    }

    String json() {
      return String.format(
          Locale.ROOT,
          "{\"case\": \"%s\", \"bytes\": %d, \"encrypted_ns\": %.1f, \"plain_ns\": %.1f,"
              + " \"ratio\": %.4f, \"goal\": %.2f}",
          name,
          bytes,
          encrypted,
          plain,
          ratio(),
          GOAL);
    }
  }

  private TlsBench() {}

  /**
   * Runs the comparison; exit status 0 where the goal holds, 1 where it is missed or a side has
   * failed, 2 where the command line is not understood.
   *
   * @param arguments {@code --quick}, {@code --json FILE}
   */
  public static void main(String[] arguments) throws Exception {
    BenchOptions options = BenchOptions.parse("socket-tls", arguments);
    List<Row> rows = new ArrayList<>();
    try {
      measure(options.quick(), BenchMachine.read().cpus(), rows);
    } catch (EndPair.Failure e) {
      System.out.println("FAILED " + e.getMessage());
      System.out.println("bench socket-tls: failed");
      System.exit(1);
    }
    Path json = options.json();
    if (json != null) {
      OutputFile.write(
          json,
          "{\"bench\": \"socket-tls\", \"cases\": [\n  %s\n]}\n"
              .formatted(String.join(",\n  ", rows.stream().map(Row::json).toList())));
    }
    Row worst = rows.stream().min((a, b) -> Double.compare(a.ratio(), b.ratio())).orElseThrow();
    System.out.printf(
        Locale.ROOT,
        "bench socket-tls: worst ratio %.2f at %s, goal %.2f%n",
        worst.ratio(),
        worst.name(),
        GOAL);
    System.exit(worst.ratio() >= GOAL ? 0 : 1);
  }

  private static void measure(boolean quick, List<Integer> cpus, List<Row> rows)
      throws IOException, InterruptedException, EndPair.Failure {
    Sampler sampler =
        quick
            ? new Sampler(11, 30_000_000L, 500_000_000L)
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
        "%-10s %14s %14s %8s %6s%n", "message", "encrypted", "plain", "ratio", "goal");
    Map<Mode, EndPair> pairs = new EnumMap<>(Mode.class);
    try {
      int largest = SIZES[SIZES.length - 1];
      for (Mode mode : Mode.values()) {
        pairs.put(mode, EndPair.start(Side.OURS, near, far, 1, largest, mode.environment()));
      }
      BenchMachine.Usage before = BenchMachine.usage();
      for (int size : SIZES) {
        Map<Mode, Double> nanos =
            sampler.measure(pairs, (pair, count, check) -> pair.stream(size, count, check));
        Row row =
            new Row(
                name(size),
                size,
                nanos.getOrDefault(Mode.ENCRYPTED, Double.NaN),
                nanos.getOrDefault(Mode.PLAIN, Double.NaN));
        rows.add(row);
        System.out.printf(
            Locale.ROOT,
            "%-10s %9.3f GB/s %9.3f GB/s %8.2f %6.2f%n",
            row.name(),
            size / row.encrypted(),
            size / row.plain(),
            row.ratio(),
            GOAL);
      }
      System.out.println("# " + BenchMachine.note(BenchMachine.usage().othersSince(before)));
    } finally {
      for (EndPair pair : pairs.values()) {
        pair.close();
      }
    }
  }

  private static String name(int size) {
    return size < 1 << 10
        ? size + " B"
        : size < 1 << 20 ? (size >> 10) + " KiB" : (size >> 20) + " MiB";
  }
}
