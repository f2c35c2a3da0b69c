// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import io.nitinol.core.CommConfig;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.launch.JvmCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Runs two jobs side by side, ranks as threads of one process and ranks in processes, through
 * random programs and through communicators that are made and closed. Prints what the processes
 * hold over the time, and whether it stays the same once they are warm.
 */
public final class Soak {
  private static final String USAGE =
      """
      usage: soak [--minutes N] [--threads N] [--processes N] [--seed N]
        --minutes   how long, 60 by default
        --threads   the ranks of the job in one process, 32 by default
        --processes the ranks of the job in processes, 8 by default
        --seed      what the programs follow from, by default the time; it is printed
      """;

  private static final int FOOTPRINTS = 120;

  /** What a figure may grow by from the second quarter of the time to the last. */
  private static final double PART = 0.02;

  private static final long SPARE_KIB = 1024;
  private static final int SPARE = 2;

  private final PrintStream out;
  private final long seconds;
  private final long seed;

  private Soak(PrintStream out, long seconds, long seed) {
    this.out = out;
    this.seconds = seconds;
    this.seed = seed;
  }

  /**
   * Exits with 0 where nothing grew, with 1 where something did or failed, with 2 for bad options.
   */
  public static void main(String[] arguments) throws Exception {
    try {
      System.exit(run(System.out, arguments));
    } catch (IllegalArgumentException e) {
      System.err.println("soak: " + e.getMessage() + "\n" + USAGE);
      System.exit(2);
    }
  }

  /**
   * Runs the program.
   *
   * @param arguments as on the command line
   * @return the exit status
   * @throws IllegalArgumentException for arguments that it does not know
   */
  static int run(PrintStream out, String... arguments) throws IOException, InterruptedException {
    double minutes = 60;
    int threads = 32;
    int processes = 8;
    long seed = System.nanoTime();
    for (int i = 0; i < arguments.length; i += 2) {
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(arguments[i] + " needs a value");
      }
      String value = arguments[i + 1];
      switch (arguments[i]) {
        case "--minutes" -> minutes = Double.parseDouble(value);
        case "--threads" -> threads = Integer.parseInt(value);
        case "--processes" -> processes = Integer.parseInt(value);
        case "--seed" -> seed = Long.parseLong(value);
        default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
      }
    }
    out.printf(
        "%s minutes, %d threads, %d processes, seed %d%n", minutes, threads, processes, seed);
    return new Soak(out, Math.round(minutes * 60), seed).jobs(threads, processes);
  }

  private int jobs(int threads, int processes) throws IOException, InterruptedException {
    CommConfig config = CommConfig.standard();
    try (UniqueId ofThreads = UniqueId.create(config.settings(), config.logger());
        UniqueId ofProcesses = UniqueId.create(config.settings(), config.logger())) {
      List<SoakMember> members = new ArrayList<>();
      try {
        members.add(start("%d threads".formatted(threads), ofThreads, threads, 0, threads));
        for (int rank = 0; rank < processes; rank++) {
          members.add(
              start("rank %d of %d".formatted(rank, processes), ofProcesses, processes, rank, 1));
        }
        boolean well = true;
        for (SoakMember member : members) {
          well &= member.awaitEnd(2 * seconds + 300);
        }
        return report(members) && well ? 0 : 1;
      } finally {
        members.forEach(SoakMember::end);
      }
    }
  }

  private SoakMember start(String name, UniqueId id, int size, int first, int ranks)
      throws IOException {
    List<String> command =
        JvmCommand.ofThisProcess()
            .withoutAgents()
            .with(
                List.of(
                    // The whole heap is there from the beginning, so that what grows is not heap.
                    "-Xms192m",
                    "-Xmx192m",
                    "-XX:+AlwaysPreTouch",
                    "-XX:+UseSerialGC",
                    "-XX:NativeMemoryTracking=summary"))
            .run(
                SoakWorker.class,
                List.of(
                    id.toString(),
                    Integer.toString(size),
                    Integer.toString(first),
                    Integer.toString(ranks),
                    Long.toString(seconds),
                    Long.toString(seed),
                    Long.toString(Math.max(1, seconds / FOOTPRINTS))));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    // Forty ranks beside other work may stand still for a minute.
    builder.environment().putIfAbsent("NITINOL_TIMEOUT", "900");
    builder.environment().putIfAbsent("NITINOL_BOOTSTRAP_TIMEOUT", "900");
    return new SoakMember(name, builder.start(), out);
  }

  /** Prints the table; returns whether nothing has grown. */
  private boolean report(List<SoakMember> members) {
    out.printf(
        "%-12s %8s %10s %10s %6s %8s %14s %8s%n",
        "process", "minute", "RSS MiB", "native MiB", "fds", "threads", "communicators", "passes");
    boolean flat = true;
    for (SoakMember member : members) {
      List<Footprint> all = member.footprints();
      if (all.size() < 8) {
        out.printf("%s: %d footprints are too few to judge%n", member.name(), all.size());
        flat = false;
        continue;
      }
      for (double part : List.of(0.1, 0.25, 0.5, 0.75, 1.0)) {
        int i = (int) Math.round(part * (all.size() - 1));
        print(member.name(), i * seconds / 60.0 / (all.size() - 1), all.get(i));
      }
      flat &= flat(member.name(), "KiB resident", all, Footprint::residentKib, SPARE_KIB);
      flat &= flat(member.name(), "KiB of native memory", all, Footprint::nativeKib, SPARE_KIB);
      flat &= flat(member.name(), "descriptors", all, Footprint::descriptors, SPARE);
      flat &= flat(member.name(), "threads", all, Footprint::threads, SPARE);
    }
    out.println(flat ? "nothing grew" : "NOT FLAT");
    return flat;
  }

  private void print(String name, double minute, Footprint footprint) {
    out.printf(
        Locale.ROOT,
        "%-12s %8.1f %10.1f %10.1f %6d %8d %14d %8d%n",
        name,
        minute,
        footprint.residentKib() / 1024.0,
        footprint.nativeKib() / 1024.0,
        footprint.descriptors(),
        footprint.threads(),
        footprint.communicators(),
        footprint.passes());
  }

  /**
   * Compares the least of the second quarter with the least of the last: a program in between needs
   * more.
   */
  private boolean flat(
      String name, String what, List<Footprint> all, ToLongFunction<Footprint> figure, long spare) {
    int quarter = all.size() / 4;
    long before = least(all.subList(quarter, 2 * quarter), figure);
    long after = least(all.subList(all.size() - 1 - quarter, all.size() - 1), figure);
    if (after <= before + Math.max(spare, Math.round(before * PART))) {
      return true;
    }
    out.printf(
        "%s: %d %s at least in the last quarter, %d in the second%n", name, after, what, before);
    return false;
  }

  private static long least(List<Footprint> part, ToLongFunction<Footprint> figure) {
    return part.stream().mapToLong(figure).min().orElseThrow();
  }
}
