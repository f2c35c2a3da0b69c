// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import io.nitinol.netns.Unavailable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs real jobs under random faults, round after round, and checks what must hold whatever fails:
 * right results or the same named error on all ranks, in time, and nothing left behind.
 */
public final class Chaos {
  private static final String USAGE =
      """
      usage: chaos [--rounds N] [--jobs N] [--seed N] [--faults A,B] [--carriers A,B]
        --rounds   how many rounds, 20 by default
        --jobs     how many at the same time, 1 by default
        --seed     what the rounds follow from, by default the time; it is printed
        --round    one round by the seed that its line has
        --faults   some of %s
        --carriers some of %s
      """
          .formatted(List.of(Fault.values()), List.of(RoundCarrier.values()));

  private final PrintStream out;
  private final Path directory;
  private final Tally tally = new Tally();
  private final List<RoundCarrier> carriers;
  private final List<Fault> faults;
  private final @Nullable WallClock clock;

  private Chaos(
      PrintStream out,
      Path directory,
      List<RoundCarrier> carriers,
      List<Fault> faults,
      @Nullable WallClock clock) {
    this.out = out;
    this.directory = directory;
    this.carriers = carriers;
    this.faults = faults;
    this.clock = clock;
  }

  /** Exits with 0 where all rules held, with 1 where one did not, and with 2 for bad options. */
  public static void main(String[] arguments) throws Exception {
    try {
      System.exit(run(System.out, arguments));
    } catch (IllegalArgumentException e) {
      System.err.println("chaos: " + e.getMessage() + "\n" + USAGE);
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
  public static int run(PrintStream out, String... arguments)
      throws IOException, InterruptedException {
    int rounds = 20;
    int jobs = 1;
    long seed = System.nanoTime();
    List<Fault> faults = new ArrayList<>(List.of(Fault.values()));
    List<RoundCarrier> carriers = new ArrayList<>(List.of(RoundCarrier.values()));
    Long single = null;
    for (int i = 0; i < arguments.length; i += 2) {
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(arguments[i] + " needs a value");
      }
      String value = arguments[i + 1];
      switch (arguments[i]) {
        case "--rounds" -> rounds = Integer.parseInt(value);
        case "--jobs" -> jobs = Integer.parseInt(value);
        case "--seed" -> seed = Long.parseLong(value);
        case "--round" -> single = Long.parseLong(value);
        case "--faults" -> faults = Stream.of(words(value)).map(Fault::valueOf).toList();
        case "--carriers" -> carriers = Stream.of(words(value)).map(RoundCarrier::valueOf).toList();
        default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
      }
    }
    Path directory = Files.createTempDirectory("nitinol-chaos");
    boolean held = false;
    try {
      held = rulesHold(out, directory, rounds, jobs, seed, single, carriers, faults);
    } finally {
      conclude(out, directory, held);
    }
    return held ? 0 : 1;
  }

  /**
   * Removes the logs of a run in which all rules held; those of another one are kept, and where.
   */
  static void conclude(PrintStream out, Path directory, boolean held) throws IOException {
    if (!held) {
      out.println("logs are kept in " + directory);
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static boolean rulesHold(
      PrintStream out,
      Path directory,
      int rounds,
      int jobs,
      long seed,
      @Nullable Long single,
      List<RoundCarrier> carriers,
      List<Fault> wanted)
      throws IOException, InterruptedException {
    List<Fault> faults = wanted;
    WallClock clock = null;
    try {
      clock = WallClock.build(directory);
    } catch (Unavailable e) {
      out.println("no round moves a clock: " + e.getMessage());
      faults = faults.stream().filter(fault -> fault != Fault.CLOCK).toList();
    }
    Chaos chaos = new Chaos(out, directory, available(out, carriers, directory), faults, clock);
    if (single != null) {
      chaos.rounds(List.of(single), 1);
    } else {
      out.printf("%d rounds, seed %d, logs in %s%n", rounds, seed, directory);
      chaos.rounds(new SplittableRandom(seed).longs(rounds).boxed().toList(), jobs);
    }
    out.print(chaos.tally.table());
    return chaos.tally.violated() == 0;
  }

  private static String[] words(String list) {
    return list.toUpperCase(Locale.ROOT).split(",", -1);
  }

  /** Tries the carriers that not every machine permits. */
  private static List<RoundCarrier> available(
      PrintStream out, List<RoundCarrier> wanted, Path directory) throws IOException {
    List<RoundCarrier> found = new ArrayList<>();
    for (RoundCarrier carrier : wanted) {
      if (carrier.isTwoHosts()) {
        try (Farm trial = new Farm(carrier, directory, null, 0)) {
          found.add(carrier);
        } catch (Unavailable e) {
          out.println("no round over " + carrier + ": " + e.getMessage());
        }
      } else {
        found.add(carrier);
      }
    }
    return found;
  }

  private void rounds(List<Long> seeds, int jobs) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int job = 0; job < jobs; job++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  work(seeds, next);
                } catch (Throwable e) {
                  thrown.set(e);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable e = thrown.get();
    if (e != null) {
      throw new IllegalStateException("a round could not be carried out: " + e, e);
    }
  }

  private void work(List<Long> seeds, AtomicInteger next)
      throws IOException, InterruptedException, Unavailable {
    Map<RoundCarrier, Farm> farms = new EnumMap<>(RoundCarrier.class);
    try {
      for (int i = next.getAndIncrement(); i < seeds.size(); i = next.getAndIncrement()) {
        RoundPlan plan = RoundPlan.of(seeds.get(i), carriers, faults);
        Farm farm = farms.get(plan.carrier());
        if (farm == null) {
          farm =
              new Farm(
                  plan.carrier(), Files.createTempDirectory(directory, "farm"), clock, plan.seed());
          farms.put(plan.carrier(), farm);
        }
        RoundVerdict verdict = new Round(plan, i, farm, clock).run();
        tally.add(plan, verdict);
        out.printf(
            Locale.ROOT,
            "%d: %s: %d right, %d failed within %.2f s%n",
            i,
            plan,
            verdict.right(),
            verdict.failed(),
            verdict.longestNanos() / 1e9);
        for (String violation : verdict.violations()) {
          out.println("  VIOLATION " + violation);
        }
        if (!verdict.violations().isEmpty() || plan.fault() == Fault.SWITCH) {
          farm.close(); // what went wrong is not to disturb the next rounds
          farms.remove(plan.carrier());
        }
      }
    } finally {
      for (Farm farm : farms.values()) {
        farm.close();
      }
    }
  }
}
