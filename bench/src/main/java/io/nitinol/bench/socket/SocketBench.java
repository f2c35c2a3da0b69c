// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import io.nitinol.bench.BenchMachine;
import io.nitinol.bench.BenchOptions;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Compares the TCP plugin with a C program and with UCX (through JUCX) over loopback, all in one
 * run and by turns: streams of messages one way, and 8 bytes to and fro. A ratio says how fast the
 * plugin is compared with the other: 1 is as fast, more is faster.
 *
 * <p>The contract of a network plugin gives each direction a connection of its own, and on a
 * connection with data one way the kernel sends acknowledgements by themselves, which costs a
 * microsecond per message. So the C program with the goal has two connections as well; one with a
 * single connection is shown beside it.
 */
public final class SocketBench {
  private static final int[] SIZES = {64 << 10, 1 << 20, 16 << 20};
  private static final int[] CONNECTIONS = {1, 4};
  private static final String PING = "8 B half RTT";

  private final List<Figure> figures = new ArrayList<>();
  private final Sampler sampler;
  private final Place near;
  private final Place far;
  private final List<Side> sides = new ArrayList<>();
  private final double iperfSeconds;
  private final List<String> wanted;

  private SocketBench(BenchOptions options, BenchMachine machine)
      throws IOException, InterruptedException {
    boolean quick = options.quick();
    wanted = options.only().isEmpty() ? cases() : options.only();
    sampler =
        quick
            ? new Sampler(11, 20_000_000L, 300_000_000L)
            : new Sampler(41, 30_000_000L, 1_000_000_000L);
    iperfSeconds = quick ? 0 : 1;
    List<Integer> cpus = machine.cpus();
    near = Place.near(cpus);
    far = Place.far(cpus);
    for (Side side : Side.values()) {
      String why = side.prepare();
      if (why.isEmpty()) {
        sides.add(side);
      } else {
        System.err.println("bench socket-vs-c: without " + side.label() + ": " + why);
      }
    }
  }

  /**
   * Runs the comparison; exit status 0 where all goals hold, 1 where one is missed or a side has
   * failed, 2 where the command line is not understood.
   *
   * @param arguments {@code --quick}, {@code --json FILE}, {@code --only CASE,...}
   */
  public static void main(String[] arguments) throws Exception {
    BenchOptions options = BenchOptions.parse("socket-vs-c", arguments, cases());
    BenchMachine machine = BenchMachine.read();
    SocketBench bench = new SocketBench(options, machine);
    try {
      bench.run();
    } catch (EndPair.Failure e) {
      System.out.println("FAILED " + e.getMessage());
      System.out.println("bench socket-vs-c: failed");
      System.exit(1);
    }
    Path json = options.json();
    if (json != null) {
      OutputFile.write(
          json,
          "{\"bench\": \"socket-vs-c\", \"cases\": [\n  %s\n]}\n"
              .formatted(String.join(",\n  ", bench.figures.stream().map(Figure::json).toList())));
    }
    System.exit(bench.conclude());
  }

  private void run() throws IOException, InterruptedException, EndPair.Failure {
    System.out.printf(
        Locale.ROOT,
        "# TCP over loopback, two processes a side, near on processor %s, far on %s; load %s%n",
        near.cpus(),
        far.cpus(),
        BenchMachine.load());
    String noIperf = Iperf.missing();
    if (!noIperf.isEmpty()) {
      System.err.println("bench socket-vs-c: without iperf3: " + noIperf);
    }
    double others = 0;
    StringBuilder head = new StringBuilder(String.format("%-14s", "case"));
    for (Side side : sides) {
      head.append(String.format("%13s", side.label()));
      head.append(side == Side.OURS ? "" : String.format("%7s%7s", "ratio", "goal"));
    }
    System.out.println(head.append(String.format("%13s", "iperf3")));
    for (int connections : CONNECTIONS) {
      if (Collections.disjoint(wanted, cases(connections))) {
        continue;
      }
      Map<Side, EndPair> pairs = new EnumMap<>(Side.class);
      try {
        for (Side side : sides) {
          if (connections == 1 || side == Side.OURS || side == Side.C_SPIN || side == Side.C_POLL) {
            start(side, connections, pairs);
          }
        }
        BenchMachine.Usage before = BenchMachine.usage();
        measure(connections, pairs, noIperf.isEmpty());
        // While the ends live: the time of those that have ended is not counted.
        others = Math.max(others, BenchMachine.usage().othersSince(before));
      } finally {
        for (EndPair pair : pairs.values()) {
          pair.close();
        }
      }
    }
    System.out.println("# " + BenchMachine.note(others));
  }

