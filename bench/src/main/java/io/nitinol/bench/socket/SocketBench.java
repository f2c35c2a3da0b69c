// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.net.v6.Net;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares the TCP plugin with plain non-blocking NIO, both in one run and in turn: a stream of
 * messages one way, and 8 bytes to and fro. A ratio says how fast the plugin is compared with plain
 * NIO: 1 is as fast, less is slower.
 *
 * <p>The contract of a network plugin gives each direction a connection of its own, and on a
 * connection with data one way the kernel sends acknowledgements by themselves, which costs a good
 * microsecond per message. So the goal of the 8 bytes compares with plain NIO on two connections;
 * the line before it, which has no goal, shows what a single one would take.
 */
public final class SocketBench {
  private static final int[] SIZES = {64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20};
  private static final int FEWEST = 9;
  private static final double STREAM_GOAL = 0.90;
  private static final double PING_GOAL = 1 / 1.15;

  /** One line of the table; nanoseconds per message or half round trip; goal 0 for none. */
  private record Figure(String name, long bytes, double plugin, double plain, double goal) {
    double ratio() {
      return plain / plugin;
    }
  }

  private final ExecutorService farThread =
      Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "far side");
        thread.setDaemon(true);
        return thread;
      });
  private final AtomicInteger ready = new AtomicInteger();
  private final int rounds;
  private final long sampleNanos;
  private final long caseNanos;

  private SocketBench(boolean quick) {
    // Many short samples, most of them shorter than a turn of the scheduler: the median then bears
    // a
    // neighbour that takes a core now and then.
    rounds = quick ? 151 : 501;
    sampleNanos = 2_000_000L;
    caseNanos = quick ? 5_000_000_000L : 30_000_000_000L;
  }

  /**
   * Runs the comparison.
   *
   * @param arguments {@code --quick}, {@code --json FILE}
   */
  public static void main(String[] arguments) throws Exception {
    List<String> given = new ArrayList<>(Arrays.asList(arguments));
    boolean quick = given.remove("--quick");
    Path json = null;
    int at = given.indexOf("--json");
    if (at >= 0 && at + 1 < given.size()) {
      json = Path.of(given.get(at + 1));
      given.subList(at, at + 2).clear();
    }
    if (!given.isEmpty()) {
      System.err.println("usage: bench/socket [--quick] [--json FILE]; not understood: " + given);
      System.exit(2);
    }
    List<Figure> figures = new SocketBench(quick).run(System.out);
    if (json != null) {
      write(json, figures);
    }
    Figure worst = figures.getLast();
    for (Figure each : figures) {
      if (each.goal() > 0 && each.ratio() / each.goal() < worst.ratio() / worst.goal()) {
        worst = each;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "bench socket: worst ratio %.2f at %s, goal %.2f%n",
        worst.ratio(),
        worst.name(),
        worst.goal());
    System.exit(worst.ratio() >= worst.goal() ? 0 : 1);
  }

  private List<Figure> run(PrintStream out) throws InterruptedException, ExecutionException {
    Net net = plugin();
    List<Figure> figures = new ArrayList<>();
    int largest = SIZES[SIZES.length - 1];
    try (Link ours = new PluginLink(net, largest);
        Link single = new PlainLink(64, false);
        Link plain = new PlainLink(largest, true)) {
      out.printf(
          Locale.ROOT, "%-16s %14s %14s %8s %6s%n", "case", "Socket", "plain NIO", "ratio", "goal");
      figures.add(ping(out, "8 B, 1 socket", 0, ours, single));
      figures.add(ping(out, "8 B half RTT", PING_GOAL, ours, plain));
      for (int size : SIZES) {
        String name = size < 1 << 20 ? (size >> 10) + " KiB" : (size >> 20) + " MiB";
        Figure stream =
            compare(
                name, size, STREAM_GOAL, ours, plain, (link, count) -> stream(link, size, count));
        figures.add(stream);
        out.printf(
            Locale.ROOT,
            "%-16s %9.2f GB/s %9.2f GB/s %8.2f %6.2f%n",
            name,
            size / stream.plugin(),
            size / stream.plain(),
            stream.ratio(),
            stream.goal());
      }
    }
    farThread.shutdown();
    return figures;
  }

  private Figure ping(PrintStream out, String name, double goal, Link ours, Link plain)
      throws InterruptedException, ExecutionException {
    Figure figure = compare(name, 8, goal, ours, plain, this::pingPong);
    out.printf(
        Locale.ROOT,
        "%-16s %11.2f us %11.2f us %8.2f %6s%n",
        name,
        figure.plugin() / 1e3,
        figure.plain() / 1e3,
        figure.ratio(),
        goal > 0 ? String.format(Locale.ROOT, "%.2f", goal) : "-");
    return figure;
  }

  /** Something that takes a number of repetitions and says how many nanoseconds one took. */
  private interface Sample {
    double run(Link link, int count) throws InterruptedException, ExecutionException;
  }

  private Figure compare(String name, long bytes, double goal, Link ours, Link plain, Sample sample)
      throws InterruptedException, ExecutionException {
    int count = Link.SLOTS / 2;
    double each;
    // Grow the count until a sample takes long enough; that also warms both up.
    do {
      count = Math.min(count * 2, 1 << 24);
      each = Math.max(sample.run(ours, count), sample.run(plain, count));
    } while (each * count < sampleNanos);
    double[] oursNanos = new double[rounds];
    double[] plainNanos = new double[rounds];
    long start = System.nanoTime();
    int taken = 0;
    while (taken < rounds && (taken < FEWEST || System.nanoTime() - start < caseNanos)) {
      oursNanos[taken] = sample.run(ours, count);
      plainNanos[taken] = sample.run(plain, count);
      taken++;
    }
    return new Figure(
        name,
        bytes,
        median(Arrays.copyOf(oursNanos, taken)),
        median(Arrays.copyOf(plainNanos, taken)),
        goal);
  }

  private double stream(Link link, int size, int count)
      throws InterruptedException, ExecutionException {
    link.clear(size);
    double nanos = together(n -> link.receive(size, n), n -> link.send(size, n), count);
    link.check(size);
    return nanos;
  }

  private double pingPong(Link link, int count) throws InterruptedException, ExecutionException {
    return together(link::ping, link::pong, count) / 2;
  }

  /** Runs both sides and returns the near side's nanoseconds per repetition. */
  private double together(IntConsumer near, IntConsumer far, int count)
      throws InterruptedException, ExecutionException {
    ready.set(0);
    Future<?> other =
        farThread.submit(() -> {
          meet();
          far.accept(count);
        });
    meet();
    long start = System.nanoTime();
    near.accept(count);
    long nanos = System.nanoTime() - start;
    other.get();
    return (double) nanos / count;
  }

  private void meet() {
    ready.incrementAndGet();
    while (ready.get() < 2) {
      Thread.onSpinWait();
    }
  }

  private static double median(double[] sorted) {
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static Net plugin() {
    Net net =
        ServiceLoader.load(Net.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(each -> each.name().equals("Socket"))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no plugin named Socket is installed"));
    net.init(new WarningsOnStderr());
    return net;
  }

  private static final class WarningsOnStderr implements DebugLogger {
    @Override
    public boolean isEnabled(LogLevel level, long subsystems) {
      return level == LogLevel.WARN;
    }

    @Override
    public void log(
        LogLevel level, long subsystems, @Nullable String location, int line, String message) {
      if (level == LogLevel.WARN) {
        System.err.println(message);
      }
    }
  }

  private static void write(Path file, List<Figure> figures) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Figure each : figures) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  {\"case\": \"%s\", \"bytes\": %d, \"plugin_ns\": %.1f, \"plain_ns\": %.1f,"
                  + " \"ratio\": %.4f, \"goal\": %.4f}",
              each.name(),
              each.bytes(),
              each.plugin(),
              each.plain(),
              each.ratio(),
              each.goal()));
    }
    Files.writeString(
        file, "{\"bench\": \"socket\", \"cases\": [\n" + String.join(",\n", lines) + "\n]}\n");
  }
}
