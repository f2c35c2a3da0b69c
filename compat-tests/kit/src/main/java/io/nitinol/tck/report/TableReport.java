// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.report;

import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.NcclVerdicts;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.result.RelatedCalls;
import io.nitinol.tck.result.RuleResult;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Writes a run as text: a line for each rule, the failures with their last calls, and the totals.
 */
public final class TableReport {
  private static final int WITNESSES = 5;
  private static final int TRACE_LINES = 12;

  private TableReport() {}

  /** Returns the lines. */
  public static List<String> lines(KitReport report) {
    List<String> lines = new ArrayList<>();
    lines.add(row("rule", "result", "tests", "ms", "why"));
    report
        .rules()
        .forEach((rule, result) ->
            lines.add(
                row(
                    rule.id(),
                    result.outcome().label(),
                    Integer.toString(result.own().size()),
                    String.format(Locale.ROOT, "%.0f", result.time().toNanos() / 1e6),
                    result.outcome() == Outcome.BLOCKED ? result.obstacles() : result.why())));
    lines.add("");
    failures(report, lines);
    inconclusive(report, lines);
    notes(report, lines);
    skips(report, lines);
    untestable(lines);
    List<String> verdicts = NcclVerdicts.lines(report);
    if (!verdicts.isEmpty()) {
      verdicts.forEach(line -> lines.add(report.plugin() + " " + line));
      lines.add("");
    }
    repairFirst(report).ifPresent(lines::add);
    lines.add(summary(report));
    lines.replaceAll(Terminal::escape);
    return lines;
  }

  /** Returns which broken rules are in the way of how many tests, the most first. */
  public static Optional<String> repairFirst(KitReport report) {
    Map<String, Long> blocked =
        report.cases().stream()
            .filter(result -> result.outcome() == Outcome.BLOCKED)
            .collect(
                Collectors.groupingBy(
                    result -> Objects.requireNonNull(result.broken()), Collectors.counting()));
    return blocked.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .map(rule ->
            "%s, in the way of %d test%s"
                .formatted(rule.getKey(), rule.getValue(), rule.getValue() == 1 ? "" : "s"))
        .reduce((one, other) -> one + "; " + other)
        .map(rules -> "repair first: " + rules);
  }

  /**
   * Returns the lines about a run that was cut short: the rules that were broken until then, and
   * the totals.
   */
  public static List<String> cutShort(KitReport report) {
    List<String> lines = new ArrayList<>();
    failures(report, lines);
    inconclusive(report, lines);
    lines.add(summary(report));
    lines.replaceAll(Terminal::escape);
    return lines;
  }

  /** Returns a line without what a terminal would obey. */
  public static String plain(String line) {
    return Terminal.escape(line);
  }

  /** Returns the run in one line. */
  public static String summary(KitReport report) {
    long kept = count(report, Outcome.PASSED);
    long inconclusive = count(report, Outcome.INCONCLUSIVE);
    return String.format(
        Locale.ROOT,
        "%s%s %s the contract: %d rules kept, %d broken, %d blocked, %d skipped%s; %d tests on %d"
            + " lane%s, %d not run; %s, seed %d, %.1f s",
        report.isComplete()
            ? ""
            : "ended after " + report.cases().size() + " of " + report.planned() + " tests: ",
        report.plugin(),
        verdict(report),
        kept,
        report.brokenRules().size(),
        count(report, Outcome.BLOCKED),
        count(report, Outcome.SKIPPED),
        inconclusive == 0 ? "" : ", " + inconclusive + " inconclusive",
        report.cases().size() - report.count(Outcome.SKIPPED),
        report.lanes().size(),
        report.lanes().size() == 1 ? "" : "s",
        report.count(Outcome.SKIPPED),
        report.mode(),
        report.seed(),
        report.time().toNanos() / 1e9);
  }

