// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.check.Need;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Leaves tests out of a quick run that would take too long, since its plugin has many lanes. The
 * newest lane of each kind has all its tests; an older lane has the test that all others build on,
 * those of its own version, and then the tests that take least. The choice depends on the lanes
 * alone, so that a run can be repeated.
 */
public final class QuickChoice {
  /** What the chosen tests take in all, on two idle cores. */
  static final Duration MOST = Duration.ofSeconds(171);

  /** One test on one lane. */
  public record Chosen(RuleCase test, Lane lane) {}

  private QuickChoice() {}

  /**
   * Returns those of the tests that a quick run has, in their order.
   *
   * @param times how many times longer than usual a test takes in the kit's process, since each
   *     call crosses into a library
   */
  public static List<Chosen> of(List<Chosen> all, int times) {
    Duration left = time(all, times);
    Map<Kind, Integer> newest = new EnumMap<>(Kind.class);
    all.forEach(each -> newest.merge(each.lane().kind(), each.lane().provided(), Math::max));
    List<Lane> lanes = all.stream().map(Chosen::lane).distinct().toList();
    List<RuleCase> tests = all.stream().map(Chosen::test).distinct().toList();
    // The dearest go first. Of equal ones each lane loses others, so that each test stays
    // somewhere.
    List<Chosen> dearest =
        all.stream()
            .filter(each -> !isNeeded(each))
            .sorted(
                Comparator.comparing((Chosen each) ->
                        Objects.equals(newest.get(each.lane().kind()), each.lane().provided()))
                    .thenComparing(each -> cost(each, times).negated())
                    .thenComparingInt(each ->
                        (tests.indexOf(each.test()) + lanes.indexOf(each.lane())) % lanes.size()))
            .toList();
    Set<Chosen> out = new HashSet<>();
    for (Chosen each : dearest) {
      if (left.compareTo(MOST) <= 0) {
        break;
      }
      out.add(each);
      left = left.minus(cost(each, times));
    }
    return all.stream().filter(each -> !out.contains(each)).toList();
  }

  /** Returns what tests take, one after the other. */
  static Duration time(List<Chosen> tests, int times) {
    return tests.stream().map(each -> cost(each, times)).reduce(Duration.ZERO, Duration::plus);
  }

  /** A test that the lane has no need of costs nothing. */
  private static Duration cost(Chosen each, int times) {
    return Needs.missing(each.test(), each.lane(), true, true) == null
        ? ExpectedTimes.of(each.test(), times)
        : Duration.ZERO;
  }

  private static boolean isNeeded(Chosen each) {
    Set<Need> needs = Set.of(each.test().terms().needs());
    return each.test().isSmoke() || needs.contains(Need.V4_ONLY) || needs.contains(Need.V5_ONLY);
  }

  /** Returns the tests with their lanes, for a lane after the other. */
  public static List<Chosen> all(List<Lane> lanes, List<RuleCase> tests) {
    List<Chosen> all = new ArrayList<>();
    for (Lane lane : lanes) {
      tests.stream()
          .filter(test -> test.kind() == lane.kind())
          .forEach(test -> all.add(new Chosen(test, lane)));
    }
    return all;
  }
}
