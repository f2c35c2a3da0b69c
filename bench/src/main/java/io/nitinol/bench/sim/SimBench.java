// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.sim;

import io.nitinol.bench.BenchDirectory;
import io.nitinol.bench.BenchMachine;
import io.nitinol.bench.BenchOptions;
import io.nitinol.bench.allreduce.AllReduceJob;
import io.nitinol.bench.collnet.Cluster;
import io.nitinol.core.launch.JvmCommand;
import io.nitinol.netns.Unavailable;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * All-reduces of two hosts with two ranks each, at a switch whose cables carry 1 and 10 Gbit/s, run
 * and simulated; with CollNet the switch reduces. The simulator knows the rate of the cable, what
 * Ethernet, IP and TCP take of it, and what a message takes beside its bytes, which are all options
 * of the command.
 */
public final class SimBench {
  private static final int HOSTS = 2;
  private static final int PER_HOST = 2;
  private static final int[] MEGABITS = {1_000, 10_000};
  private static final List<String> ALGORITHMS =
      List.of("ring", "tree", "hierarchy", "collnetchain", "collnetdirect");
  private static final double GOAL = 0.15;

  /** A frame of 1514 bytes carries 1448: 14 are Ethernet's, 20 IP's, 32 TCP's with timestamps. */
  private static final double PAYLOAD = 1448.0 / 1514;

  private static final Pattern TIME = Pattern.compile("\"time_us\" : ([0-9.E]+)");

  /** One case: how long it took and how long it should have, in microseconds. */
  private record Row(
      int megabits, String algorithm, long bytes, double measured, double predicted) {
    double ratio() {
      return predicted / measured;
    }

    double error() {
      return Math.abs(ratio() - 1);
    }
  }

  private final boolean quick;
  private final List<String> algorithms;
  private final Path directory;
  private final List<Row> rows = new ArrayList<>();

  private SimBench(boolean quick, List<String> algorithms, Path directory) {
    this.quick = quick;
    this.algorithms = algorithms;
    this.directory = directory;
  }

  /**
   * Runs all cases; exit status 0 where the goal holds, 1 where it is missed or a rank has failed,
   * 2 where namespaces are not permitted, or the command line is not understood.
   *
   * @param arguments {@code --quick}, {@code --json FILE}, {@code --only ALGORITHM,...}
   */
  public static void main(String[] arguments) throws Exception {
    BenchOptions options = BenchOptions.parse("sim-vs-run", arguments, ALGORITHMS);
    SimBench bench =
        new SimBench(
            options.quick(),
            options.only().isEmpty() ? ALGORITHMS : options.only(),
            BenchDirectory.make("sim-vs-run"));
    System.out.printf(
        Locale.ROOT,
        "# %d hosts with %d ranks each, all_reduce of binary32, %d processors, load %s%n"
            + "%8s%14s%12s%14s%14s%8s%n",
        HOSTS,
        PER_HOST,
        Runtime.getRuntime().availableProcessors(),
        BenchMachine.load(),
        "Gbit/s",
        "algorithm",
        "bytes",
        "measured us",
        "predicted us",
        "ratio");
    try {
      bench.run();
    } catch (Unavailable e) {
      System.err.println("bench sim-vs-run: not here: " + e.getMessage());
      System.exit(2);
    } catch (AllReduceJob.JobFailure e) {
      System.out.println("FAILED " + e.getMessage());
      System.exit(1);
    }
    Path json = options.json();
    if (json != null) {
      OutputFile.write(json, bench.json());
    }
    Row worst = bench.rows.getFirst();
    for (Row row : bench.rows) {
      worst = row.error() > worst.error() ? row : worst;
    }
    System.out.printf(
        Locale.ROOT,
        "bench sim-vs-run: worst ratio %.3f at %d Gbit/s, %s, goal %.2f to %.2f%n",
        worst.ratio(),
        worst.megabits() / 1000,
        worst.algorithm(),
        1 - GOAL,
        1 + GOAL);
    System.exit(worst.error() <= GOAL ? 0 : 1);
  }

  private void run()
      throws IOException, InterruptedException, Unavailable, AllReduceJob.JobFailure {
    for (int megabits : MEGABITS) {
      long bytes = megabits == 1_000 ? 16L << 20 : 64L << 20;
      try (Cluster cluster = Cluster.open(1, HOSTS, PER_HOST, megabits, directory)) {
        for (String algorithm : algorithms) {
          double measured = measure(cluster, algorithm, bytes);
          double predicted = predict(megabits, algorithm, bytes);
          Row row = new Row(megabits, algorithm, bytes, measured, predicted);
          rows.add(row);
          System.out.printf(
              Locale.ROOT,
              "%8d%14s%12d%14.0f%14.0f%8.3f%n",
              megabits / 1000,
              algorithm,
              bytes,
              measured,
              predicted,
              row.ratio());
        }
      }
    }
  }

  private static boolean isCollNet(String algorithm) {
    return algorithm.startsWith("collnet");
  }

  /** Returns the median of several runs of some all-reduces each, in microseconds. */
  private double measure(Cluster cluster, String algorithm, long bytes)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    double[] times = new double[quick ? 3 : 9];
    try (AllReduceJob job =
        isCollNet(algorithm) ? cluster.startCollnet(algorithm) : cluster.start(algorithm)) {
      job.run(bytes, 3, 1, true);
      for (int i = 0; i < times.length; i++) {
        times[i] = job.run(bytes, 1, quick ? 2 : 5, false) / 1000;
      }
    }
    Arrays.sort(times);
    return times[times.length / 2];
  }

  private double predict(int megabits, String algorithm, long bytes)
      throws IOException, InterruptedException {
    Module cli =
        ModuleLayer.boot()
            .findModule("io.nitinol.cli")
            .orElseThrow(() -> new IllegalStateException("the command is not on the module path"));
    Path json = directory.resolve("predicted.json");
    List<String> words =
        new ArrayList<>(
            List.of(
                "sim",
                "all_reduce:" + bytes,
                "--hosts",
                Integer.toString(HOSTS),
                "--gpus",
                Integer.toString(PER_HOST),
                "--nics",
                "1",
                "--nic-gbits",
                String.format(Locale.ROOT, "%.6f", megabits / 1000.0 * PAYLOAD),
                "--fabric",
                "switch",
                "--ranks-on",
                "host",
                "--latency",
                "30",
                "--algo",
                algorithm,
                "--json",
                json.toString()));
    if (isCollNet(algorithm)) {
      words.add("--collnet");
    }
    Process process =
        new ProcessBuilder(JvmCommand.ofThisProcess().run(cli, "io.nitinol.cli.Main", words))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("nitinol sim failed: " + said);
    }
    Matcher time = TIME.matcher(Files.readString(json));
    if (!time.find()) {
      throw new IOException("nitinol sim gave no time: " + said);
    }
    return Double.parseDouble(time.group(1));
  }

  private String json() {
    StringBuilder text = new StringBuilder("[");
    for (Row row : rows) {
      text.append(text.length() > 1 ? ",\n " : "")
          .append(
              String.format(
                  Locale.ROOT,
                  "{\"gbits\":%d,\"algorithm\":\"%s\",\"bytes\":%d,\"measured_us\":%.1f,"
                      + "\"predicted_us\":%.1f}",
                  row.megabits() / 1000,
                  row.algorithm(),
                  row.bytes(),
                  row.measured(),
                  row.predicted()));
    }
    return text.append("]\n").toString();
  }
}
