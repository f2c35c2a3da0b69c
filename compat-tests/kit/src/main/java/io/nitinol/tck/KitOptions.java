// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import io.nitinol.tck.run.MachinePace;
import io.nitinol.tck.spec.Spec;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The options of a run of the kit.
 *
 * @param full whether the run is the long one: larger messages, more connections, more
 *     interleavings
 * @param seed the seed of all random choices
 * @param rules the ids of the only rules to test; empty for all
 * @param lanes the labels of the only lanes to drive; empty for all
 * @param processes whether tests may start processes; without, those that need them are skipped
 * @param patience how long a test waits at first for what a right plugin does at once; the kit
 *     waits less once it has waited in vain
 */
public record KitOptions(
    boolean full,
    long seed,
    Set<String> rules,
    Set<String> lanes,
    boolean processes,
    Duration patience) {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Copies the sets, in their order.
   *
   * @throws IllegalArgumentException when a rule is not in the contract, or the patience is below
   *     100 ms
   */
  public KitOptions {
    if (patience.compareTo(Duration.ofMillis(100)) < 0) {
      throw new IllegalArgumentException(
          "a patience of " + patience.toMillis() + " ms: expected 100 or more");
    }
    rules = new LinkedHashSet<>(rules);
    lanes = new LinkedHashSet<>(lanes);
    for (String rule : rules) {
      if (Spec.current().find(rule) == null) {
        throw new IllegalArgumentException("the contract has no rule " + rule);
      }
    }
  }

  /**
   * Returns how long to wait on this machine for what a right plugin does at once: 10 s on a usual
   * one, and more where everything takes longer now. Takes a tenth of a second or more to find out.
   */
  public static Duration measuredPatience() {
    return MachinePace.measure().patience();
  }

  /** Returns a quick run of everything, with a fresh seed and the patience for a usual machine. */
  public static KitOptions quick() {
    return new KitOptions(
        false, System.nanoTime() & Integer.MAX_VALUE, Set.of(), Set.of(), true, PATIENCE);
  }

  /** Returns the same as the long run. */
  public KitOptions inFull() {
    return new KitOptions(true, seed, rules, lanes, processes, patience);
  }

  /** Returns the same with another seed. */
  public KitOptions withSeed(long other) {
    return new KitOptions(full, other, rules, lanes, processes, patience);
  }

  /** Returns the same for these rules only. */
  public KitOptions only(Set<String> ids) {
    return new KitOptions(full, seed, ids, lanes, processes, patience);
  }

  /** Returns the same for these lanes only, given by their labels. */
  public KitOptions onLanes(Set<String> labels) {
    return new KitOptions(full, seed, rules, labels, processes, patience);
  }

  /** Returns the same without the tests that need processes of their own or a peer in another. */
  public KitOptions withoutProcesses() {
    return new KitOptions(full, seed, rules, lanes, false, patience);
  }

  /** Returns the same with more patience, for a slow network or machine, or with less. */
  public KitOptions withPatience(Duration time) {
    return new KitOptions(full, seed, rules, lanes, processes, time);
  }

  /** Returns the word for reports. */
  public String mode() {
    return full ? "full" : "quick";
  }
}
