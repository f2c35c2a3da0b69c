// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import io.nitinol.bench.BenchMachine;
import io.nitinol.bench.BenchOptions;
import io.nitinol.netns.BadNetwork;
import io.nitinol.netns.Namespace;
import io.nitinol.netns.Unavailable;
import io.nitinol.netns.Veth;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The TCP plugin between two hosts made of network namespaces. First through a cable of 10 Gbit/s:
 * which part of what TCP can carry arrives. Then through a network that loses packets: there a
 * connection's rate is bounded by its losses and not by the network (Mathis and others, 1997: MSS /
 * RTT * sqrt(3/2 / p)), so that N sockets carry N times as much as one.
 */
public final class NamespaceBench {
  private static final int MEGABITS = 10_000;
  private static final double RATE_GOAL = 0.97;

  // A frame of 1514 bytes carries 1448: 14 are Ethernet's, 20 IP's, 32 TCP's with timestamps.
  private static final double FRAME = 1514;
  private static final double MSS = 1448;

  private static final double DELAY_MILLIS = 1;
  private static final double LOSS = 0.001;
  private static final int SOCKETS = 4;

  /** Losses are chance: in 15 s a connection has some 290, so a rate is within some percent. */
  private static final double FACTOR_GOAL = 0.85;

  /** A case, how much of its theory was reached, and how much of it should be. */
  private record Share(String name, double rate, double share, double goal) {}

  private final List<Share> shares = new ArrayList<>();
  private final boolean quick;

  private NamespaceBench(boolean quick) {
    this.quick = quick;
  }

  /**
   * Runs both cases; exit status 0 where the goals hold, 1 where one is missed or a side has
   * failed, 2 where namespaces are not permitted, or the command line is not understood.
   *
   * @param arguments {@code --quick}, {@code --json FILE}
   */
  public static void main(String[] arguments) throws Exception {
    BenchOptions options = BenchOptions.parse("socket-netns", arguments);
    String why = Side.C_SPIN.prepare();
    if (!why.isEmpty()) {
      System.err.println("bench socket-netns: " + why);
      System.exit(2);
    }
    NamespaceBench bench = new NamespaceBench(options.quick());
    try {
      bench.cable();
      bench.losses();
    } catch (Unavailable e) {
      System.err.println("bench socket-netns: not here: " + e.getMessage());
      System.err.println(
          "bench socket-netns: it needs root, or user namespaces that the system permits, and ip and"
              + " tc (Debian: apt-get install iproute2)");
      System.exit(2);
    } catch (EndPair.Failure e) {
      System.out.println("FAILED " + e.getMessage());
      System.out.println("bench socket-netns: failed");
      System.exit(1);
    }
    Path json = options.json();
    if (json != null) {
      bench.write(json);
    }
    System.exit(bench.conclude());
  }

  private void cable() throws Exception {
    try (Veth veth = Veth.open()) {
      veth.shape(MEGABITS);
      Place near = place(veth.near(), veth.address(veth.near()), Veth.DEVICE);
      Place far = place(veth.far(), veth.address(veth.far()), Veth.DEVICE);
      double most = MEGABITS / 8e3 * MSS / FRAME;
      System.out.printf(
          Locale.ROOT,
          "# two namespaces, veth, tbf of %d Gbit/s with Ethernet headers: at most %.4f GB/s of"
              + " payload in frames of 1514 bytes (MSS 1448); %s%n%-22s%12s%10s%7s%n",
          MEGABITS / 1000,
          most,
          veth.far().run("sysctl -n net.ipv4.tcp_congestion_control").strip(),
          "case",
          "payload",
          "of most",
          "goal");
      int size = 1 << 20;
      try (EndPair ours = EndPair.start(Side.OURS, near, far, 1, size, Map.of());
          EndPair peer = EndPair.start(Side.C_SPIN, near, far, 1, size, Map.of())) {
        BenchMachine.Usage before = BenchMachine.usage();
        double[] expected = {most, most};
        double[][] rates =
            alternate(List.of(ours, peer), size, quick ? 3 : 7, quick ? 1 : 2, expected);
        add("10 Gbit/s, Socket", rates[0], most, RATE_GOAL);
        add("10 Gbit/s, C spin", rates[1], most, 0);
        System.out.println("# " + BenchMachine.note(BenchMachine.usage().othersSince(before)));
      }
      if (Iperf.missing().isEmpty()) {
        double[] rate = {Iperf.stream(near, far, size, 1, quick ? 2 : 5)};
        add("10 Gbit/s, iperf3", rate, most, 0);
      }
    }
  }

