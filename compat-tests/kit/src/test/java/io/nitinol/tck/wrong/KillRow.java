// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.Kit;
import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * One row of the kill table: the kit names the rule that a wrong plugin breaks, and no others but
 * those that its mistake breaks as well.
 */
final class KillRow {
  /**
   * Part of what the kit takes on this machine: a wrong plugin often makes the kit wait, and the
   * right one below it answers at once.
   */
  private static final double PART = 0.3;

  /** On a busy machine a right answer can take longer than that, and the kit then accuses it. */
  private static final double SECOND_PART = 2;

  /** The rules that the kit names where an answer has not come within its patience. */
  private static final Set<String> TIMED =
      Set.of(
          "NET-CONN-01",
          "NET-CONN-07",
          "NET-CONN-08",
          "NET-SEND-01",
          "NET-RECV-01",
          "NET-CONN-17",
          "NET-TEST-01",
          "NET-TEST-02",
          "NET-TEST-03",
          "NET-TEST-05",
          "COLL-11",
          "DEVSTREAM-02",
          "DEVSTREAM-07",
          "DEVSTREAM-08",
          "DEVTEAM-07",
          "DEVTEAM-16");

  /** How long a figure holds, for other programs come and go. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  private static Duration measured;
  private static long measuredAt;

  private KillRow() {}

  /**
   * Runs the kit on a wrong plugin; the process runs nothing else meanwhile. An accusation of being
   * late that is not due counts only if the kit repeats it with time enough.
   *
   * @param wrong the plugin, which has the annotation {@link Breaks}
   * @param rules the rules that it is held against; none stands for all of them
   * @throws AssertionError when the kit does not name the mistake, or names another
   */
  static void kill(Class<?> wrong, Set<String> rules) {
    Breaks mistake = wrong.getAnnotation(Breaks.class);
    PluginUnderTest plugin = PluginUnderTest.of(wrong);
    KitOptions options = KitOptions.quick().withSeed(1).withPatience(patience(PART));
    // First the rules that need no processes, which would take an hour for a hundred plugins; then,
    // with processes, the broken rule alone, if the kit has not named it yet.
    List<CaseResult> results = new ArrayList<>(run(plugin, options.only(rules).withoutProcesses()));
    if (!broken(results).contains(mistake.value())) {
      results.addAll(run(plugin, options.only(Set.of(mistake.value()))));
    }
    // Some mistakes need what other rules do before, and some more than a quick run has time for.
    if (!rules.isEmpty() && !broken(results).contains(mistake.value())) {
      results.addAll(run(plugin, options.withoutProcesses()));
    }
    if (!broken(results).contains(mistake.value())) {
      options = options.inFull();
      results.addAll(run(plugin, options.only(Set.of(mistake.value()))));
    }
    assertThat(broken(results)).as(findings(results, mistake)).contains(mistake.value());
    Set<String> others = others(results, mistake);
    Set<String> late = new TreeSet<>(others);
    late.retainAll(TIMED);
    if (!late.isEmpty()) {
      measure();
      KitOptions slowly = options.withPatience(patience(SECOND_PART)).only(accusing(results, late));
      List<CaseResult> again = run(plugin, slowly);
      late.removeAll(others(again, mistake));
      others.removeAll(late);
      results.addAll(again);
    }
    assertThat(others).as(findings(results, mistake)).isEmpty();
  }

  /**
   * Returns a part of the machine's patience. Half of the rows end sooner than it is measured, so
   * the rows of {@link #FRESH} share one figure.
   */
  private static Duration patience(double part) {
    if (measured == null || System.nanoTime() - measuredAt > FRESH.toNanos()) {
      measure();
    }
    return Duration.ofMillis(Math.round(measured.toMillis() * part));
  }

  private static void measure() {
    measured = KitOptions.measuredPatience();
    measuredAt = System.nanoTime();
  }

  /** Returns the rules that the kit names and the mistake does not break. */
  private static Set<String> others(List<CaseResult> results, Breaks mistake) {
    Set<String> others = broken(results);
    others.remove(mistake.value());
    others.removeAll(List.of(mistake.also()));
    return others;
  }

  /** Returns the rules whose tests name one of {@code broken}, which need not be their own. */
  private static Set<String> accusing(List<CaseResult> results, Set<String> broken) {
    Set<String> rules = new TreeSet<>();
    for (CaseResult result : results) {
      String rule = result.broken();
      if (rule != null && broken.contains(rule)) {
        rules.add(result.rule());
      }
    }
    return rules;
  }

  private static List<CaseResult> run(PluginUnderTest plugin, KitOptions options) {
    return Kit.run(plugin, options, new KitListener() {}).cases();
  }

  private static Set<String> broken(List<CaseResult> results) {
    Set<String> broken = new TreeSet<>();
    for (CaseResult result : results) {
      String rule = result.broken();
      if (rule != null) {
        broken.add(rule);
      }
    }
    return broken;
  }

  /** Returns what the kit accuses the plugin of, and what became of the rule that is broken. */
  private static String findings(List<CaseResult> results, Breaks mistake) {
    StringBuilder text = new StringBuilder("what the kit reports");
    for (CaseResult result : results) {
      if (result.broken() != null || result.rule().equals(mistake.value())) {
        text.append(
            "\n%s %s %s -> %s: %s after %d ms"
                .formatted(
                    result.rule(),
                    result.test(),
                    result.outcome(),
                    result.broken(),
                    result.why(),
                    result.time().toMillis()));
      }
    }
    return text.toString();
  }
}
