// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import java.util.List;
import java.util.SplittableRandom;

/**
 * A round as its seed decides it.
 *
 * @param seed what everything follows from
 * @param carrier how the ranks exchange data
 * @param ranks how many ranks there are, 2 to 8
 * @param fault what happens
 * @param victim the rank to which it happens
 * @param early whether it may happen while the ranks still meet
 * @param delayMillis how long after that, or after all ranks are running, it happens
 * @param amount how much of it: milliseconds of a pause, descriptors, bytes of a file system
 */
record RoundPlan(
    long seed,
    RoundCarrier carrier,
    int ranks,
    Fault fault,
    int victim,
    boolean early,
    int delayMillis,
    long amount) {

  /**
   * Draws a round.
   *
   * @param carriers the carriers that this machine has
   * @param faults the faults to choose from
   * @throws IllegalArgumentException when none of the faults can meet any of the carriers
   */
  static RoundPlan of(long seed, List<RoundCarrier> carriers, List<Fault> faults) {
    SplittableRandom random = new SplittableRandom(seed);
    List<RoundCarrier> able =
        carriers.stream().filter(c -> c.faults().stream().anyMatch(faults::contains)).toList();
    if (able.isEmpty()) {
      throw new IllegalArgumentException("none of " + faults + " can happen to " + carriers);
    }
    RoundCarrier carrier = able.get(random.nextInt(able.size()));
    List<Fault> possible = carrier.faults().stream().filter(faults::contains).toList();
    Fault fault = possible.get(random.nextInt(possible.size()));
    // Two hosts reduce by a ring, switch or not, so that the end of a switch would change nothing.
    int fewest = carrier == RoundCarrier.SWITCHED ? 3 : 2;
    int ranks = fewest + random.nextInt(carrier.mostRanks() + 1 - fewest);
    int victim = random.nextInt(ranks);
    // What is to end well must not meet ranks that have no results yet.
    boolean early =
        fault.outcome() == Fault.Outcome.VICTIM_NAMED
            && random.nextInt(4) == 0
            && (fault == Fault.KILL || fault == Fault.STOP);
    int delay = random.nextInt(early ? 400 : 200);
    long amount =
        switch (fault) {
          case PAUSE -> 100 + random.nextInt(RoundCarrier.SILENCE * 1000 / 2);
          case CABLE_PAUSE -> 100 + random.nextInt(1500);
          case DESCRIPTORS -> random.nextInt(24);
          case MEMORY -> 1L << (12 + random.nextInt(12));
          case CLOCK -> random.nextInt(-100_000, 100_000);
          default -> 0;
        };
    return new RoundPlan(seed, carrier, ranks, fault, victim, early, delay, amount);
  }

  /**
   * Returns what the ranks may report. Over IB a device that lost its cable loses all connections,
   * those within a half of the ranks too, while all ranks still hear of each other.
   */
  Fault.Outcome outcome() {
    return carrier == RoundCarrier.IB && fault == Fault.CABLE_OUT
        ? Fault.Outcome.FAILED
        : fault.outcome();
  }

  /** Returns whether {@code rank} lives on the first of two hosts, or has the first device. */
  boolean isNear(int rank) {
    return rank < ranks / 2;
  }

  @Override
  public String toString() {
    return "seed %d: %d ranks over %s, %s of rank %d %d ms %s (%d)"
        .formatted(
            seed,
            ranks,
            carrier,
            fault,
            victim,
            delayMillis,
            early ? "after they were told to meet" : "after all were running",
            amount);
  }
}
