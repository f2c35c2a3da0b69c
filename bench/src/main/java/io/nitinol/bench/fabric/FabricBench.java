// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.fabric;

import io.nitinol.bench.BenchMachine;
import io.nitinol.bench.BenchOptions;
import io.nitinol.bench.Median;
import io.nitinol.bench.socket.EndPair;
import io.nitinol.bench.socket.EndProcess;
import io.nitinol.bench.socket.Ends;
import io.nitinol.bench.socket.Manner;
import io.nitinol.bench.socket.Place;
import io.nitinol.core.launch.JvmCommand;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Compares the libfabric plugin with {@code fi_pingpong} over the same provider, by turns: one
 * message of a size to and fro. Socket is beside both, and has no goal. Where the library of
 * aws-ofi-nccl is given, it has its turns, too. A ratio says how fast the plugin is compared with
 * {@code fi_pingpong} or with aws-ofi-nccl.
 */
public final class FabricBench {
  private static final int[] SIZES = {8, 64, 1 << 10, 8 << 10, 64 << 10, 1 << 20, 16 << 20};

  /** From here on the bandwidth counts, below it the time. */
  private static final int LARGE = 64 << 10;

  /**
   * How many receives are posted ahead: {@code fi_pingpong} posts its next one before it answers.
   */
  private static final int AHEAD = 2;

  /** The compilers share the processor of their end: after 1 s they are still at work. */
  private static final long WARM_NANOS = 3_000_000_000L;

  private static final double BANDWIDTH_GOAL = 0.95;
  private static final double LATENCY_GOAL = 1 / 1.1;
  private static final double AWS_GOAL = 1;

  /**
   * Ends of a plugin that send messages of one size to and fro.
   *
   * @param library the native library of the plugin; null where it is in Java
   * @param room bytes of each receive
   */
  private record Plugin(
      String label, @Nullable String library, Map<String, String> variables, int size, int room)
      implements Ends {
    @Override
    public List<String> command(boolean near, int connections, int largest, Place place) {
      List<String> words = new ArrayList<>(List.of(near ? "near" : "far"));
      words.addAll(List.of(Integer.toString(connections), Integer.toString(largest)));
      words.addAll(new Manner(1, AHEAD, false, size, room).words());
      JvmCommand jvm = JvmCommand.ofThisProcess();
      if (library == null) {
        return jvm.run(EndProcess.class, words);
      }
      words.addFirst(library);
      return jvm.run(ImportedEnd.class, words);
    }

    @Override
    public Map<String, String> environment(Place place) {
      return variables;
    }
  }

  /** Medians of half a round trip in nanoseconds; that of aws-ofi-nccl is NaN without it. */
  private record Row(int size, double ours, double theirs, double socket, double aws) {
    String name() {
      return size < 1 << 10
          ? size + " B"
          : size < 1 << 20 ? (size >> 10) + " KiB" : (size >> 20) + " MiB";
    }

    double ratio() {
      return theirs / ours;
    }

    double awsRatio() {
      return aws / ours;
    }

    /** Returns the smallest ratio as a part of its goal. */
    double reached() {
      double reached = ratio() / goal();
      return Double.isNaN(aws) ? reached : Math.min(reached, awsRatio() / AWS_GOAL);
    }

    /** Returns the words about aws-ofi-nccl behind the others; none without it. */
    String awsText() {
      return Double.isNaN(aws)
          ? ""
          : String.format(Locale.ROOT, " %14s %8.2f %6.2f", text(aws), awsRatio(), AWS_GOAL);
    }

    String awsJson() {
      return Double.isNaN(aws)
          ? ""
          : String.format(
              Locale.ROOT,
              ", \"aws_ofi_nccl_ns\": %.1f, \"aws_ratio\": %.4f, \"aws_goal\": %.4f",
              aws,
              awsRatio(),
              AWS_GOAL);
    }

    double goal() {
      return size >= LARGE ? BANDWIDTH_GOAL : LATENCY_GOAL;
    }

    String text(double nanos) {
      return size >= LARGE
          ? String.format(Locale.ROOT, "%.2f GB/s", size / nanos)
          : String.format(Locale.ROOT, "%.2f us", nanos / 1e3);
    }