  private void losses() throws Exception {
    BadNetwork.Conditions conditions =
        new BadNetwork.Conditions(Duration.ofNanos((long) (DELAY_MILLIS * 1e6)), LOSS, 0, 42);
    try (BadNetwork network = BadNetwork.between(conditions)) {
      // What the theory is about; a namespace may always choose it.
      network.far().run("sysctl -qw net.ipv4.tcp_congestion_control=reno");
      Place near = place(network.near(), network.address(network.near()), BadNetwork.DEVICE);
      Place far = place(network.far(), network.address(network.far()), BadNetwork.DEVICE);
      int size = 1 << 20;
      try (EndPair one = EndPair.start(Side.OURS, near, far, 1, size, sockets(1));
          EndPair several = EndPair.start(Side.OURS, near, far, 1, size, sockets(SOCKETS));
          EndPair peer = EndPair.start(Side.C_POLL, near, far, 1, size, Map.of());
          EndPair peers = EndPair.start(Side.C_POLL, near, far, SOCKETS, size, Map.of())) {
        double rtt = 2 * peer.ping(100);
        double theory = MSS / rtt * Math.sqrt(1.5 / LOSS);
        int rounds = quick ? 3 : 5;
        double seconds = quick ? 1 : 3;
        System.out.printf(
            Locale.ROOT,
            "# two namespaces, each way %s; reno; measured round trip %.2f ms%n"
                + "# theory: a connection halves its window at each loss, so its losses and not the"
                + " network bound it, to MSS / RTT * sqrt(3/2 / loss) = %.4f GB/s; %d connections"
                + " lose apart from each other and carry %d times as much%n"
                + "# %.0f losses of a connection are expected in %d samples of %.0f s%n"
                + "%-22s%12s%10s%7s%n",
            conditions,
            rtt / 1e6,
            theory,
            SOCKETS,
            SOCKETS,
            rounds * seconds * 1e9 * theory / MSS * LOSS,
            rounds,
            seconds,
            "case",
            "payload",
            "of theory",
            "goal");
        BenchMachine.Usage before = BenchMachine.usage();
        double[] expected = {theory, theory * SOCKETS, theory, theory * SOCKETS};
        double[][] rates =
            alternate(List.of(one, several, peer, peers), size, rounds, seconds, expected);
        add("loss, Socket 1 socket", rates[0], theory, 0);
        add("loss, Socket " + SOCKETS + " sockets", rates[1], theory * SOCKETS, 0);
        add("loss, C 1 connection", rates[2], theory, 0);
        add("loss, C " + SOCKETS + " connections", rates[3], theory * SOCKETS, 0);
        factor("factor, Socket", rates[1], rates[0], FACTOR_GOAL);
        factor("factor, C", rates[3], rates[2], 0);
        System.out.println("# " + BenchMachine.note(BenchMachine.usage().othersSince(before)));
      }
      if (Iperf.missing().isEmpty()) {
        // Connections that do not wait for each other: what the network itself makes of several.
        double length = quick ? 3 : 5;
        double[] one = {Iperf.stream(near, far, size, 1, length)};
        double[] several = {Iperf.stream(near, far, size, SOCKETS, length)};
        factor("factor, iperf3", several, one, 0);
      }
      System.out.println("# " + network.end());
    }
  }

  private static Map<String, String> sockets(int count) {
    return Map.of("NCCL_SOCKET_NTHREADS", "1", "NCCL_NSOCKS_PERTHREAD", Integer.toString(count));
  }

  private static Place place(Namespace host, String address, String device) {
    return new Place(host, address, device, "");
  }

  /**
   * Streams by turns.
   *
   * @param seconds how long a sample takes at its pair's {@code expected} bytes per nanosecond
   * @return for each pair the bytes per nanosecond of its samples
   */
  private static double[][] alternate(
      List<EndPair> pairs, int size, int rounds, double seconds, double[] expected)
      throws IOException, InterruptedException, EndPair.Failure {
    long[] counts = new long[pairs.size()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = Math.max(End.SLOTS, (long) (seconds * 1e9 * expected[i] / size));
      pairs.get(i).stream(size, counts[i] / 2 + End.SLOTS, true); // warms up
    }
    double[][] rates = new double[pairs.size()][rounds];
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < counts.length; i++) {
        rates[i][round] = size / pairs.get(i).stream(size, counts[i], round == rounds - 1);
      }
    }
    return rates;
  }

  /** Chance is in the samples, so all of them count: the mean over their time. */
  private static double mean(double[] rates) {
    return rates.length / Arrays.stream(rates).map(rate -> 1 / rate).sum();
  }

  private void add(String name, double[] rates, double most, double goal) {
    double rate = mean(rates);
    Share share = new Share(name, rate, rate / most, goal);
    shares.add(share);
    System.out.printf(
        Locale.ROOT,
        "%-22s%7.4f GB/s%10.3f%7s%n",
        name,
        rate,
        share.share(),
        goal > 0 ? String.format(Locale.ROOT, "%.2f", goal) : "-");
  }

  private void factor(String name, double[] several, double[] one, double goal) {
    double factor = mean(several) / mean(one);
    Share share = new Share(name, factor, factor / SOCKETS, goal);
    shares.add(share);
    System.out.printf(
        Locale.ROOT,
        "%-22s%12.2f%10.3f%7s%n",
        name,
        factor,
        share.share(),
        goal > 0 ? String.format(Locale.ROOT, "%.2f", goal) : "-");
  }

  private void write(Path file) throws IOException {
    List<String> rows = new ArrayList<>();
    for (Share each : shares) {
      rows.add(
          String.format(
              Locale.ROOT,
              "{\"case\": \"%s\", \"value\": %.5f, \"of_theory\": %.4f, \"goal\": %.2f}",
              each.name(),
              each.rate(),
              each.share(),
              each.goal()));
    }
    OutputFile.write(
        file,
        "{\"bench\": \"socket-netns\", \"cases\": [\n  " + String.join(",\n  ", rows) + "\n]}\n");
  }

  private int conclude() {
    Share worst = null;
    for (Share each : shares) {
      if (each.goal() > 0
          && (worst == null || each.share() / each.goal() < worst.share() / worst.goal())) {
        worst = each;
      }
    }
    if (worst == null) {
      System.out.println("bench socket-netns: no ratio");
      return 1;
    }
    System.out.printf(
        Locale.ROOT,
        "bench socket-netns: worst ratio %.3f at %s, goal %.2f%n",
        worst.share(),
        worst.name(),
        worst.goal());
    return worst.share() >= worst.goal() ? 0 : 1;
  }
}