  private void start(Side side, int connections, Map<Side, EndPair> pairs)
      throws IOException, InterruptedException, EndPair.Failure {
    try {
      int largest = SIZES[SIZES.length - 1];
      pairs.put(side, EndPair.start(side, near, far, connections, largest, Map.of()));
    } catch (EndPair.Failure e) {
      if (side != Side.JUCX) {
        throw e;
      }
      System.err.println(
          "bench socket-vs-c: without JUCX (Debian: apt-get install libucx0): " + e.getMessage());
    }
  }

  private void measure(int connections, Map<Side, EndPair> pairs, boolean iperf)
      throws IOException, InterruptedException, EndPair.Failure {
    if (connections == 1 && wanted.contains(PING)) {
      add(
          new Figure(
              PING,
              8,
              sampler.measure(pairs, (pair, count, check) -> pair.ping(count)),
              Double.NaN));
    }
    Map<Side, EndPair> streams = new EnumMap<>(pairs);
    streams.remove(Side.C_SINGLE); // the same as C_SPIN
    for (int size : SIZES) {
      String name = name(connections, size);
      if (!wanted.contains(name)) {
        continue;
      }
      Map<Side, Double> nanos =
          sampler.measure(streams, (pair, count, check) -> pair.stream(size, count, check));
      double theirs =
          iperf && iperfSeconds > 0
              ? Iperf.stream(near, far, size, connections, iperfSeconds)
              : Double.NaN;
      add(new Figure(name, size, nanos, theirs));
    }
  }

  private static List<String> cases() {
    List<String> all = new ArrayList<>();
    for (int connections : CONNECTIONS) {
      all.addAll(cases(connections));
    }
    return all;
  }

  private static List<String> cases(int connections) {
    List<String> all = new ArrayList<>();
    if (connections == 1) {
      all.add(PING);
    }
    for (int size : SIZES) {
      all.add(name(connections, size));
    }
    return all;
  }

  private static String name(int connections, int size) {
    return (connections > 1 ? connections + " x " : "")
        + (size < 1 << 20 ? (size >> 10) + " KiB" : (size >> 20) + " MiB");
  }

  private void add(Figure figure) {
    figures.add(figure);
    StringBuilder line = new StringBuilder(String.format("%-14s", figure.name()));
    for (Side side : sides) {
      line.append(String.format("%13s", figure.text(side)));
      if (side != Side.OURS) {
        boolean there = figure.nanos().containsKey(side);
        line.append(there ? String.format(Locale.ROOT, "%7.2f", figure.ratio(side)) : "      -");
        line.append(
            there && figure.goal(side) > 0
                ? String.format(Locale.ROOT, "%7.2f", figure.goal(side))
                : "      -");
      }
    }
    line.append(
        Double.isNaN(figure.iperf())
            ? String.format("%13s", "-")
            : String.format(Locale.ROOT, "%8.2f GB/s", figure.iperf()));
    System.out.println(line);
  }

  private int conclude() {
    double worst = Double.MAX_VALUE;
    String line = "no ratio";
    for (Figure figure : figures) {
      for (Side side : figure.nanos().keySet()) {
        double goal = figure.goal(side);
        if (goal > 0 && figure.ratio(side) / goal < worst) {
          worst = figure.ratio(side) / goal;
          line =
              String.format(
                  Locale.ROOT,
                  "worst ratio %.2f at %s against %s, goal %.2f",
                  figure.ratio(side),
                  figure.name(),
                  side.label(),
                  goal);
        }
      }
    }
    System.out.println("bench socket-vs-c: " + line);
    return worst >= 1 ? 0 : 1;
  }
}