    String json() {
      return String.format(
          Locale.ROOT,
          "{\"case\": \"%s\", \"bytes\": %d, \"libfabric_ns\": %.1f, \"fi_pingpong_ns\": %.1f,"
              + " \"socket_ns\": %.1f, \"ratio\": %.4f, \"goal\": %.4f%s}",
          name(),
          size,
          ours,
          theirs,
          socket,
          ratio(),
          goal(),
          awsJson());
    }
  }

  private FabricBench() {}

  /**
   * Runs the comparison; exit status 0 where the goals hold, 1 where one is missed or a side has
   * failed, 2 where the command line is not understood or libfabric's test is not there.
   *
   * @param arguments {@code --quick}, {@code --json FILE}, {@code --aws-ofi LIB}, {@code --room
   *     BYTES}, {@code --size BYTES}
   */
  public static void main(String[] arguments) throws Exception {
    List<String> given = new ArrayList<>(List.of(arguments));
    String aws = BenchOptions.take(given, "--aws-ofi");
    int room = bytes(given, "--room", "the least bytes of each receive");
    int size = bytes(given, "--size", "the bytes of the messages of the only row");
    BenchOptions options =
        BenchOptions.parse("libfabric-vs-fabtests", given.toArray(String[]::new));
    if (aws != null && !Files.isReadable(Path.of(aws))) {
      System.err.println(
          "bench libfabric-vs-fabtests: --aws-ofi is "
              + aws
              + ", which cannot be read; expected the libnccl-net*.so or libnccom-net.so of"
              + " aws-ofi-nccl");
      System.exit(2);
    }
    String why = Pingpong.absence();
    if (!why.isEmpty()) {
      System.err.println("bench libfabric-vs-fabtests: " + why);
      System.exit(2);
    }
    List<Row> rows = new ArrayList<>();
    try {
      measure(
          options.quick(),
          aws == null ? null : Path.of(aws).toRealPath().toString(),
          size == 0 ? SIZES : new int[] {size},
          room,
          rows);
    } catch (EndPair.Failure | IOException e) {
      System.out.println("FAILED " + e.getMessage());
      System.out.println("bench libfabric-vs-fabtests: failed");
      System.exit(1);
    }
    Path json = options.json();
    if (json != null) {
      OutputFile.write(
          json,
          "{\"bench\": \"libfabric-vs-fabtests\", \"cases\": [\n  %s\n]}\n"
              .formatted(String.join(",\n  ", rows.stream().map(Row::json).toList())));
    }
    Row worst = worst(rows, row -> row.ratio() / row.goal());
    System.out.printf(
        Locale.ROOT,
        "bench libfabric-vs-fabtests: worst ratio %.2f at %s, goal %.2f%n",
        worst.ratio(),
        worst.name(),
        worst.goal());
    if (aws != null) {
      Row slowest = worst(rows, Row::awsRatio);
      System.out.printf(
          Locale.ROOT,
          "bench libfabric-vs-fabtests: worst ratio to aws-ofi-nccl %.2f at %s, goal %.2f%n",
          slowest.awsRatio(),
          slowest.name(),
          AWS_GOAL);
    }
    System.exit(rows.stream().allMatch(row -> row.reached() >= 1) ? 0 : 1);
  }

  private static Row worst(List<Row> rows, ToDoubleFunction<Row> measure) {
    return rows.stream().min(Comparator.comparingDouble(measure)).orElseThrow();
  }

  /** Takes an option's number; 0 where it is not there. */
  private static int bytes(List<String> given, String option, String what) {
    String text = BenchOptions.take(given, option);
    if (text != null && !text.matches("[1-9][0-9]{0,8}")) {
      System.err.println(
          "bench libfabric-vs-fabtests: "
              + option
              + " is "
              + text
              + "; expected "
              + what
              + ", such as 1048576");
      System.exit(2);
    }
    return text == null ? 0 : Integer.parseInt(text);
  }

