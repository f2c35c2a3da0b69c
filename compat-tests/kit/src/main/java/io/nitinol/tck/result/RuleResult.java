// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.result;

import io.nitinol.tck.spec.SpecRule;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the tests of one rule found on all lanes.
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
    Outcome outcome = outcome();
    return Stream.concat(own.stream(), elsewhere.stream())
        .filter(result ->
            outcome == Outcome.FAILED
                ? rule.id().equals(result.broken())
                : result.outcome() == outcome)
        .map(CaseResult::why)
        .findFirst()
        .orElse("");
  }
}
