// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.result;

import io.nitinol.tck.spec.NcclRelease;
import io.nitinol.tck.spec.Reliance;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a run says about a plugin to those who rely on less than the whole contract: NCCL of an
 * older and of the newest release.
 */
public final class NcclVerdicts {
  private static final Pattern LANE = Pattern.compile("(net|collnet) v(\\d+)(?:->v\\d+)?");

  private NcclVerdicts() {}

  /** Returns a line for each release, and one for the contract; none where nothing was tested. */
  public static List<String> lines(KitReport report) {
    if (report.lanes().stream().noneMatch(lane -> LANE.matcher(lane).matches())
        || report.nothingTested()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    for (NcclRelease release : NcclRelease.values()) {
      lines.add(line(report, release));
    }
    lines.add(whole(report));
    return lines;
  }

  private static String line(KitReport report, NcclRelease release) {
    Map<String, Integer> versions = versions(report, release);
    String name = "NCCL " + release.number();
    if (versions.isEmpty()) {
      return ErrorText.of(
          "%s loads none of these lanes: %s", name, String.join(", ", report.lanes()));
    }
    List<CaseResult> own =
        report.cases().stream().filter(result -> isOf(result.lane(), versions)).toList();
    Set<String> broken = rules(own, release, true);
    String lane = name + " (" + inWords(versions) + ")";
    if (!broken.isEmpty()) {
      return ErrorText.of("breaks rules that %s relies on: %s", lane, String.join(", ", broken));
    }
    Set<String> open =
        own.stream()
            .filter(result -> Reliance.isOf(release, result.rule(), result.test()))
            .filter(result ->
                result.outcome() == Outcome.BLOCKED || result.outcome() == Outcome.INCONCLUSIVE)
            .map(CaseResult::rule)
            .collect(Collectors.toCollection(TreeSet::new));
    int kept = rules(own, release, false).size();
    String rules = kept + (kept == 1 ? " rule" : " rules") + " that it relies on";
    if (!open.isEmpty()) {
      return ErrorText.of(
          "is not known to work under %s: keeps %s, but not tested are %s",
          lane, rules, String.join(", ", open));
    }
    return kept == 0 || !report.isComplete()
        ? ErrorText.of("is not known to work under %s: only %s have been tested", lane, rules)
        : ErrorText.of("works under %s, as far as tested: keeps %s", lane, rules);
  }

  private static String whole(KitReport report) {
    if (report.conforms()) {
      return report.isComplete()
          ? "keeps the whole contract, as far as tested"
          : "is not known to keep the whole contract: the run did not come to its end";
    }
    if (report.brokenRules().isEmpty()) {
      return "is not known to keep the whole contract: tests without a result are left";
    }
    Set<String> ours = new TreeSet<>(report.brokenRules());
    ours.removeAll(rules(report.cases(), NcclRelease.NCCL_2_30, true));
    return "does not keep the whole contract"
        + (ours.isEmpty() ? "" : "; Nitinol alone relies on " + String.join(", ", ours));
  }

  /** Returns the rules that NCCL relies on and that were broken, or kept, on these tests. */
  private static Set<String> rules(List<CaseResult> own, NcclRelease release, boolean broken) {
    return own.stream()
        .filter(result -> {
          String rule = broken ? result.broken() : kept(result);
          return rule != null && isReliedOn(release, rule, result);
        })
        .map(result -> broken ? result.broken() : result.rule())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** A rule that the test of another one found broken is broken in what NCCL needs, too. */
  private static boolean isReliedOn(NcclRelease release, String rule, CaseResult result) {
    return rule.equals(result.rule())
        ? Reliance.isOf(release, rule, result.test())
        : Reliance.isOf(release, rule);
  }

  private static @Nullable String kept(CaseResult result) {
    return result.outcome() == Outcome.PASSED ? result.rule() : null;
  }

  /**
   * Returns the newest version of each kind, net and collnet, that a release loads and that was
   * tested. What is no native library is in NCCL by Nitinol's own, which has every version.
   */
  private static Map<String, Integer> versions(KitReport report, NcclRelease release) {
    Map<String, Integer> newest = new TreeMap<>(Comparator.reverseOrder()); // net before collnet
    for (String lane : report.lanes()) {
      Matcher matcher = LANE.matcher(lane);
      if (matcher.matches()) {
        int version = Integer.parseInt(matcher.group(2));
        if (!report.library() || release.loads(version)) {
          newest.merge(matcher.group(1), version, Math::max);
        }
      }
    }
    return newest;
  }

  private static String inWords(Map<String, Integer> versions) {
    return versions.size() == 1
        ? "v" + versions.values().iterator().next()
        : versions.entrySet().stream()
            .map(each -> each.getKey() + " v" + each.getValue())
            .collect(Collectors.joining(", "));
  }

  private static boolean isOf(String lane, Map<String, Integer> versions) {
    Matcher matcher = LANE.matcher(lane);
    return matcher.matches()
        && versions.getOrDefault(matcher.group(1), 0) == Integer.parseInt(matcher.group(2));
  }
}
