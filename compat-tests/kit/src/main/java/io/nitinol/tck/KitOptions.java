// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import io.nitinol.tck.spec.Spec;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a run of the kit does.
 *
 * @param full whether it takes its time: larger messages, more connections, more interleavings
 * @param seed what all random choices come from
 * @param rules the ids of the only rules to test; empty for all
 * @param lanes the labels of the only lanes to drive; empty for all
 * @param processes whether tests may start processes; without, those that need them are skipped
 */
public record KitOptions(
    boolean full, long seed, Set<String> rules, Set<String> lanes, boolean processes) {

  /**
   * Copies the sets, in their order.
   *
   * @throws IllegalArgumentException when a rule is not in the contract
   */
  public KitOptions {
    rules = new LinkedHashSet<>(rules);
    lanes = new LinkedHashSet<>(lanes);
    for (String rule : rules) {
      if (Spec.current().find(rule) == null) {
        throw new IllegalArgumentException("the contract has no rule " + rule);
      }
    }
  }

  /** Returns a quick run of everything, with a seed of the moment. */
  public static KitOptions quick() {
    return new KitOptions(false, System.nanoTime() & Integer.MAX_VALUE, Set.of(), Set.of(), true);
  }

  /** Returns the same with large and many. */
  public KitOptions inFull() {
    return new KitOptions(true, seed, rules, lanes, processes);
  }

  /** Returns the same with another seed. */
  public KitOptions withSeed(long other) {
    return new KitOptions(full, other, rules, lanes, processes);
  }

  /** Returns the same for these rules only. */
  public KitOptions only(Set<String> ids) {
    return new KitOptions(full, seed, ids, lanes, processes);
  }

  /** Returns the same for these lanes only, given by their labels. */
  public KitOptions onLanes(Set<String> labels) {
    return new KitOptions(full, seed, rules, labels, processes);
  }

  /** Returns the same without the tests that need processes of their own or a peer in another. */
  public KitOptions withoutProcesses() {
    return new KitOptions(full, seed, rules, lanes, false);
  }

  /** Returns the word for reports. */
  public String mode() {
    return full ? "full" : "quick";
  }
}
