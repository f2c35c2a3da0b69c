// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.junit;

import io.nitinol.tck.report.TableReport;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.result.RuleResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.opentest4j.AssertionFailedError;

/** The result of a whole run in a few lines. */
final class Verdict {
  private Verdict() {}

  /**
   * Fails the test where the run found a broken rule, or nothing at all.
   *
   * @throws AssertionFailedError when a rule is broken, or nothing was found out
   */
  static void check(KitReport report) {
    if (report.nothingRun()) {
      throw failure(
          "no test was run: none of the chosen rules has a %s test for the chosen lanes"
              .formatted(report.mode()));
    }
    if (report.nothingTested()) {
      throw failure("nothing could be tested: " + report.whyNothing());
    }
    if (!report.conforms()) {
      throw failure(text(report));
    }
  }

  private static AssertionFailedError failure(String text) {
    AssertionFailedError failure = new AssertionFailedError(text);
    failure.setStackTrace(new StackTraceElement[0]);
    return failure;
  }

  /** Returns the run in a line, then the rules that are kept and broken, and what to do first. */
  static String text(KitReport report) {
    StringBuilder text = new StringBuilder(TableReport.summary(report));
    text.append("\n  kept: ").append(rules(report, Outcome.PASSED));
    text.append("\n  broken: ").append(rules(report, Outcome.FAILED));
    if (report.count(Outcome.INCONCLUSIVE) > 0) {
      text.append("\n  inconclusive, so run them again on an idle machine: ");
      text.append(rules(report, Outcome.INCONCLUSIVE));
    }
    TableReport.repairFirst(report).ifPresent(rules -> text.append("\n  ").append(rules));
    for (RuleResult rule : report.rules().values()) {
      // No test of its own has failed, so that this is the only place to say it.
      if (rule.broken() && rule.own().stream().noneMatch(own -> own.outcome() == Outcome.FAILED)) {
        CaseResult seen = rule.witness();
        String words =
            "\n  %s, seen by %s %s: %s"
                .formatted(seen.broken(), seen.rule(), seen.test(), seen.why());
        text.append(words);
      }
    }
    return text.toString();
  }

  private static String rules(KitReport report, Outcome outcome) {
    List<String> ids =
        report.rules().values().stream()
            .filter(rule -> rule.outcome() == outcome)
            .map(rule -> rule.rule().id())
            .toList();
    return ids.isEmpty() ? "none" : shorten(ids);
  }

  /** Returns {@code NET-CONN-01 03 04, NET-REG-02} for these four: each family is named once. */
  private static String shorten(List<String> ids) {
    Map<String, List<String>> families = new LinkedHashMap<>();
    for (String id : ids) {
      int dash = id.lastIndexOf('-');
      String family = id.substring(0, dash + 1);
      families.computeIfAbsent(family, each -> new ArrayList<>()).add(id.substring(dash + 1));
    }
    return families.entrySet().stream()
        .map(family -> family.getKey() + String.join(" ", family.getValue()))
        .collect(Collectors.joining(", "));
  }
}
