// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.check.Need;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Leaves tests out of a quick run that would take too long, since its plugin has many lanes. The
 * newest lane of each kind has all its tests, for as long as there is time; an older lane has the
 * test that all others build on, those of its own version, and then the tests that take least. The
 * choice depends on the lanes alone, so that a run can be repeated.
 */
public final class QuickChoice {
  /** What the chosen tests take in all, on two idle cores. */
  private static final Duration MOST = Duration.ofSeconds(140);

  /** One test on one lane. */
  public record Chosen(RuleCase test, Lane lane) {
    private long millis() {
      return ExpectedTimes.of(test).toMillis();
    }
  }

  private QuickChoice() {}

  /**
   * Returns those of the tests that a quick run has, in their order.
   *
   * @param times how many times longer than usual they take, since each call crosses into a library
   */
  public static List<Chosen> of(List<Chosen> all, int times) {
    long most = MOST.toMillis() / times;
    if (millis(all) <= most) {
      return all;
    }
    Map<Kind, Lane> newest = new EnumMap<>(Kind.class);
    for (Chosen each : all) {
      newest.merge(each.lane().kind(), each.lane(), QuickChoice::newer);
    }
    // The dearest tests go first: of the older lanes, and if that is not enough, of all.
    List<Chosen> kept = all;
    for (boolean everywhere : new boolean[] {false, true}) {
      for (long limit : limits(kept).descendingSet()) {
        if (millis(kept) <= most) {
          return kept;
        }
        kept =
            kept.stream()
                .filter(each ->
                    each.millis() < limit
                        || isNeeded(each)
                        || (!everywhere && newest.containsValue(each.lane())))
                .toList();
      }
    }
    return kept;
  }

  private static Lane newer(Lane one, Lane other) {
    return other.provided() > one.provided() ? other : one;
  }

  private static boolean isNeeded(Chosen each) {
    Set<Need> needs = Set.of(each.test().terms().needs());
    return each.test().isSmoke() || needs.contains(Need.V4_ONLY) || needs.contains(Need.V5_ONLY);
  }

  private static TreeSet<Long> limits(List<Chosen> all) {
    TreeSet<Long> limits = new TreeSet<>();
    all.forEach(each -> limits.add(each.millis()));
    return limits;
  }

  private static long millis(List<Chosen> all) {
    return all.stream().mapToLong(Chosen::millis).sum();
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
