// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.result;

import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All results of a run.
 *
 * @param plugin the plugin's name
 * @param lanes the lanes that were driven
 * @param mode quick or full
 * @param seed the seed of all random choices, which repeats them
 * @param time how long the run took
 * @param cases the results of the tests, in the order of the contract
 * @param argument the argument that names the plugin on a command line: its name, or the path of
 *     its jar
 * @param flags the options of the run beside rules, lanes, seed and mode; may be empty
 * @param planned how many tests the run was to have; it was cut short where it has fewer results
 * @param library whether the plugin is a native library, which NCCL loads itself
 */
public record KitReport(
    String plugin,
    List<String> lanes,
    String mode,
    long seed,
    Duration time,
    List<CaseResult> cases,
    String argument,
    String flags,
    int planned,
    boolean library) {

  /** Why tests are skipped, and the note of the others, where a plugin has no devices. */
  public static final String NO_DEVICES = "the plugin has no devices on this machine";

  /**
   * Returns why tests are skipped where a plugin has no devices.
   *
   * @param said the plugin's own words, which may be empty
   */
  public static String noDevices(String said) {
    return said.isEmpty() ? NO_DEVICES : NO_DEVICES + "; it says: " + said;
  }

  /** Copies the lists. */
  public KitReport {
    lanes = List.copyOf(lanes);
    cases = List.copyOf(cases);
  }

  /** A run of a plugin that is found by its name, without further options. */
  public KitReport(
      String plugin,
      List<String> lanes,
      String mode,
      long seed,
      Duration time,
      List<CaseResult> cases) {
    this(plugin, lanes, mode, seed, time, cases, plugin, "", cases.size(), false);
  }

  /** Returns the same for a plugin that was named in another way, such as by a path. */
  public KitReport namedBy(String other) {
    return new KitReport(plugin, lanes, mode, seed, time, cases, other, flags, planned, library);
  }

  /** Returns whether each test that the run was to have has a result. */
  public boolean isComplete() {
    return cases.size() >= planned;
  }

  /** Returns the results of each rule that had tests, in the order of the contract. */
  public Map<SpecRule, RuleResult> rules() {
    Set<String> broken = brokenRules();
    Map<SpecRule, RuleResult> rules = new LinkedHashMap<>();
    for (SpecRule rule : Spec.current().rules()) {
      List<CaseResult> own = new ArrayList<>();
      List<CaseResult> elsewhere = new ArrayList<>();
      for (CaseResult result : cases) {
        if (result.rule().equals(rule.id())) {
          own.add(result);
        } else if (rule.id().equals(result.broken())) {
          elsewhere.add(result);
        }
      }
      if (!own.isEmpty() || !elsewhere.isEmpty()) {
        rules.put(rule, new RuleResult(rule, broken.contains(rule.id()), own, elsewhere));
      }
    }
    return rules;
  }

  /** Returns the ids of the rules that the plugin broke, whichever test saw it. */
  public Set<String> brokenRules() {
    Set<String> broken = new LinkedHashSet<>();
    for (CaseResult result : cases) {
      String rule = result.broken();
      if (rule != null) {
        broken.add(rule);
      }
    }
    return broken;
  }

  /** Returns whether no rule was broken, and each test has a verdict. */
  public boolean conforms() {
    return brokenRules().isEmpty() && !isInconclusive();
  }

  /** Returns whether no rule was broken, but tests were tried twice without a verdict. */
  public boolean isInconclusive() {
    return brokenRules().isEmpty() && count(Outcome.INCONCLUSIVE) > 0;
  }

  /** Returns whether no test was chosen, so that the run tells nothing about the plugin. */
  public boolean nothingRun() {
    return cases.isEmpty();
  }

  /**
   * Returns whether no rule was broken and nothing is known all the same: each test was skipped, or
   * the plugin has no devices here, so that all tests with a device were.
   */
  public boolean nothingTested() {
    if (!brokenRules().isEmpty() || count(Outcome.INCONCLUSIVE) > 0) {
      return false;
    }
    boolean absent = cases.stream().anyMatch(result -> result.why().startsWith(NO_DEVICES));
    boolean used =
        cases.stream()
            .anyMatch(result ->
                result.outcome() == Outcome.PASSED && !result.notes().contains(NO_DEVICES));
    return absent ? !used : count(Outcome.PASSED) == 0;
  }

  /** Returns in a line why nothing is known. */
  public String whyNothing() {
    return cases.stream()
        .map(CaseResult::why)
        .filter(why -> why.startsWith(NO_DEVICES))
        .max(Comparator.comparingInt(String::length)) // the plugin's own words, if there are any
        .orElseGet(() -> cases.isEmpty() ? "" : cases.getFirst().why());
  }

  /** Returns how many tests ended this way. */
  public long count(Outcome outcome) {
    return cases.stream().filter(result -> result.outcome() == outcome).count();
  }
}
