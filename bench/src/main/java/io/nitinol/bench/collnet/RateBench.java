// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.collnet;

import io.nitinol.bench.BenchDirectory;
import io.nitinol.bench.BenchMachine;
import io.nitinol.bench.BenchOptions;
import io.nitinol.bench.Median;
import io.nitinol.core.launch.JvmCommand;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.file.OutputFile;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures how many bytes a switch reduces in a second for eight children on loopback, against what
 * bounds it, measured in the same rounds: the kernel alone, and the Net plugin alone, by which a
 * hub takes as much from as many children and sends as much back, with one thread as the switch has
 * for a group.
 */
public final class RateBench {
  private static final double GOAL = 0.7;
  private static final int CHILDREN = 8;
  private static final int SEGMENT = 128 << 10;
  private static final int WINDOW = 16;
  private static final int BYTES = 16 << 20;
  private static final long GROUP_MEMORY = 64L << 20;
  private static final int SECONDS = 60;

  /** The kernel's operands are combined in pieces that stay in the first cache. */
  private static final int BLOCK = 8 << 10;

  private static final Pattern PAGE = Pattern.compile("statistics at (\\S+)/");
  private static final Pattern MEMORY = Pattern.compile("nitinol_switch_memory_bytes (\\d+)");

  /** Bytes of contributions per nanosecond, which is GB/s. */
  private final List<Double> kernel = new ArrayList<>();

  private final List<Double> sockets = new ArrayList<>();
  private final List<Double> switched = new ArrayList<>();
  private final int rounds;
  private final int times;
  private String memory = "";
  private boolean memoryHeld;

  private RateBench(boolean quick) {
    this.rounds = quick ? 5 : 9;
    this.times = quick ? 10 : 30;
  }

  /**
   * Runs; exit status 0 where the goal holds, 1 where it is missed or something has failed, 2 where
   * the command line is not understood.
   *
   * @param arguments {@code --quick}, {@code --json FILE}
   */
  public static void main(String[] arguments) throws Exception {
    BenchOptions options = BenchOptions.parse("switch-rate", arguments);
    Path directory = BenchDirectory.make("switch-rate");
    RateBench bench = new RateBench(options.quick());
    try {
      bench.run(directory);
    } catch (IOException e) {
      System.out.println("FAILED " + e.getMessage());
      System.out.println("bench switch-rate: failed");
      System.exit(1);
    }
    Path json = options.json();
    if (json != null) {
      OutputFile.write(json, bench.json());
    }
    System.exit(bench.conclude());
  }

  private void run(Path directory) throws IOException, InterruptedException {
    System.out.printf(
        Locale.ROOT,
        "# %d children on loopback, all-reduce of %d MiB (float32 sum) in segments of %d KiB; %d"
            + " processors, load %s%n"
            + "# GB/s of contributions: what children send, together%n",
        CHILDREN,
        BYTES >> 20,
        SEGMENT >> 10,
        Runtime.getRuntime().availableProcessors(),
        BenchMachine.load());
    List<String> arguments =
        List.of(
            "--listen",
            "127.0.0.1:0",
            "--stats",
            "0",
            "--group-memory",
            Long.toString(GROUP_MEMORY),
            "--segment",
            Integer.toString(SEGMENT));
    Process hub = start(RateHub.class, Map.of(), CHILDREN, SEGMENT, WINDOW);
    try (SwitchProcess tree =
            SwitchProcess.start(null, arguments, Map.of(), directory.resolve("switch.log"));
        BufferedReader hubSays = hub.inputReader();
        BufferedWriter toHub = hub.outputWriter()) {
      Process children =
          start(
              RateChildren.class,
              Map.of("NITINOL_COLLNET_SWITCH", tree.address()),
              CHILDREN,
              SEGMENT,
              WINDOW,
              BYTES);
      try (BufferedReader childrenSay = children.inputReader();
          BufferedWriter toChildren = children.outputWriter()) {
        say(toChildren, line(hubSays));
        say(toHub, line(childrenSay));
        expect(line(childrenSay), "ready");
        measure(childrenSay, toChildren);
        readMemory(tree.words());
      } catch (IOException e) {
        System.out.print(tree.words());
        throw e;
      } finally {
        children.destroyForcibly();
      }
    } finally {
      hub.destroyForcibly();
    }
  }

