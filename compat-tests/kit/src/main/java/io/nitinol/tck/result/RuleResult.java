// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.result;

import io.nitinol.tck.spec.Reliance;
import io.nitinol.tck.spec.SpecRule;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The results of the tests of one rule on all lanes.
 *
 * @param rule the rule
 * @param broken whether the plugin broke it
 * @param own the results of its own tests
 * @param elsewhere the tests of other rules that found it broken
 */
public record RuleResult(
    SpecRule rule, boolean broken, List<CaseResult> own, List<CaseResult> elsewhere) {

  /** Copies the lists. */
  public RuleResult {
    own = List.copyOf(own);
    elsewhere = List.copyOf(elsewhere);
  }

  /** Returns the worst outcome: a skip counts only where every test was skipped. */
  public Outcome outcome() {
    if (broken) {
      return Outcome.FAILED;
    }
    if (own.stream().anyMatch(result -> result.outcome() == Outcome.BLOCKED)) {
      return Outcome.BLOCKED;
    }
    if (own.stream().anyMatch(result -> result.outcome() == Outcome.INCONCLUSIVE)) {
      return Outcome.INCONCLUSIVE;
    }
    return own.stream().anyMatch(result -> result.outcome() == Outcome.PASSED)
        ? Outcome.PASSED
        : Outcome.SKIPPED;
  }

  /** Returns the time that the rule's own tests took. */
  public Duration time() {
    return own.stream().map(CaseResult::time).reduce(Duration.ZERO, Duration::plus);
  }

  /** Returns one line about the outcome; empty where the rule was kept. */
  public String why() {
    return switch (outcome()) {
      case PASSED -> "";
      case FAILED -> witness().why();
      case BLOCKED ->
          own.stream()
              .filter(result -> result.outcome() == Outcome.BLOCKED)
              .map(result -> "by " + result.broken() + ": " + result.why())
              .findFirst()
              .orElse("");
      case INCONCLUSIVE ->
          own.stream()
              .filter(result -> result.outcome() == Outcome.INCONCLUSIVE)
              .map(CaseResult::why)
              .findFirst()
              .orElse("");
      case SKIPPED -> own.getFirst().why();
    };
  }

  /** Returns in words which rules blocked its tests; empty if none did. */
  public String obstacles() {
    String rules =
        own.stream()
            .filter(result -> result.outcome() == Outcome.BLOCKED)
            .map(result -> String.valueOf(result.broken()))
            .distinct()
            .collect(Collectors.joining(", "));
    return rules.isEmpty() ? "" : "by " + rules;
  }

  /**
   * Returns the result that shows best how the rule was broken: that of one of its own tests if one
   * failed.
   *
   * @throws java.util.NoSuchElementException where it was not broken
   */
  public CaseResult witness() {
    return witnesses().getFirst();
  }

  /** Returns in words which programs rely on the rule, or on the parts of it that were broken. */
  public String reliedOnBy() {
    return Reliance.words(
        rule.id(),
        witnesses().stream()
            .map(seen -> seen.rule().equals(rule.id()) ? seen.test() : "")
            .collect(Collectors.toSet()));
  }

  /** Returns in words how many more tests saw the rule broken. */
  public String others() {
    int more = witnesses().size() - 1;
    return more == 0 ? "" : ", and " + more + " time" + (more == 1 ? "" : "s") + " more";
  }

  /** Returns the results that show the rule broken, those of its own tests first. */
  public List<CaseResult> witnesses() {
    return Stream.concat(own.stream(), elsewhere.stream())
        .filter(result -> rule.id().equals(result.broken()))
        .toList();
  }
}
