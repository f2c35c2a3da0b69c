// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import io.nitinol.core.CommConfig;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.launch.JvmCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs two jobs side by side, ranks as threads of one process and ranks in processes, through
 * random programs and through communicators that are made and closed. Prints minute by minute which
 * resources each process holds, and at the end whether they stay the same once it is warm.
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

  /** Where memory that was freed is found again; otherwise it lies in as many as 16 arenas. */
  private static final String ARENAS = "MALLOC_ARENA_MAX";

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
        "%s minutes, %d threads, %d processes, seed %d; memory in MiB%n",
        minutes, threads, processes, seed);
    out.println(SoakVerdict.header());
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
                    "-XX:-UseDynamicNumberOfCompilerThreads",
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
                    Long.toString(Math.max(500, seconds * 1000 / FOOTPRINTS))));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    // Forty ranks beside other work may stand still for a minute.
    builder.environment().putIfAbsent("NITINOL_TIMEOUT", "900");
    builder.environment().putIfAbsent("NITINOL_BOOTSTRAP_TIMEOUT", "900");
    builder.environment().putIfAbsent(ARENAS, "2");
    return new SoakMember(name, builder.start(), out);
  }

  /** Prints the verdicts; returns whether nothing has grown. */
  private boolean report(List<SoakMember> members) {
    boolean flat = true;
    for (SoakMember member : members) {
      SoakVerdict verdict = new SoakVerdict(member.name(), member.footprints());
      verdict.lines().forEach(out::println);
      flat &= verdict.isFlat();
    }
    out.println(flat ? "nothing grew" : "NOT FLAT");
    return flat;
  }
}