  private static String verdict(KitReport report) {
    if (!report.isComplete() && report.brokenRules().isEmpty()) {
      return "was not tested to the end against";
    }
    if (report.nothingTested()) {
      return "could not be tested against";
    }
    if (report.isInconclusive()) {
      return "is not seen to break";
    }
    return report.conforms() ? "conforms to" : "BREAKS";
  }

  private static long count(KitReport report, Outcome outcome) {
    return report.rules().values().stream().filter(rule -> rule.outcome() == outcome).count();
  }

  private static void failures(KitReport report, List<String> lines) {
    report
        .rules()
        .forEach((rule, result) -> {
          if (result.broken()) {
            failure(report, rule, result, lines);
          }
        });
  }

  private static void failure(
      KitReport report, SpecRule rule, RuleResult result, List<String> lines) {
    lines.add(rule.id() + " is broken: " + rule.text());
    lines.add("  relied on by " + result.reliedOnBy());
    CaseResult seen = result.witness();
    List<CaseResult> witnesses = result.witnesses();
    for (CaseResult witness : witnesses.subList(0, Math.min(WITNESSES, witnesses.size()))) {
      lines.add("  seen in   " + witness.test() + " on " + witness.lane() + ": " + witness.why());
    }
    if (witnesses.size() > WITNESSES) {
      lines.add("            and " + (witnesses.size() - WITNESSES) + " more");
    }
    lines.add("  repeat    " + Repeat.command(report, seen));
    if (!seen.trace().isEmpty()) {
      lines.add("  last calls");
      RelatedCalls.chooseWithStacks(seen.trace(), TRACE_LINES)
          .forEach(call -> lines.add("    " + call));
    }
    lines.add("");
  }

  private static void inconclusive(KitReport report, List<String> lines) {
    for (CaseResult seen : report.cases()) {
      if (seen.outcome() == Outcome.INCONCLUSIVE) {
        lines.add(seen.rule() + " is inconclusive: no verdict in two attempts");
        lines.add("  seen in   " + seen.test() + " on " + seen.lane() + ": " + seen.why());
        lines.add("  repeat    " + Repeat.command(report, seen) + ", on an idle machine");
        if (!seen.trace().isEmpty()) {
          lines.add("  last calls, and where the test stands");
          RelatedCalls.chooseWithStacks(seen.trace(), TRACE_LINES)
              .forEach(call -> lines.add("    " + call));
        }
        lines.add("");
      }
    }
  }

  private static void notes(KitReport report, List<String> lines) {
    Map<String, Integer> notes = new TreeMap<>();
    for (CaseResult result : report.cases()) {
      for (String note : result.notes()) {
        if (note.equals(KitReport.NO_DEVICES)) {
          continue; // the skips say it
        }
        notes.merge(result.rule() + ": " + note, 1, Integer::sum);
      }
    }
    if (!notes.isEmpty()) {
      lines.add("notes, which break no rule:");
      notes.forEach((note, times) -> lines.add(String.format("  %4d  %s", times, note)));
      lines.add("");
    }
  }

  private static void skips(KitReport report, List<String> lines) {
    Map<String, Integer> reasons = new TreeMap<>();
    for (CaseResult result : report.cases()) {
      if (result.outcome() == Outcome.SKIPPED) {
        reasons.merge(result.why(), 1, Integer::sum);
      }
    }
    if (!reasons.isEmpty()) {
      lines.add("not run:");
      reasons.forEach((why, times) -> lines.add(String.format("  %4d  %s", times, why)));
      lines.add("");
    }
  }

  private static void untestable(List<String> lines) {
    long rules = Spec.current().rules().stream().filter(rule -> !rule.isTestable()).count();
    lines.add(rules + " rules no kit can test: nitinol tck --list");
    lines.add("");
  }

  private static String row(String rule, String result, String tests, String time, String why) {
    return String.format("%-13s  %-12s  %5s  %8s  %s", rule, result, tests, time, why)
        .stripTrailing();
  }
}
