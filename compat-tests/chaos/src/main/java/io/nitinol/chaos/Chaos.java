// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import io.nitinol.guest.GuestUnavailable;
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
  /** The beginning of the reason. */
  static final String NOT_OVER_IB = "no round over IB: ";

  private static final String USAGE =
      """
      usage: chaos [--rounds N] [--jobs N] [--seed N] [--faults A,B] [--carriers A,B]
        --rounds   how many rounds, 20 by default
        --jobs     how many at the same time, 1 by default
        --seed     what the rounds follow from, by default the time; it is printed
        --round    one round by the seed that its line has
        --faults   some of %s
        --carriers some of %s; IB alone runs in a guest with RDMA devices,
                   unless this machine is one
        --pace     milliseconds in which a worker warms up on a machine that the limits are made
                   for; the limits of this one are as many times longer as it takes longer
      """
          .formatted(List.of(Fault.values()), List.of(RoundCarrier.values()));

  /**
   * The command line.
   *
   * @param single the seed of the only round, or null
   * @param usual milliseconds in which a worker warms up where the limits are usual; 0 for here
   */
  private record Options(
      int rounds,
      int jobs,
      long seed,
      @Nullable Long single,
      long usual,
      List<RoundCarrier> carriers,
      List<Fault> faults) {}

  private final PrintStream out;

  /** After so many rounds of which nothing is known, the machine is at fault, and a run ends. */
  private static final int MOST_UNFINISHED = 10;

  private final Path directory;
  private final Tally tally = new Tally();
  private final List<RoundCarrier> carriers;
  private final List<Fault> faults;
  private final @Nullable WallClock clock;
  private final ChaosPace pace;

  private Chaos(
      PrintStream out,
      Path directory,
      List<RoundCarrier> carriers,
      List<Fault> faults,
      @Nullable WallClock clock,
      ChaosPace pace) {
    this.out = out;
    this.directory = directory;
    this.carriers = carriers;
    this.faults = faults;
    this.clock = clock;
    this.pace = pace;
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
    long usual = 0;
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
        case "--pace" -> usual = Long.parseLong(value);
        case "--faults" -> faults = Stream.of(words(value)).map(Fault::valueOf).toList();
        case "--carriers" -> carriers = Stream.of(words(value)).map(RoundCarrier::valueOf).toList();
        default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
      }
    }
    Path directory = Files.createTempDirectory("nitinol-chaos");
    boolean held = false;
    try {
      held =
          rulesHold(
              out, directory, new Options(rounds, jobs, seed, single, usual, carriers, faults));
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

  private static boolean rulesHold(PrintStream out, Path directory, Options wanted)
      throws IOException, InterruptedException {
    List<RoundCarrier> carriers = wanted.carriers;
    List<Fault> faults = wanted.faults;
    if (carriers.equals(List.of(RoundCarrier.IB)) && !ChaosIbDevices.areHere()) {
      return holdInGuest(out, directory, wanted);
    }
    ChaosPace pace = wanted.usual == 0 ? ChaosPace.USUAL : pace(out, directory, wanted.usual);
    WallClock clock = null;
    try {
      if (carriers.stream().anyMatch(each -> each.faults().contains(Fault.CLOCK))) {
        clock = WallClock.build(directory);
      }
    } catch (Unavailable e) {
      out.println("no round moves a clock: " + e.getMessage());
      faults = faults.stream().filter(fault -> fault != Fault.CLOCK).toList();
    }
    Chaos chaos =
        new Chaos(out, directory, available(out, carriers, directory), faults, clock, pace);
    Long single = wanted.single;
    if (single != null) {
      chaos.rounds(List.of(single), 1);
    } else {
      out.printf("%d rounds, seed %d, logs in %s%n", wanted.rounds, wanted.seed, directory);
      chaos.rounds(
          new SplittableRandom(wanted.seed).longs(wanted.rounds).boxed().toList(), wanted.jobs);
    }
    out.print(chaos.tally.table());
    return chaos.tally.violated() == 0;
  }

  /**
   * Runs rounds over IB.
   *
   * @throws IllegalArgumentException where that is not possible, or not with these options
   */
  private static boolean holdInGuest(PrintStream out, Path directory, Options wanted)
      throws IOException, InterruptedException {
    if (wanted.jobs > 1 || wanted.usual > 0) {
      throw new IllegalArgumentException(
          "in a guest there is one round at a time, and its pace is measured: no --jobs, no --pace");
    }
    Long single = wanted.single;
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--carriers", RoundCarrier.IB.name()));
    arguments.addAll(List.of("--rounds", Integer.toString(wanted.rounds)));
    arguments.addAll(List.of("--seed", Long.toString(wanted.seed)));
    if (single != null) {
      arguments.addAll(List.of("--round", Long.toString(single)));
    }
    arguments.addAll(
        List.of("--faults", String.join(",", wanted.faults.stream().map(Fault::name).toList())));
    try {
      return GuestRounds.run(out, directory, single == null ? wanted.rounds : 1, arguments) == 0;
    } catch (GuestUnavailable e) {
      throw new IllegalArgumentException(NOT_OVER_IB + e.getMessage(), e);
    }
  }

  private static ChaosPace pace(PrintStream out, Path directory, long usual)
      throws IOException, InterruptedException {
    long here = ChaosPace.measure(directory);
    ChaosPace pace = ChaosPace.of(here, usual);
    out.printf(
        Locale.ROOT,
        "all limits are %.1f times as long: a worker takes %d ms to be ready, usually %d ms%n",
        pace.factor(),
        here,
        usual);
    return pace;
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
        try (Farm trial = new Farm(carrier, directory, null, ChaosPace.USUAL, 0)) {
          found.add(carrier);
        } catch (Unavailable e) {
          out.println("no round over " + carrier + ": " + e.getMessage());
        }
      } else if (carrier == RoundCarrier.IB && !ChaosIbDevices.areHere()) {
        out.println(NOT_OVER_IB + "it needs --carriers IB alone, which starts a guest");
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
        RoundVerdict verdict;
        try {
          verdict = new Round(plan, i, farm(farms, plan), clock).run();
        } catch (IOException | Unavailable | RuntimeException e) {
          out.printf("%d: %s%n  VIOLATION it could not be carried out: %s%n", i, plan, e);
          close(farms.remove(plan.carrier()));
          if (tally.addUnfinished(plan) >= MOST_UNFINISHED) {
            throw e;
          }
          continue;
        }
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
          close(farms.remove(plan.carrier())); // what went wrong is not to disturb the next rounds
        }
      }
    } finally {
      for (Farm farm : farms.values()) {
        farm.close();
      }
    }
  }

  private Farm farm(Map<RoundCarrier, Farm> farms, RoundPlan plan) throws IOException, Unavailable {
    Farm farm = farms.get(plan.carrier());
    if (farm == null) {
      Path own = Files.createTempDirectory(directory, "farm");
      farm = new Farm(plan.carrier(), own, clock, pace, plan.seed());
      farms.put(plan.carrier(), farm);
    }
    return farm;
  }

  private static void close(@Nullable Farm farm) throws IOException {
    if (farm != null) {
      farm.close();
    }
  }
}