  private static void measure(
      boolean quick, @Nullable String aws, int[] sizes, int room, List<Row> rows)
      throws IOException, InterruptedException, EndPair.Failure {
    String provider = System.getenv().getOrDefault("NITINOL_OFI_PROVIDER", "tcp");
    List<Integer> cpus = BenchMachine.read().cpus();
    Place near = place(cpus.getFirst());
    Place far = place(cpus.get(cpus.size() / 2));
    System.out.printf(
        Locale.ROOT,
        "# provider %s over loopback, receives of %s, near on processor %s, far on %s; load %s%n",
        provider,
        room == 0 ? "the message's size" : "at least " + room + " bytes",
        near.cpus(),
        far.cpus(),
        BenchMachine.load());
    System.out.printf(
        "%-10s %14s %14s %14s %8s %6s%s%n",
        "case",
        "libfabric",
        "fi_pingpong",
        "Socket",
        "ratio",
        "goal",
        aws == null ? "" : String.format(" %14s %8s %6s", "aws-ofi-nccl", "ratio", "goal"));
    BenchMachine.Usage before = BenchMachine.usage();
    for (int size : sizes) {
      Row row = row(quick, provider, aws, near, far, size, Math.max(size, room));
      rows.add(row);
      System.out.printf(
          Locale.ROOT,
          "%-10s %14s %14s %14s %8.2f %6.2f%s%n",
          row.name(),
          row.text(row.ours()),
          row.text(row.theirs()),
          row.text(row.socket()),
          row.ratio(),
          row.goal(),
          row.awsText());
    }
    System.out.println("# " + BenchMachine.note(BenchMachine.usage().othersSince(before)));
  }

  private static Place place(int cpu) {
    return new Place(null, "127.0.0.1", "lo", Integer.toString(cpu));
  }

  /** Our plugin sets the last five by itself, two of them to keep the JVM's signals. */
  private static Map<String, String> awsVariables(String provider, Place place) {
    return Map.of(
        "FI_PROVIDER", provider,
        "FI_TCP_IFACE", place.device(),
        "OFI_NCCL_EXCLUDE_TCP_IF", "none",
        "OFI_NCCL_PROTOCOL", "SENDRECV",
        "FI_UNIVERSE_SIZE", "1",
        "FI_OFI_RXM_MSG_RX_SIZE", "128",
        "FI_OFI_RXM_MSG_TX_SIZE", "128",
        "IPATH_NO_BACKTRACE", "1",
        "HFI_NO_BACKTRACE", "1");
  }

  private static Row row(
      boolean quick,
      String provider,
      @Nullable String aws,
      Place near,
      Place far,
      int size,
      int room)
      throws IOException, InterruptedException, EndPair.Failure {
    Map<String, String> libfabric =
        Map.of(
            "NCCL_NET",
            "libfabric",
            "NITINOL_OFI_PROVIDER",
            provider,
            "NITINOL_OFI_DOMAIN",
            provider.startsWith("shm") ? "" : near.device(),
            "NCCL_SOCKET_IFNAME",
            "=" + near.device());
    Map<String, String> socket =
        Map.of("NCCL_NET", "Socket", "NCCL_SOCKET_IFNAME", "=" + near.device());
    int samples = quick ? 5 : 15;
    long sampleNanos = quick ? 100_000_000L : 300_000_000L;
    Map<String, String> none = Map.of();
    try (EndPair ours =
            EndPair.start(
                new Plugin("libfabric", null, libfabric, size, room), near, far, 1, 8, none);
        EndPair sockets =
            EndPair.start(new Plugin("Socket", null, socket, size, room), near, far, 1, 8, none);
        EndPair others =
            aws == null
                ? null
                : EndPair.start(
                    new Plugin("aws-ofi-nccl", aws, awsVariables(provider, near), size, room),
                    near,
                    far,
                    1,
                    8,
                    none)) {
      long rounds = Math.min(warm(ours, sampleNanos), warm(sockets, sampleNanos));
      if (others != null) {
        rounds = Math.min(rounds, warm(others, sampleNanos));
      }
      double[][] nanos = new double[4][samples];
      Arrays.fill(nanos[3], Double.NaN);
      for (int i = 0; i < samples; i++) {
        nanos[0][i] = ours.ping(rounds);
        nanos[1][i] = Pingpong.measure(provider, near, far, size, rounds);
        nanos[2][i] = sockets.ping(rounds);
        if (others != null) {
          nanos[3][i] = others.ping(rounds);
        }
      }
      return new Row(
          size, Median.of(nanos[0]), Median.of(nanos[1]), Median.of(nanos[2]), Median.of(nanos[3]));
    }
  }

  /** Runs for a while, so that the compilers have seen all; returns the rounds of a sample. */
  private static long warm(EndPair pair, long sampleNanos)
      throws IOException, InterruptedException, EndPair.Failure {
    long rounds = 16;
    long start = System.nanoTime();
    do {
      double each = pair.ping(rounds);
      rounds = Math.clamp((long) (sampleNanos / each / 2), 16, 1L << 18);
    } while (System.nanoTime() - start < WARM_NANOS);
    return rounds;
  }
}