  private static Process start(Class<?> main, Map<String, String> variables, int... arguments)
      throws IOException {
    List<String> words = new ArrayList<>();
    for (int each : arguments) {
      words.add(Integer.toString(each));
    }
    ProcessBuilder builder =
        new ProcessBuilder(JvmCommand.ofThisProcess().run(main, words))
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(variables);
    Process process = builder.start();
    // A process that is stuck is ended, so that reading from it ends too.
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            if (!process.waitFor(3L * SECONDS, TimeUnit.SECONDS)) {
              process.destroyForcibly();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    return process;
  }

  private static void say(BufferedWriter to, String line) throws IOException {
    to.write(line + "\n");
    to.flush();
  }

  private static String line(BufferedReader from) throws IOException {
    String line = from.readLine();
    if (line == null) {
      throw new IOException("a process has ended, with its last words above");
    }
    return line;
  }

  private static void expect(String line, String expected) throws IOException {
    if (!line.equals(expected)) {
      throw new IOException("expected " + expected + ", but was told " + line);
    }
  }

  private void measure(BufferedReader from, BufferedWriter to) throws IOException {
    BenchMachine.Usage before = BenchMachine.usage();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment[] slots = new MemorySegment[CHILDREN];
      for (int i = 0; i < CHILDREN; i++) {
        slots[i] = arena.allocate((long) WINDOW * SEGMENT, 4096);
        slots[i].fill((byte) 0);
      }
      ReduceFunction sum = kernels().function(DataType.FLOAT32, ReductionOp.SUM, CHILDREN);
      for (int round = -2; round < rounds; round++) { // the first two warm up
        double alone = reduce(sum, slots);
        double hub = ask(from, to, "hub");
        double tree = ask(from, to, "switch");
        if (round >= 0) {
          kernel.add(alone);
          sockets.add(hub);
          switched.add(tree);
        }
      }
    }
    System.out.println("# " + BenchMachine.note(BenchMachine.usage().othersSince(before)));
  }

  private static KernelProvider kernels() {
    return ServiceLoader.load(KernelProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.unavailable() == null)
        .max(Comparator.comparingInt(KernelProvider::priority))
        .orElseThrow(() -> new IllegalStateException("no kernels are installed"));
  }

  /** Reduces as many bytes as the others, and returns the rate. */
  private double reduce(ReduceFunction sum, MemorySegment[] slots) {
    long all = (long) times * BYTES;
    long start = System.nanoTime();
    for (long done = 0; done < all; done += BLOCK) {
      long at = done % ((long) WINDOW * SEGMENT);
      for (int i = 1; i < CHILDREN; i++) {
        sum.combine(slots[0], at, slots[i], at, slots[0], at, BLOCK / Float.BYTES);
      }
    }
    return (double) all * CHILDREN / (System.nanoTime() - start);
  }

  private double ask(BufferedReader from, BufferedWriter to, String whom) throws IOException {
    say(to, whom + " " + times);
    return (double) times * BYTES * CHILDREN / Long.parseLong(line(from));
  }

  private void readMemory(String words) throws IOException {
    Matcher page = PAGE.matcher(words);
    if (!page.find()) {
      throw new IOException("the switch says nothing of its statistics: " + words);
    }
    URLConnection connection = URI.create(page.group(1) + "/metrics").toURL().openConnection();
    connection.setConnectTimeout(5000);
    connection.setReadTimeout(5000);
    long has = -1;
    try (InputStream in = connection.getInputStream()) {
      Matcher found = MEMORY.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      if (found.find()) {
        has = Long.parseLong(found.group(1));
      }
    }
    memoryHeld = has > 0 && has <= GROUP_MEMORY;
    memory =
        String.format(
            Locale.ROOT,
            "memory of the group: %.1f MiB of %.1f MiB that it may have",
            has / 1048576.0,
            GROUP_MEMORY / 1048576.0);
  }

  private String json() {
    return String.format(
        Locale.ROOT,
        "{\"bench\": \"switch-rate\", \"kernel_gbps\": %.4f, \"sockets_gbps\": %.4f,"
            + " \"switch_gbps\": %.4f, \"memory\": \"%s\"}%n",
        Median.of(kernel),
        Median.of(sockets),
        Median.of(switched),
        memory);
  }

  private int conclude() {
    double alone = Median.of(kernel);
    double hub = Median.of(sockets);
    double tree = Median.of(switched);
    double least = Math.min(alone, hub);
    double turns = 1 / (1 / alone + 1 / hub);
    System.out.printf(
        Locale.ROOT,
        "%-44s%8.3f GB/s%n%-44s%8.3f GB/s%n%-44s%8.3f GB/s, %.3f of the lesser; both by turns would"
            + " be %.3f%n# %s%n",
        "kernel alone, one thread",
        alone,
        "sockets alone, there and back, one thread",
        hub,
        "switch",
        tree,
        tree / least,
        turns / least,
        memory);
    if (!memoryHeld) {
      System.out.println("FAILED: the group has more memory than it may have, or none");
    }
    System.out.printf(
        Locale.ROOT,
        "bench switch-rate: worst ratio %.3f at %d children, goal %.2f%n",
        tree / least,
        CHILDREN,
        GOAL);
    return memoryHeld && tree / least >= GOAL ? 0 : 1;
  }
}
